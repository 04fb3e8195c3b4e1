"""What ``compare`` and ``report`` share: running the comparison that the command line asks for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict

from pipesched.actions import Actions
from pipesched.choices import Dialect, Equal
from pipesched.cli.costs import cost_model
from pipesched.cli.options import Problem
from pipesched.cli.progress import progress
from pipesched.cli.source import is_file, resolve, schedule_options
from pipesched.compare import DEFAULT, Entry, compare, table
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import Choice, choose
from pipesched.generators.size import MANY
from pipesched.render.text.table import Table
from pipesched.schedule import Schedule


@dataclass(frozen=True)
class Compared:
    """The entries and their table; ``pp`` is of how many parts of the model the costs are."""

    entries: list[Entry]
    table: Table
    equal: Equal
    pp: int

    def objects(self) -> list[dict[str, Any]]:
        """``compare --json``: reports, or the reason why one cannot run."""
        return [
            {**entry.report.as_dict(), "equal": self.equal}
            if entry.report
            else {"schedule": entry.name, "equal": self.equal, "error": entry.reason}
            for entry in self.entries
        ]


def compared(
    names: list[str] | None,
    problem: Problem,
    equal: Equal,
    extra: list[str] | None = None,
    *,
    timelines: bool = True,
    drawn: bool = False,
    least: int = MANY,
) -> Compared:
    """Run it; see :func:`pipesched.compare.compare`. ``extra`` are options of schedules: ``--group 4``.

    Raises :class:`ShapeError` where no schedule can run at all, or none has an option that is given.
    """
    options = schedule_options(extra or [])
    plans = [_given(name, problem, options) for name in names or DEFAULT]
    _refuse_unused(plans, problem.chunks, options)
    given = [plan.schedule if isinstance(plan, Actions) else plan for plan in plans]
    sizes = {each.devices for each in given if isinstance(each, Schedule)}
    pp = problem.pp if problem.pp is not None else sizes.pop() if len(sizes) == 1 else 8
    fixed = {each.microbatches for each in given if isinstance(each, Schedule)}
    mb = problem.mb if problem.mb is not None else fixed.pop() if len(fixed) == 1 else None
    costs = cost_model(problem)
    common: _Common = {"pp": pp, "mb": mb, "costs": costs, "equal": equal, "dialect": problem.dialect}
    with progress("running schedules"):
        entries = compare(
            given, free_at=problem.free_at, timelines=timelines, drawn=drawn, least=least, **common
        )
    entries = [_whole(entry, plan) for entry, plan in zip(entries, plans, strict=True)]
    if not any(entry.report for entry in entries):
        rest = f" (and {len(entries) - 1} more cannot run either)" if len(entries) > 1 else ""
        raise ShapeError(f"{entries[0].reason}{rest}")
    return Compared(entries, table(entries, **common), equal, pp)


class _Common(TypedDict):
    """What the comparison and its table are of."""

    pp: int
    mb: int | None
    costs: CostModel
    equal: Equal
    dialect: Dialect


def _given(name: str, problem: Problem, options: dict[str, int]) -> Choice | Schedule | Actions:
    if is_file(name):
        return resolve(name, Problem(csv_dialect=problem.csv_dialect)).plan
    if ".py:" in name:
        return resolve(name, problem, [f"--{key}={value}" for key, value in options.items()]).plan
    return choose(name).with_defaults(problem.chunks, options)


def _refuse_unused(
    plans: Sequence[Choice | Schedule | Actions], chunks: int | None, options: dict[str, int]
) -> None:
    """An option that no schedule takes is a mistake, not a wish."""
    choices = [plan for plan in plans if isinstance(plan, Choice)]
    if len(choices) < len(plans) and options:
        return  # a user's own function was asked itself
    for key in options:
        if not any(key in choice.recipe.options for choice in choices):
            raise ShapeError(f"none of these schedules has an option --{key.replace('_', '-')}")
    if chunks is not None and not any(choice.chunks == chunks for choice in choices):
        raise ShapeError(f"none of these schedules lets you choose its chunks; got --chunks {chunks}")


def _whole(entry: Entry, plan: Choice | Schedule | Actions) -> Entry:
    """With the file's whole lists, for charts to mark what takes no time."""
    if entry.timeline is None or not isinstance(plan, Actions):
        return entry
    return entry._replace(timeline=replace(entry.timeline, listed=plan))
