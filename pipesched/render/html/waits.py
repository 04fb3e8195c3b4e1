"""What each op waited for, and how its input travelled: columns for the viewer, one entry per op.

Another op is given as a distance in ops, 0 for none: where a schedule repeats itself, distances do too.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.analysis.bubble import Cause, gaps
from pipesched.analysis.journeys import Journeys
from pipesched.choices import RENDEZVOUS
from pipesched.crossings import carriers, crossings
from pipesched.simulate.transfers import TransferTimeline
from pipesched.timeline import Floats, Timeline

Ints = npt.NDArray[np.int64]


class Waits(NamedTuple):
    """The idle time before each op, all 0 where there is none.

    ``cause`` int64[N] is how far away the op is that was awaited, ``transfer`` float64[N] how long its result
    was on its way. Where transfers hold devices, ``held`` float64[N] is how long the one that held it longest
    did: a RECV of what ``cause`` made, or, below 0, a SEND of what ``cause`` needs; else it is 0.
    """

    cause: Ints
    transfer: Floats
    held: Floats


def waits(timeline: Timeline) -> Waits:
    """Why each op did not start when the one before it on its device ended."""
    if isinstance(timeline, TransferTimeline) and Journeys(timeline).hold_devices:
        return _held(timeline)
    schedule, found = timeline.schedule, gaps(timeline)
    before = np.append(0.0, timeline.slot_end[:-1])
    before[schedule.first_slot[:-1]] = 0.0
    op = schedule.slot_op[np.flatnonzero(timeline.slot_start > before)]  # in the order of gaps
    inside = found.cause != Cause.DRAIN
    cause, transfer = np.zeros(schedule.n_ops, dtype=np.int64), np.zeros(schedule.n_ops)
    cause[op] = found.waited_for[inside] - op
    transfer[op] = found.transfer[inside]
    return Waits(cause, transfer, np.zeros(schedule.n_ops))


def _held(timeline: TransferTimeline) -> Waits:
    """The same where the SENDs and RECVs of a device's list hold it."""
    schedule, across, compute = timeline.schedule, timeline.across, timeline.actions.compute
    found = carriers(timeline.actions, across)
    # A RECV of each crossing, then a SEND: where in the list, from when to when, which other op, which sign.
    sends = timeline.transport.mode.send == RENDEZVOUS
    action = np.concatenate((found.recv, found.send))
    start = np.concatenate((timeline.posted, timeline.issued))
    end = np.concatenate((timeline.arrived, timeline.sent if sends else timeline.issued))
    other = np.concatenate((across.producer, across.consumer))
    sign = np.repeat([1.0, -1.0], len(across))
    moving = end - np.maximum(start, np.tile(timeline.begun, 2))
    # The slot after it; behind the last slot a device waits for nothing.
    slot = np.searchsorted(compute, action)
    device = np.append(schedule.slot_device, -1)[slot]
    keep = np.flatnonzero((end > start) & (device == timeline.actions.device[action]))
    keep = keep[np.argsort((end - start)[keep], kind="stable")]  # of several the longest is written last
    op = schedule.slot_op[slot[keep]]
    cause, transfer, held = np.zeros(schedule.n_ops, dtype=np.int64), *np.zeros((2, schedule.n_ops))
    cause[op] = other[keep] - op
    transfer[op] = moving[keep]
    held[op] = (sign * (end - start))[keep]
    return Waits(cause, transfer, held)


class Travels(NamedTuple):
    """The input of each op that another device makes.

    ``sender`` int64[N] is how far away the op is that makes it; it travels from ``departs`` to ``arrives``,
    float64[N]. Where there is none: 0, and the start of the op.
    """

    sender: Ints
    departs: Floats
    arrives: Floats


def travels(timeline: Timeline) -> Travels:
    """How results got from device to device: from when they are made, or as transfers were run."""
    schedule = timeline.schedule
    across = timeline.across if isinstance(timeline, TransferTimeline) else crossings(schedule)
    op, sender = across.consumer, np.zeros(schedule.n_ops, dtype=np.int64)
    sender[op] = across.producer - op
    departs, arrives = timeline.start.copy(), timeline.start.copy()
    if isinstance(timeline, TransferTimeline):
        departs[op], arrives[op] = timeline.begun, timeline.arrived
    else:
        slot = schedule.slot[op]
        second = (op != schedule.slot_op[slot]).astype(np.int64)
        departs[op] = timeline.end[across.producer]
        arrives[op] = timeline.arrival[second, slot]
    return Travels(sender, departs, arrives)
