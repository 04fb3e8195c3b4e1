"""The report of a schedule too large to build, from three small ones of its family.

Their lists and times must show how one period more is worked in (:mod:`pipesched.simulate.growth`): then
every measure here is what the full lists would give, to the last digit.
"""

from collections.abc import Iterator
from typing import NamedTuple

from pipesched.analysis import continued
from pipesched.analysis.bound import bound
from pipesched.analysis.bubble import bubble_of
from pipesched.analysis.closed_form import setting
from pipesched.analysis.report import (
    CriticalPathReport,
    Report,
    bubble_report,
    costs_as_json,
    memory_report,
)
from pipesched.choices import Dialect
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators.size import Size, check_fits
from pipesched.program import Pipeline
from pipesched.schedule import Schedule
from pipesched.simulate import simulate, slot_durations
from pipesched.simulate.compute import ticks_per_unit
from pipesched.simulate.growth import Growth, growth
from pipesched.simulate.long import LongTimeline


class Unbuilt(NamedTuple):
    """What is known of a schedule that was not built; ``listed`` of the report is False."""

    timeline: LongTimeline
    report: Report


def measure_unbuilt(
    size: Size, costs: CostModel, free_at: str | float = "w", dialect: Dialect = "deepseek"
) -> Unbuilt | None:
    """The timeline, and the report without gaps and slots of the critical path; None if unproved.

    Raises :class:`ShapeError` where the lists would not fit either.
    """
    for few, step in _sizes(size.pipeline):
        found = _grown(size, costs, few, step)
        if found is not None:
            timeline = LongTimeline(found, (size.pipeline.microbatches - few) // step)
            if timeline.makespan * found.ticks >= 2**53:
                break  # beyond what floats count exactly
            measured = _report(size, found, timeline.periods, free_at, dialect)
            if measured is not None:
                return Unbuilt(timeline, measured)
    check_fits(size, "no way was found to prove how its times repeat")
    return None


def _sizes(p: Pipeline) -> Iterator[tuple[int, int]]:
    """Micro-batches of the smallest of three schedules, and of a period; small ones first."""
    for rounds in (3, 6, 12):
        for step in dict.fromkeys((1, 2, max(p.devices // 2, 1), p.devices, 2 * p.devices)):
            least = rounds * max(p.devices, 4) + 4 * step
            few = least + (p.microbatches - least) % step
            if few + 2 * step < p.microbatches:
                yield few, step


def _grown(size: Size, costs: CostModel, few: int, step: int) -> Growth | None:
    """How the family grows: from the first two, and from the second and third alike."""
    try:
        schedules = [size.with_microbatches(few + i * step) for i in range(3)]
    except ShapeError:
        return None
    durations = slot_durations(schedules[0], costs)
    ticks = ticks_per_unit(durations, costs.latency)
    if not ticks:
        return None
    if not durations.min() > 0 and not _growths(schedules, _EVEN, 1):
        return None  # where nothing takes time, times alone do not prove that all sizes run to their end
    return _growths(schedules, costs, ticks)


_EVEN = CostModel(F=1, B=1, I=1, W=1)


def _growths(schedules: list[Schedule], costs: CostModel, ticks: int) -> Growth | None:
    a, b, c = (simulate(schedule, costs) for schedule in schedules)
    found = growth(a, b, ticks)
    return found if found and growth(b, c, ticks) else None


def _report(size: Size, found: Growth, periods: int, free_at: str | float, dialect: Dialect) -> Report | None:
    few, more, costs = found.few.schedule, found.more.schedule, found.few.costs
    recipe, pipeline = size.recipe, size.pipeline
    spans, moved = continued.spans(found, periods), continued.transfer(found, periods)
    if spans is None or moved is None:
        return None
    start, end = spans
    makespan = float(end.max())
    measured = bubble_of(continued.busy(found, periods), start, end, makespan)
    small = setting(found.few, dialect)
    given = small._replace(values={**small.values, "MB": float(pipeline.microbatches)})
    causes = continued.causes(measured, start, end, makespan, moved)
    peaks = continued.peaks(found, periods, free_at)
    counts = continued.forwards(few) + periods * (continued.forwards(more) - continued.forwards(few))
    return Report(
        schedule=recipe.name,
        devices=pipeline.devices,
        stages=few.stages,
        microbatches=pipeline.microbatches,
        unit=costs.unit,
        costs=costs_as_json(costs),
        ops=few.n_ops + periods * (more.n_ops - few.n_ops),
        slots=few.n_slots + periods * (more.n_slots - few.n_slots),
        makespan=makespan,
        bubble=bubble_report(measured, causes, continued.no_gaps(few), recipe, given),
        memory=memory_report(peaks, few.placement, free_at, recipe, given),
        critical_path=CriticalPathReport(makespan, [], None if costs.latency else 0.0),
        bound=bound(few, costs, counts, makespan),
        listed=False,
    )
