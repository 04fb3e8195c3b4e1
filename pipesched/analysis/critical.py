"""The chain of work that fixes the makespan, and how much every op could be late."""

from typing import NamedTuple

import numpy as np

from pipesched._kernel import end_times
from pipesched.analysis.bubble import tidy
from pipesched.simulate import links
from pipesched.timeline import Floats, Timeline
from pipesched.validate.deadlock import run


class CriticalPath(NamedTuple):
    """``slots`` in order of time; work and transfers along them add up to ``length``, the makespan."""

    slots: list[int]
    length: float
    transfer: float


def critical_path(timeline: Timeline) -> CriticalPath:
    """Walk back from the slot that ends last, to whatever each one waited for.

    Where the device's own previous slot and an awaited result are equally late, it stays on the device.
    """
    if not timeline.schedule.n_slots:
        return CriticalPath([], 0.0, 0.0)
    schedule = timeline.schedule
    before = links(schedule, timeline.lag).before
    ready = np.append(timeline.slot_end, 0.0)[before]
    arrival = timeline.arrival
    # Beyond that, transfers hold the device, if they run so.
    held = tidy(timeline.slot_start - np.maximum(ready, arrival.max(axis=0))).tolist()
    slots, transfer = [], 0.0
    none, k = schedule.n_slots, int(np.argmax(timeline.slot_end))
    while k != none:
        slots.append(k)
        row = int(np.argmax(arrival[:, k]))
        transfer += held[k]
        if arrival[row, k] > ready[k]:
            transfer += float(timeline.lag[row, k])
            k = int(schedule.awaited[row, k])
        else:
            k = int(before[k])
    return CriticalPath(slots[::-1], timeline.makespan, transfer)


def slack(timeline: Timeline) -> Floats:
    """How much later each slot could end at the same makespan; float64[slots], 0 on the critical path."""
    durations = timeline.slot_end - timeline.slot_start
    order = run(timeline.schedule).order[::-1]
    to_the_end = end_times(order, links(timeline.schedule, timeline.lag, backwards=True), durations)
    return np.maximum(tidy(timeline.makespan - timeline.slot_start - to_the_end), 0.0)
