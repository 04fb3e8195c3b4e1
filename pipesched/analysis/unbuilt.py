"""The report of a schedule too large to build, from three small ones of its family.

Their lists and times must show how one period more is worked in (:mod:`pipesched.simulate.growth`): then
every measure here is what the full lists would give, to the last digit.
"""

import os
import warnings
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
from pipesched.errors import PipeschedWarning, ShapeError
from pipesched.generators import Recipe
from pipesched.program import Pipeline
from pipesched.schedule import Schedule
from pipesched.simulate import simulate, slot_durations
from pipesched.simulate.compute import ticks_per_unit
from pipesched.simulate.growth import Growth, growth
from pipesched.simulate.long import LongTimeline
from pipesched.words import count

#: From so many ops on, lists are not built if they need not be.
MANY = 4_000_000
#: What an op takes in memory, in bytes, until its schedule is measured.
_PER_OP = 500


class Size(NamedTuple):
    """A recipe and what it is asked for, checked to be legal."""

    recipe: Recipe
    pipeline: Pipeline
    options: dict[str, int]

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        devices: int,
        microbatches: int | None,
        chunks: int | None,
        options: dict[str, int],
    ) -> "Size":
        """Raises :class:`ShapeError` as :meth:`Recipe.generate` does."""
        return cls(recipe, recipe.pipeline(devices, microbatches, chunks, **options), options)

    @property
    def stages(self) -> int:
        """Number of stages, S."""
        return self.recipe.placement(self.pipeline.devices, self.pipeline.chunks).n_stages

    @property
    def least_ops(self) -> int:
        """A forward and a backward for every stage and micro-batch."""
        return 2 * self.stages * self.pipeline.microbatches

    def with_microbatches(self, microbatches: int) -> Schedule:
        """The schedule of another size, without its warnings."""
        p = self.pipeline
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PipeschedWarning)
            return self.recipe.generate(p.devices, microbatches, p.chunks, **self.options)


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


def check_fits(size: Size, why: str) -> None:
    """Raise :class:`ShapeError` where the lists do not fit in memory; ``why`` says why they are needed."""
    fits = _fitting(size)
    if fits < size.pipeline.microbatches:
        raise ShapeError(
            f"{size.recipe.name} with {size.pipeline.microbatches} micro-batches on "
            f"{count(size.pipeline.devices, 'device')} does not fit in memory, and {why}; "
            f"the largest size that fits is --mb {fits}"
        )


def _fitting(size: Size) -> int:
    """So many micro-batches fit in the memory of this machine; a legal number."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") if hasattr(os, "sysconf") else 2**31
    most = max(int(free / _PER_OP / (size.least_ops / size.pipeline.microbatches)), 1)
    for microbatches in range(most, max(most - 4 * size.pipeline.devices - 2, 0), -1):
        try:
            size.recipe.pipeline(size.pipeline.devices, microbatches, size.pipeline.chunks, **size.options)
        except ShapeError:
            continue
        return microbatches
    return most


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
