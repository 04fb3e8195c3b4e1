"""All measures of one schedule as one document: what ``analyze --json`` prints.

The keys are a contract (docs/formats.md); lists have one entry per device unless they say otherwise.
"""

from typing import Any, NamedTuple

import numpy as np

from pipesched.analysis.bound import Bound, least_makespan
from pipesched.analysis.bubble import Bubble, bubble, gaps, idle_by_cause
from pipesched.analysis.closed_form import ClosedForm, Setting, closed_form, setting
from pipesched.analysis.critical import critical_path
from pipesched.analysis.memory import freed_at_input, memory
from pipesched.analysis.plain import plain
from pipesched.analysis.waits import GapList
from pipesched.choices import Dialect
from pipesched.costs import CostModel
from pipesched.errors import UnknownScheduleError
from pipesched.generators import Recipe, find
from pipesched.loaded import Given
from pipesched.placement import Placement
from pipesched.schedule import describe
from pipesched.simulate import simulate
from pipesched.timeline import Floats, Timeline

PerStage = float | list[float]


class Causes(NamedTuple):
    """Idle time by where it stands; ``transfer`` is a part of start-up and inside, not on top."""

    startup: list[float]
    inside: list[float]
    drain: list[float]
    transfer: list[float]


class BubbleReport(NamedTuple):
    """Idle time; times in the cost model's unit, rates as fractions of 1."""

    rate: float
    ideal_ratio: float
    idle: list[float]
    span_rate: float
    span_idle: list[float]
    formula: ClosedForm | None  # as published, for the idle time of a device
    general: ClosedForm | None  # another one, exact where the published one is not
    span_formula: ClosedForm | None  # for the idle time within the longest span
    span_average: float
    busy: list[float]
    causes: Causes
    gaps: GapList  # Gap by Gap, made when looked at


class MemoryReport(NamedTuple):
    """Activations in units of one micro-batch on one stage; ``peak_model_share`` in whole models."""

    free_at: str | float
    peak_activations: list[float]
    peak_model_share: list[float]
    stages: list[list[int]]
    model_copies: float
    peak_time: list[float]
    peak_op: list[str]
    formula: ClosedForm | None  # for peak_activations, freed at W


class CriticalPathReport(NamedTuple):
    """The chain of slots that fixes the makespan; ``transfer`` is the part of it spent on transfers.

    Where slots are not listed, it is known for latency 0 only.
    """

    length: float
    ops: list[str]
    transfer: float | None


class Report(NamedTuple):
    """Every measure of one schedule under one cost model."""

    schedule: str
    devices: int
    stages: int
    microbatches: int
    unit: str
    costs: dict[str, PerStage | None]
    ops: int
    slots: int
    makespan: float
    bubble: BubbleReport
    memory: MemoryReport
    critical_path: CriticalPathReport
    bound: Bound  # the least makespan that any order could have here
    listed: bool = True  # whether gaps and the slots of the critical path are; not beyond some millions

    def __repr__(self) -> str:
        size = describe(self.devices, self.stages, self.microbatches)
        measured = f"makespan {self.makespan:g} {self.unit}, bubble rate {self.bubble.rate:.2%}"
        return f"<Report {self.schedule!r}: {size}, {measured}>"

    def as_dict(self) -> dict[str, Any]:
        """The JSON object."""
        return plain(self)  # type: ignore[no-any-return]


def analyze(
    schedule: Given,
    costs: CostModel | None = None,
    *,
    free_at: str | float = "w",
    dialect: Dialect = "deepseek",
) -> Report:
    """Simulate and measure. Raises what :func:`pipesched.simulate.simulate` does."""
    return report(simulate(schedule, costs), free_at, dialect=dialect)


