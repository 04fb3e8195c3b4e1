"""Running several schedules at one size."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pipesched.actions import Actions
from pipesched.analysis.report import Report, report
from pipesched.analysis.unbuilt import Unbuilt, measure_unbuilt
from pipesched.choices import Dialect, Equal
from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError, PipeschedWarning, ShapeError
from pipesched.formula import PP, TIME_SYMBOLS, Formula
from pipesched.generators import Choice, choose
from pipesched.generators.size import MANY, Size, check_fits
from pipesched.loaded import Given, plan_of
from pipesched.placement import Placement
from pipesched.progress import track
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.timeline import Timeline
from pipesched.words import count

#: The schedules that ``compare`` takes when none is named.
DEFAULT = ("gpipe", "1f1b", "zb1p", "dualpipe", "dualpipev")


class Entry(NamedTuple):
    """One row: a timeline with its report, or the reason why the schedule cannot run at this size.

    Instead of ``timeline`` there is ``unbuilt`` where that was wanted: see :func:`compare`.
    """

    name: str
    timeline: Timeline | None
    report: Report | None
    reason: str | None
    unbuilt: Unbuilt | None = None


def compare(
    schedules: Sequence[str | Choice | Given] = DEFAULT,
    *,
    pp: int = 8,
    mb: int | None = None,
    costs: CostModel | None = None,
    equal: Equal = "devices",
    free_at: str | float = "w",
    dialect: Dialect = "deepseek",
    timelines: bool = True,
    drawn: bool = False,
    least: int = MANY,
) -> list[Entry]:
    """Run every schedule, registered or given; ``mb`` None stands for 4 x pp.

    A registered one by name, with its choices if any: ``interleaved-1f1b,chunks=4``.

    Without ``timelines``, a registered schedule of ``least`` ops is measured without being built. With
    ``drawn``, for charts of all on one axis, then so are all others, where they can be; and none of millions
    of ops is built, if that cannot be done.
    A size that a schedule cannot run at is the entry's ``reason``. Raises
    :class:`UnknownScheduleError` and :class:`CostError`.
    """
    costs = costs or CostModel()
    entries = []
    microbatches = 4 * pp if mb is None else mb
    runs = [
        _Run(given, pp, microbatches, _stages_per_device(given), equal, costs, free_at, dialect)
        for given in map(_chosen, schedules)
    ]
    least = 0 if drawn and any(run.least_ops >= least for run in runs) else least
    listed = 0  # ops whose lists are kept
    for run in track(runs, "running schedules"):
        given, per_device = run.given, run.per_device
        try:
            unbuilt = None if timelines else run.unbuilt(least)
            if not unbuilt:
                run.check_fits(listed, drawn=drawn)
            timeline, measured = (None, unbuilt.report) if unbuilt else run.built(fixed=mb is not None)
        except (ShapeError, InvalidScheduleError) as error:
            entries.append(Entry(given.name, None, None, str(error)))
            continue
        listed += timeline.schedule.n_ops if timeline else 0
        if measured.bubble.formula and isinstance(given, Choice) and given.recipe.formula:
            printed = _in_terms_of_pp(given.recipe.formula, per_device, equal).text(dialect)
            formula = measured.bubble.formula._replace(text=printed)
            measured = measured._replace(bubble=measured.bubble._replace(formula=formula))
        entries.append(Entry(given.name, timeline, measured, None, unbuilt))
    return entries


def _chosen(given: str | Choice | Given) -> Choice | Schedule:
    """What to run: a registered schedule with its choices, or one with its compute alone."""
    if isinstance(given, str):
        return choose(given)
    if isinstance(given, Choice):
        return given
    plan = plan_of(given)
    return plan.schedule if isinstance(plan, Actions) else plan


def _stages_per_device(given: Choice | Schedule) -> Fraction:
    """Of one copy of the model."""
    placement = given.placement if isinstance(given, Schedule) else _small_placement(given)
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
    """One schedule at the size of the comparison."""

    given: Choice | Schedule
    pp: int
    mb: int
    per_device: Fraction
    equal: Equal
    costs: CostModel
    free_at: str | float
    dialect: Dialect

    def built(self, *, fixed: bool) -> tuple[Timeline, Report]:
        """From its lists; ``fixed`` says that a number of micro-batches was asked for."""
        if isinstance(self.given, Schedule):
            schedule = _fitting(self.given, self.pp, self.mb if fixed else None)
        else:
            schedule = self.given.generate(self._devices(self.given), self.mb)
        timeline = simulate(schedule, self._costs(schedule.stages))
        return timeline, report(timeline, self.free_at, dialect=self.dialect)

    def unbuilt(self, least: int) -> Unbuilt | None:
        """Without them, where there are ``least`` ops and it can be proved."""
        size = self._size()
        if size is None or size.least_ops < least:
            return None
        return measure_unbuilt(size, self._costs(size.stages), self.free_at, self.dialect)

    def check_fits(self, listed: int, *, drawn: bool) -> None:
        """Raise :class:`ShapeError` for lists that, with those ``listed``, do not fit, or cannot be drawn."""
        size = self._size()
        if size is None or size.least_ops + listed < MANY:
            return
        check_fits(size, "its lists are to be built")
        if drawn and size.least_ops >= MANY:
            raise ShapeError(
                f"{size.recipe.name} has {size.least_ops:,} ops at least, too many to draw, and no way was "
                "found to prove how its times repeat; give fewer micro-batches"
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
        if isinstance(self.given, Schedule):
            return None
        choice = self.given
        return Size.of(choice.recipe, self._devices(choice), self.mb, choice.chunks, dict(choice.options))

    def _costs(self, stages: int) -> CostModel:
        return self.costs if self.equal == "stages" else self.costs.resized(self.pp, stages)

    def _devices(self, choice: Choice) -> int:
        devices = self.pp / self.per_device if self.equal == "stages" else Fraction(self.pp)
        if devices.denominator > 1:
            raise ShapeError(
                f"{choice.name} has {self.per_device} stages per device, so {count(self.pp, 'stage')} cannot "
                f"be shared out evenly; give a --pp divisible by {self.per_device}"
            )
        return int(devices)


def _fitting(schedule: Schedule, pp: int, mb: int | None) -> Schedule:
    """A schedule of fixed size, if it has this one."""
    if schedule.devices != pp or mb not in (None, schedule.microbatches):
        raise ShapeError(f"{schedule.called} is fixed at {schedule.describe()}")
    return schedule


def _in_terms_of_pp(formula: Formula, per_device: Fraction, equal: Equal) -> Formula:
    """The formula with PP for ``--pp`` and times per 1/PP of the model, whatever the stages per device."""
    share = 1 / per_device
    new = (
        {"PP": PP * share}
        if equal == "stages"
        else {name: time * share for name, time in TIME_SYMBOLS.items()}
    )
    return Formula(formula.expr.substituted(new))
