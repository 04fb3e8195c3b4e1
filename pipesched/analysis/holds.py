"""SENDs and RECVs that hold their device, slot by slot, where transfers do: which one held it longest."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.analysis.journeys import Journeys
from pipesched.choices import RENDEZVOUS
from pipesched.crossings import carriers
from pipesched.simulate.transfers import TransferTimeline
from pipesched.timeline import Floats, Timeline

Ints = npt.NDArray[np.int64]


class Holds(NamedTuple):
    """What held the device before each slot, since the slot before; one entry per slot.

    ``other`` int64: the op at the other end of what held it longest, -1 where nothing did. ``length``
    float64: how long that was, below 0 where it is a SEND; ``moving``: how much of it the transfer was under
    way. ``all_moving``: the same of everything that held it.
    """

    other: Ints
    length: Floats
    moving: Floats
    all_moving: Floats


def holds(timeline: Timeline) -> Holds | None:
    """None where transfers hold up nobody."""
    if not isinstance(timeline, TransferTimeline) or not Journeys(timeline).hold_devices:
        return None
    schedule, across, actions = timeline.schedule, timeline.across, timeline.actions
    found = carriers(actions, across)
    # A RECV of each crossing, then a SEND: where in the list, from when to when, which other op, which sign.
    sends = timeline.transport.mode.send == RENDEZVOUS
    action = np.concatenate((found.recv, found.send))
    start = np.concatenate((timeline.posted, timeline.issued))
    end = np.concatenate((timeline.arrived, timeline.sent if sends else timeline.issued))
    other = np.concatenate((across.producer, across.consumer))
    length = np.repeat([1.0, -1.0], len(across)) * (end - start)
    moving = end - np.maximum(start, np.tile(timeline.begun, 2))
    # The slot after it; behind the last slot a device waits for nothing.
    slot = np.searchsorted(actions.compute, action)
    device = np.append(schedule.slot_device, -1)[slot]
    keep = np.flatnonzero((end > start) & (device == actions.device[action]))
    keep = keep[np.argsort(np.abs(length[keep]), kind="stable")]  # of several the longest is written last
    result = Holds(np.full(schedule.n_slots, -1, dtype=np.int64), *np.zeros((3, schedule.n_slots)))
    for column, values in zip(result[:3], (other, length, moving), strict=True):
        column[slot[keep]] = values[keep]
    result.all_moving[:] = np.bincount(slot[keep], moving[keep], minlength=schedule.n_slots)
    return result