def report(timeline: Timeline, free_at: str | float = "w", *, dialect: Dialect = "deepseek") -> Report:
    """Measure a timeline; formulas are those of the registered schedule of this name."""
    schedule, costs = timeline.schedule, timeline.costs
    path = critical_path(timeline)
    recipe, given = registered(schedule.name), setting(timeline, dialect)
    return Report(
        schedule=schedule.name,
        devices=schedule.devices,
        stages=schedule.stages,
        microbatches=schedule.microbatches,
        unit=costs.unit,
        costs=costs_as_json(costs),
        ops=schedule.n_ops,
        slots=schedule.n_slots,
        makespan=timeline.makespan,
        bubble=_bubble(timeline, recipe, given),
        memory=_memory(timeline, free_at, recipe, given),
        critical_path=CriticalPathReport(
            length=path.length,
            ops=schedule.slot_texts(np.array(path.slots, dtype=np.int64)),
            transfer=path.transfer,
        ),
        bound=least_makespan(timeline),
    )


def registered(name: str) -> Recipe | None:
    """The registered schedule of exactly this name, or None."""
    try:
        recipe = find(name)
    except UnknownScheduleError:
        return None
    return recipe if recipe.name == name else None


def costs_as_json(costs: CostModel) -> dict[str, Any]:
    """F, B, I, W, FB, latency as numbers or lists; FB is null where a pair takes F + B, stage by stage."""
    dumped = costs.as_dict()
    del dumped["unit"]
    if costs.FB is None and costs.uniform:
        dumped["FB"] = costs.values()["FB"]
    return dumped


def _bubble(timeline: Timeline, recipe: Recipe | None, given: Setting) -> BubbleReport:
    found = gaps(timeline)
    causes = idle_by_cause(found, timeline.schedule.devices)
    return bubble_report(bubble(timeline), causes, GapList(timeline.schedule, found), recipe, given)


def bubble_report(
    measured: Bubble,
    causes: Floats,
    listed: GapList,
    recipe: Recipe | None,
    given: Setting,
) -> BubbleReport:
    """What was measured beside the closed formulas; ``causes`` are those of :func:`idle_by_cause`."""
    published = (recipe.formula,) if recipe and recipe.formula else ()
    formula = closed_form(published, given, measured.idle)
    general = closed_form(recipe.general if recipe else (), given, measured.idle)
    span = closed_form(recipe.span if recipe else (), given, float(measured.span_idle.max()))
    startup, inside, drain, transfer = causes.tolist()
    return BubbleReport(
        rate=measured.rate,
        ideal_ratio=measured.ideal_ratio,
        idle=measured.idle.tolist(),
        span_rate=measured.span_rate,
        span_idle=measured.span_idle.tolist(),
        formula=formula,
        general=general if not (formula and formula.exact) else None,
        span_formula=span,
        span_average=measured.span_average,
        busy=measured.busy.tolist(),
        causes=Causes(startup=startup, inside=inside, drain=drain, transfer=transfer),
        gaps=listed,
    )


def _memory(timeline: Timeline, free_at: str | float, recipe: Recipe | None, given: Setting) -> MemoryReport:
    schedule = timeline.schedule
    held = memory(schedule, free_at)
    peaks = Peaks(
        held.peak, timeline.start[held.peak_op], [str(schedule.op(op)) for op in held.peak_op.tolist()]
    )
    return memory_report(peaks, schedule.placement, free_at, recipe, given)


class Peaks(NamedTuple):
    """Of each device: its most activations, when first and at which op; float64[P] twice, and P texts."""

    activations: Floats
    time: Floats
    op: list[str]


def memory_report(
    peaks: Peaks,
    placement: Placement,
    free_at: str | float,
    recipe: Recipe | None,
    given: Setting,
) -> MemoryReport:
    """What was measured beside the closed formula."""
    fraction = freed_at_input(free_at)
    formulas = recipe.peak if recipe and fraction == 0 else ()
    return MemoryReport(
        free_at={0.0: "w", 1.0: "i"}.get(fraction, fraction),
        peak_activations=peaks.activations.tolist(),
        peak_model_share=np.round(peaks.activations / placement.n_stages, 9).tolist(),
        stages=[list(stages) for stages in placement.stages],
        model_copies=placement.copies,
        peak_time=peaks.time.tolist(),
        peak_op=peaks.op,
        formula=closed_form(formulas, given, peaks.activations),
    )
