"""Times of the compute alone: a longest path over slots."""

from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from pipesched._kernel import Links, end_times
from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError
from pipesched.schedule import Schedule
from pipesched.simulate.repetition import repeated
from pipesched.timeline import Floats, Timeline
from pipesched.validate import check
from pipesched.validate.deadlock import explain, run

#: Finest grid of time on which sums are made exact; beyond it they are plain float64.
_FINEST = 10**9


def compute(schedule: Schedule, costs: CostModel) -> Timeline:
    """See :func:`pipesched.simulate.simulate`; O(N)."""
    check(schedule)
    durations = slot_durations(schedule, costs)
    lag = np.zeros(schedule.awaited.shape)  # memory that nobody touches costs nothing
    if costs.latency:
        lag[schedule.awaited < schedule.n_slots] = costs.latency
    ticks = ticks_per_unit(durations, costs.latency)
    times, graph = durations, links(schedule, lag)
    ends = None
    if ticks:
        times, graph = _in_ticks(durations, ticks), graph._replace(lag=_in_ticks(lag, ticks))
        ends = repeated(schedule, graph, times, lambda few: _in_ticks(compute(few, costs).slot_end, ticks))
    if ends is None:
        ends = end_times(_order(schedule), graph, times)
    starts = ends - times if ticks else graph.starts(ends)  # whole ticks are exact
    if ticks and ticks > 1:
        starts, ends = starts / ticks, ends / ticks
    return Timeline(schedule, costs, starts, ends, lag)


def _in_ticks(times: Floats, ticks: int) -> Floats:
    return times if ticks == 1 else np.rint(times * ticks)


def check_runs(plan: Schedule | Actions) -> list[int]:
    """An order in which all slots can run; :class:`InvalidScheduleError` says why there is none."""
    check(plan)
    return _order(plan.schedule if isinstance(plan, Actions) else plan)


def _order(schedule: Schedule) -> list[int]:
    ran = run(schedule)
    for violation in explain(schedule, ran):
        raise InvalidScheduleError(f"{schedule.called} cannot run: {violation.message}")
    return ran.order


def slot_durations(schedule: Schedule, costs: CostModel) -> Floats:
    """How long each slot takes, float64[slots]."""
    stages = schedule.stages
    table = costs.per_stage(stages)
    first = schedule.slot_op[:-1]
    duration: Floats = table[schedule.kind[first], schedule.stage[first]]
    forward = first[schedule.paired]
    pairs = costs.pair_times(schedule.stage[forward], schedule.stage[forward + 1], stages)
    duration[schedule.paired] = pairs
    return duration


def links(schedule: Schedule, lag: Floats, *, backwards: bool = False) -> Links:
    """The graph of slots for the kernel; ``backwards`` with every arrow turned round."""
    n = schedule.n_slots
    before = np.arange(n, dtype=np.int64) + (1 if backwards else -1)
    edges = schedule.first_slot[1:] - 1 if backwards else schedule.first_slot[:-1]
    before[edges[np.diff(schedule.first_slot) > 0]] = n
    need, late = _reversed(schedule, lag) if backwards else (schedule.awaited, lag)
    return Links(before, need, late)


def _reversed(schedule: Schedule, lag: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """Who awaits each slot, in the same form: every op is awaited by at most one on another device."""
    n = schedule.n_slots
    need, late = np.full((2, n), n, dtype=np.int64), np.zeros((2, n))
    row, consumer = np.nonzero(schedule.awaited < n)
    needed = schedule.awaited[row, consumer]
    order = np.argsort(needed, kind="stable")
    row, consumer, needed = row[order], consumer[order], needed[order]
    second = np.diff(needed, prepend=-1) == 0
    need[second.astype(np.int64), needed] = consumer
    late[second.astype(np.int64), needed] = lag[row, consumer]
    return need, late


def ticks_per_unit(durations: Floats, latency: float) -> int | None:
    """Ticks per unit of time so that every time is a whole number of them, or None."""
    ticks = 1
    ordered = np.sort(durations)  # np.unique takes five times as long, or loads numpy.ma
    distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]]
    for time in {latency, *distinct.tolist()}:
        ticks = lcm(ticks, Fraction(repr(time)).denominator)
        if ticks > _FINEST:
            return None
    total = float(durations.sum()) + latency * len(durations)
    return ticks if total * ticks < 2**53 else None
