"""What each op waited for, and how its input travelled: columns for the viewer, one entry per op.

Another op is given as a distance in ops, 0 for none: where a schedule repeats itself, distances do too.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.analysis.bubble import Cause, gaps
from pipesched.analysis.holds import holds
from pipesched.crossings import crossings
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
    schedule, found, held = timeline.schedule, gaps(timeline), holds(timeline)
    before = np.append(0.0, timeline.slot_end[:-1])
    before[schedule.first_slot[:-1]] = 0.0
    slot = np.flatnonzero(timeline.slot_start > before)  # in the order of gaps
    op, inside = schedule.slot_op[slot], found.cause != Cause.DRAIN
    result = Waits(np.zeros(schedule.n_ops, dtype=np.int64), *np.zeros((2, schedule.n_ops)))
    result.cause[op] = found.waited_for[inside] - op
    result.transfer[op] = found.transfer[inside] if held is None else held.moving[slot]
    if held is not None:
        result.held[op] = held.length[slot]
    return result


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
