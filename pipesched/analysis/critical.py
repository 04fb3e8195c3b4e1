"""The chain of work that fixes the makespan, and how much every op could be late."""

from math import fsum
from typing import NamedTuple

import numpy as np

from pipesched._kernel import end_times
from pipesched.analysis.bubble import Ints, tidy
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
    none = schedule.n_slots
    padded, arrival = np.append(timeline.slot_end, 0.0), timeline.arrival
    prior = links(schedule, timeline.lag).before
    end, before = padded.item, prior.item  # single entries as plain numbers, without a list of all
    awaited, there = schedule.awaited, arrival.item
    slots, k = [], int(np.argmax(timeline.slot_end))
    while k != none:
        slots.append(k)
        row = int(there(1, k) > there(0, k))
        ahead = before(k)
        k = awaited.item(row, k) if there(row, k) > end(ahead) else ahead
    path = np.array(slots[::-1], dtype=np.int64)
    return CriticalPath(path.tolist(), timeline.makespan, _transfer(timeline, path, padded[prior[path]]))


def _transfer(timeline: Timeline, path: Ints, ready: Floats) -> float:
    """What transfers add to the path: the lag of those it follows, and what they hold devices beyond that."""
    arrival = timeline.arrival[:, path]
    row = np.argmax(arrival, axis=0)
    latest = arrival.max(axis=0)
    held = tidy(timeline.slot_start[path] - np.maximum(ready, latest))
    return fsum((np.where(latest > ready, timeline.lag[row, path], 0.0) + held).tolist())


def slack(timeline: Timeline) -> Floats:
    """How much later each slot could end at the same makespan; float64[slots], 0 on the critical path.

    Where transfers are run, each is taken to last as long as it did.
    """
    durations = timeline.slot_end - timeline.slot_start
    order = run(timeline.schedule).order[::-1]
    to_the_end = end_times(order, links(timeline.schedule, timeline.lag, backwards=True), durations)
    return np.maximum(tidy(timeline.makespan - timeline.slot_start - to_the_end), 0.0)
