"""Measures of a schedule that grew by any number of periods, in exact arithmetic: no list is built."""

import numpy as np

from pipesched.analysis.bubble import Bubble, Gaps, tidy
from pipesched.analysis.memory import memory
from pipesched.analysis.report import Peaks
from pipesched.analysis.waits import GapList
from pipesched.ops import Kind, Op
from pipesched.schedule import Schedule
from pipesched.simulate.growth import Growth
from pipesched.simulate.tracks import tracks
from pipesched.timeline import Floats, Timeline


def no_gaps(schedule: Schedule) -> GapList:
    """Idle intervals are not listed."""
    whole, time = np.zeros(0, dtype=np.int64), np.zeros(0)
    return GapList(schedule, Gaps(whole, time, time, whole, whole, time))


def busy(found: Growth, periods: int) -> Floats:
    """Time that each device works, float64[P]."""
    few, more = (np.rint(timeline.busy * found.ticks) for timeline in (found.few, found.more))
    busy: Floats = (few + periods * (more - few)) / found.ticks
    return busy


def spans(found: Growth, periods: int) -> tuple[Floats, Floats] | None:
    """Each device's first start and last end, float64[P]."""
    edges = found.edges()
    if edges is None:
        return None
    schedule = found.few.schedule
    start = np.rint(found.few.slot_start[schedule.first_slot[:-1]] * found.ticks) + periods * edges[0]
    end = found.end[schedule.first_slot[1:] - 1] + periods * edges[1]
    return start / found.ticks, end / found.ticks


def causes(measured: Bubble, start: Floats, end: Floats, makespan: float, moved: Floats) -> Floats:
    """As :func:`pipesched.analysis.bubble.idle_by_cause`: start-up, inside, drain, transfer."""
    return tidy(np.stack((start, measured.span_idle, makespan - end, moved)))


def transfer(found: Growth, periods: int) -> Floats | None:
    """For how long each device waits for something on its way; None where that changes from wait to wait.

    A wait takes min(wait, latency) for it. Waits never get shorter, so what is the same after one period
    is the same after all.
    """
    few, more = (_moved(timeline) for timeline in (found.few, found.more))
    ops, lead = found.ops, found.lead
    for counted, to in ((ops.starting, ops.same), (ops.finishing, ops.later)):
        slots = np.flatnonzero(counted[lead])
        if not np.array_equal(few[slots], more[found.more.schedule.slot[to[lead[slots]]]]):
            return None
    sums = [
        np.rint(np.bincount(timeline.schedule.slot_device, each) * found.ticks)
        for timeline, each in ((found.few, few), (found.more, more))
    ]
    moved: Floats = (sums[0] + periods * (sums[1] - sums[0])) / found.ticks
    return moved


def _moved(timeline: Timeline) -> Floats:
    """For how long each slot waits for something on its way, float64[slots]."""
    before = np.append(0.0, timeline.slot_end[:-1])
    before[timeline.schedule.first_slot[:-1]] = 0.0
    moved: Floats = np.round(np.minimum(timeline.slot_start - before, timeline.costs.latency), 9)
    return moved


def forwards(schedule: Schedule) -> Floats:
    """Forwards per device and chunk, float64[P, chunks]."""
    sizes = tracks(schedule).sizes.reshape(schedule.devices, -1, len(Kind))
    return sizes[:, :, Kind.F].astype(np.float64)


def peaks(found: Growth, periods: int, free_at: str | float) -> Peaks:
    """The largest level is at an op counted from the start or from the end: between, levels are linear."""
    few, more, ops = found.few.schedule, found.more.schedule, found.ops
    during = [memory(schedule, free_at).during for schedule in (few, more)]
    place = [np.arange(each.n_ops) - each.first[each.device] for each in (few, more)]
    candidates = []
    for counted, to, gain in (
        (ops.starting, ops.same, found.begin),
        (ops.finishing, ops.later, found.finish),
    ):
        at = np.flatnonzero(counted)
        level, stands, microbatch = (
            a[at] + periods * (b[to[at]] - a[at])
            for a, b in (during, place, (few.microbatch.astype(np.int64), more.microbatch.astype(np.int64)))
        )
        start = np.rint(found.few.slot_start * found.ticks) + periods * gain
        candidates.append((np.round(level, 9), stands, microbatch, start[few.slot[at]], at))
    columns = [np.concatenate(column) for column in zip(*candidates, strict=True)]
    levels, places, numbers, starts, ops_at = columns
    device = few.device[ops_at]
    order = np.lexsort((places, -levels, device))
    best = order[np.searchsorted(device[order], np.arange(few.devices))]
    first = ops_at[best]
    named = [column[first].tolist() for column in (few.kind, few.stage)]
    names = [
        str(Op(Kind(kind), stage, number))
        for kind, stage, number in zip(*named, numbers[best].tolist(), strict=True)
    ]
    return Peaks(levels[best], starts[best] / found.ticks, names)
