"""Running several schedules at one size."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pipesched.actions import Actions
from pipesched.analysis.cap import over_cap, peaks_over_cap
from pipesched.analysis.report import Report, report
from pipesched.analysis.unbuilt import Unbuilt, measure_unbuilt
from pipesched.choices import Dialect, Equal, Recv
from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError, PipeschedWarning, ShapeError
from pipesched.formula import PP, TIME_SYMBOLS, Formula
from pipesched.generators import Choice, choose
from pipesched.generators.size import MANY, Size, check_fits
from pipesched.loaded import Given, Plan, plan_of, schedule_of
from pipesched.placement import Placement
from pipesched.progress import track
from pipesched.simulate import simulate
from pipesched.timeline import Timeline
from pipesched.validate.violation import Violation
from pipesched.words import count

if TYPE_CHECKING:
    from pipesched.simulate.long import LongTimeline
    from pipesched.transport import Transport

#: The schedules that ``compare`` takes when none is named.
DEFAULT = ("gpipe", "1f1b", "zb1p", "dualpipe", "dualpipev")


class Terms(NamedTuple):
    """What schedules are compared at; see :func:`compare`."""

    pp: int = 8
    mb: int | None = None
    costs: CostModel = CostModel()
    equal: Equal = "devices"
    free_at: str | float = "w"
    dialect: Dialect = "deepseek"
    transport: "Transport | None" = None
    recv: Recv = "early"
    memory_cap: tuple[float, ...] | None = None

    @property
    def microbatches(self) -> int:
        """As asked for, or 4 x pp."""
        return 4 * self.pp if self.mb is None else self.mb


class Entry(NamedTuple):
    """One row: a timeline with its report, or the reason why the schedule cannot run at this size.

    Instead of ``timeline`` there is ``unbuilt`` where that was wanted: see :func:`run_all`. ``over_cap`` says
    which devices hold more than a memory cap, and is None where there is none.
    """

    name: str
    timeline: Timeline | None
    report: Report | None
    reason: str | None
    unbuilt: Unbuilt | None = None
    over_cap: tuple[Violation, ...] | None = None

    @property
    def drawable(self) -> "Timeline | LongTimeline | None":
        """The timeline, built or not."""
        return self.unbuilt.timeline if self.unbuilt else self.timeline

    @property
    def refusal(self) -> str | None:
        """Why it cannot run, in a sentence."""
        return None if self.reason is None else f"{self.name} cannot run here: {self.reason}"


def compare(
    schedules: Sequence[str | Choice | Given] = DEFAULT,
    *,
    pp: int = 8,
    mb: int | None = None,
    costs: CostModel | None = None,
    equal: Equal = "devices",
    free_at: str | float = "w",
    dialect: Dialect = "deepseek",
    transport: "Transport | None" = None,
    recv: Recv = "early",
    memory_cap: float | Sequence[float] | None = None,
    timelines: bool = True,
) -> list[Entry]:
    """Run every schedule, registered or given; ``mb`` None stands for 4 x pp.

    A registered one by name, with its choices if any: ``interleaved-1f1b,chunks=4``. ``costs`` are per 1/pp
    of the model. With ``transport``, transfers are run, too: those of the lists, or where there are none,
    those of :func:`pipesched.transfers.lower`, with receives where ``recv`` says. ``memory_cap`` is what a
    device has room for, one number or one per device, in activations of one micro-batch on 1/pp of the model.

    A size that a schedule cannot run at is the entry's ``reason``. Without ``timelines``, registered
    schedules of millions of ops are measured without being built, where they can be. Raises
    :class:`UnknownScheduleError` and :class:`CostError`.
    """
    caps = None if memory_cap is None else tuple(np.atleast_1d(memory_cap).tolist())
    terms = Terms(pp, mb, costs or CostModel(), equal, free_at, dialect, transport, recv, caps)
    return run_all(schedules, terms, timelines=timelines)


def run_all(
    schedules: Sequence[str | Choice | Given],
    terms: Terms,
    *,
    timelines: bool = True,
    drawn: bool = False,
    least: int = MANY,
) -> list[Entry]:
    """As :func:`compare`.

    Without ``timelines``, a registered schedule of ``least`` ops is measured without being built. With
    ``drawn``, for charts of all on one axis, then so are all others, where they can be; and none of millions
    of ops is built, if that cannot be done.
    """
    entries = []
    runs = [_Run(given, _stages_per_device(given), terms) for given in map(_chosen, schedules)]
    least = 0 if drawn and any(each.least_ops >= least for each in runs) else least
    listed = 0  # ops whose lists are kept
    for each in track(runs, "running schedules"):
        name = each.given.name
        try:
            unbuilt = None if timelines else each.unbuilt(least)
            if not unbuilt:
                each.check_fits(listed, drawn=drawn)
            timeline, measured = (None, unbuilt.report) if unbuilt else each.built()
        except (ShapeError, InvalidScheduleError) as error:
            entries.append(Entry(name, None, None, str(error)))
            continue
        listed += timeline.schedule.n_ops if timeline else 0
        over = each.over_cap(timeline, measured)
        entries.append(Entry(name, timeline, each.in_terms_of_pp(measured), None, unbuilt, over))
    return entries


def _chosen(given: str | Choice | Given) -> Choice | Plan:
    """What to run: a registered schedule with its choices, or lists."""
    if isinstance(given, str):
        return choose(given)
    return given if isinstance(given, Choice) else plan_of(given)


def _stages_per_device(given: Choice | Plan) -> Fraction:
    """Of one copy of the model."""
    placement = _small_placement(given) if isinstance(given, Choice) else schedule_of(given).placement
    return Fraction(placement.n_stages, max(placement.devices, 1))


def _small_placement(choice: Choice) -> Placement:
    """On two devices; options may change it (waves), or not fit there (a group), and then do not."""
    try:
        with warnings.catch_warnings():  # of groups that are slow: not here
            warnings.simplefilter("ignore", PipeschedWarning)
            return choice.generate(2).placement
    except ShapeError:
        return choice.recipe.placement(2, choice.chunks or choice.recipe.chunks)


@dataclass(frozen=True)
class _Run:
    """One schedule at the terms of the comparison."""

    given: Choice | Plan
    per_device: Fraction
    terms: Terms

    def built(self) -> tuple[Timeline, Report]:
        """From its lists."""
        terms = self.terms
        if isinstance(self.given, Choice):
            plan: Plan = self.given.generate(self._devices(self.given), terms.microbatches)
        else:
            plan = _fitting(self.given, terms.pp, terms.mb)
        if terms.transport is not None and not (isinstance(plan, Actions) and plan.has_transfers):
            from pipesched.transfers import lower  # noqa: PLC0415  only when asked for

            plan = lower(plan, terms.recv, reduce_grad=False)
        timeline = simulate(plan, self._costs(schedule_of(plan).stages), terms.transport)
        return timeline, report(timeline, terms.free_at, dialect=terms.dialect)

    def unbuilt(self, least: int) -> Unbuilt | None:
        """Without them, where there are ``least`` ops and it can be proved; not with transfers."""
        size = self._size()
        if size is None or size.least_ops < least or self.terms.transport is not None:
            return None
        return measure_unbuilt(size, self._costs(size.stages), self.terms.free_at, self.terms.dialect)

    def in_terms_of_pp(self, measured: Report) -> Report:
        """With the published formula printed for the PP and the times of the comparison."""
        known = self.given.recipe.formula if isinstance(self.given, Choice) else None
        if known is None or measured.bubble.formula is None:
            return measured
        printed = _in_terms_of_pp(known, self.per_device, self.terms.equal).text(self.terms.dialect)
        formula = measured.bubble.formula._replace(text=printed)
        return measured._replace(bubble=measured.bubble._replace(formula=formula))

    def over_cap(self, timeline: Timeline | None, measured: Report) -> tuple[Violation, ...] | None:
        """What is over the memory cap, if there is one: where it was not built, at the peaks."""
        caps, pp = self.terms.memory_cap, self.terms.pp
        if caps is None:
            return None
        if timeline is None:
            return tuple(peaks_over_cap(measured, caps, pp))
        return tuple(over_cap(timeline, caps, self.terms.free_at, pp))

    def check_fits(self, listed: int, *, drawn: bool) -> None:
        """Raise :class:`ShapeError` for lists that, with those ``listed``, do not fit, or cannot be drawn."""
        size = self._size()
        if size is None or size.least_ops + listed < MANY:
            return
        check_fits(size, "its lists are to be built")
        if drawn and size.least_ops >= MANY:
            proved = "no way was found to prove how its times repeat"
            why = proved if self.terms.transport is None else "with transfers every op is run"
            raise ShapeError(
                f"{size.recipe.name} has {size.least_ops:,} ops at least, too many to draw, and {why}; "
                "give fewer micro-batches"
            )

    @property
    def least_ops(self) -> int:
        """Of a registered schedule, 0 where it cannot run."""
        try:
            size = self._size()
        except ShapeError:
            return 0
        return 0 if size is None else size.least_ops

    def _size(self) -> Size | None:
        """None for lists that there are already."""
        if not isinstance(self.given, Choice):
            return None
        choice, devices = self.given, self._devices(self.given)
        return Size.of(choice.recipe, devices, self.terms.microbatches, choice.chunks, dict(choice.options))

    def _costs(self, stages: int) -> CostModel:
        terms = self.terms
        return terms.costs if terms.equal == "stages" else terms.costs.resized(terms.pp, stages)

    def _devices(self, choice: Choice) -> int:
        pp = self.terms.pp
        devices = pp / self.per_device if self.terms.equal == "stages" else Fraction(pp)
        if devices.denominator > 1:
            raise ShapeError(
                f"{choice.name} has {self.per_device} stages per device, so {count(pp, 'stage')} cannot "
                f"be shared out evenly; give a --pp divisible by {self.per_device}"
            )
        return int(devices)


def _fitting(plan: Plan, pp: int, mb: int | None) -> Plan:
    """Lists of a fixed size, if they have this one."""
    schedule = schedule_of(plan)
    if schedule.devices != pp or mb not in (None, schedule.microbatches):
        raise ShapeError(f"{schedule.called} is fixed at {schedule.describe()}")
    return plan


def _in_terms_of_pp(formula: Formula, per_device: Fraction, equal: Equal) -> Formula:
    """The formula with PP for ``--pp`` and times per 1/PP of the model, whatever the stages per device."""
    share = 1 / per_device
    new = (
        {"PP": PP * share}
        if equal == "stages"
        else {name: time * share for name, time in TIME_SYMBOLS.items()}
    )
    return Formula(formula.expr.substituted(new))
