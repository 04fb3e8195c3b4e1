"""What ``compare`` and ``report`` share: running the comparison that the command line asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pipesched.analysis.plain import plain
from pipesched.cli.costs import cost_model
from pipesched.cli.options import Problem
from pipesched.cli.progress import progress
from pipesched.cli.source import DEVICES, Asked, is_file, resolve, schedule_options
from pipesched.cli.transport import cap_numbers, plan_run, transport_of
from pipesched.compare import Entry, Terms, run_all, table
from pipesched.errors import ShapeError, UnknownOptionError
from pipesched.generators import Choice, choose, recipes
from pipesched.generators.size import MANY
from pipesched.loaded import Plan, schedule_of
from pipesched.render.text.table import Table
from pipesched.schedule import Schedule

#: Stands for every registered schedule.
ALL = "all"


@dataclass(frozen=True)
class Compared:
    """The entries and their table, and what they were compared at."""

    entries: list[Entry]
    table: Table
    terms: Terms

    @property
    def notes(self) -> dict[str, str]:
        """How transfers ran, if they did."""
        transport = self.terms.transport
        return {} if transport is None else {"transfers": transport.describe(self.terms.costs)}

    def objects(self) -> list[dict[str, Any]]:
        """``compare --json``: reports, or the reason why one cannot run."""
        equal = self.terms.equal
        return [
            {**entry.report.as_dict(), **_capped(entry), "equal": equal}
            if entry.report
            else {"schedule": entry.name, "equal": equal, "error": entry.reason}
            for entry in self.entries
        ]


def _capped(entry: Entry) -> dict[str, Any]:
    return {} if entry.over_cap is None else {"over_memory_cap": plain(entry.over_cap)}


def compared(
    asked: Asked,
    memory_cap: str | None = None,
    *,
    timelines: bool = True,
    drawn: bool = False,
    least: int = MANY,
) -> Compared:
    """Run it; see :func:`pipesched.compare.run_all`.

    Raises :class:`ShapeError` where no schedule can run at all, or none has an option that is given.
    """
    options = schedule_options(asked.options)
    plans = [_given(name, asked, options) for name in asked.names]
    _refuse_unused(plans, asked.problem.chunks, options)
    terms = _terms(asked, memory_cap, [schedule_of(plan) for plan in plans if not isinstance(plan, Choice)])
    with progress("running schedules"):
        entries = run_all(plans, terms, timelines=timelines, drawn=drawn, least=least)
    if not any(entry.report for entry in entries):
        rest = f" (and {len(entries) - 1} more cannot run either)" if len(entries) > 1 else ""
        raise ShapeError(f"{entries[0].reason}{rest}")
    return Compared(entries, table(entries, terms), terms)


def with_all(names: Sequence[str]) -> list[str]:
    """With every registered schedule that is not named in place of ``all``."""
    if ALL not in names:
        return [*names]
    rest = [recipe.name for recipe in recipes() if recipe.name not in names]
    at = names.index(ALL)
    return [*names[:at], *rest, *(name for name in names[at:] if name != ALL)]


def _terms(asked: Asked, memory_cap: str | None, fixed: Sequence[Schedule]) -> Terms:
    """What they are compared at; the size is that of what is ``fixed``, if none is given and all agree."""
    problem, moving = asked.problem, asked.moving
    sizes = {each.devices for each in fixed}
    microbatches = {each.microbatches for each in fixed}
    return Terms(
        pp=problem.pp if problem.pp is not None else sizes.pop() if len(sizes) == 1 else DEVICES,
        mb=microbatches.pop() if problem.mb is None and len(microbatches) == 1 else problem.mb,
        costs=cost_model(problem),
        equal=asked.equal or "devices",
        free_at=problem.free_at,
        dialect=problem.dialect,
        transport=transport_of(moving),
        recv=moving.recv or "early",
        memory_cap=None if memory_cap is None else cap_numbers(memory_cap),
    )


def _given(name: str, asked: Asked, options: dict[str, int]) -> Choice | Plan:
    problem = asked.problem
    if is_file(name):
        source = resolve(name, Problem(csv_dialect=problem.csv_dialect))
    elif ".py:" in name:
        source = resolve(name, problem, [f"--{key}={value}" for key, value in options.items()])
    else:
        return choose(name).with_defaults(problem.chunks, options)
    return plan_run(source, asked.moving)


def _refuse_unused(plans: Sequence[Choice | Plan], chunks: int | None, options: dict[str, int]) -> None:
    """An option that no schedule takes is a mistake, not a wish."""
    choices = [plan for plan in plans if isinstance(plan, Choice)]
    if len(choices) < len(plans) and options:
        return  # a user's own function was asked itself
    for key in options:
        if not any(key in choice.recipe.options for choice in choices):
            flag = f"--{key.replace('_', '-')}"
            raise UnknownOptionError(f"none of these schedules has an option {flag}", flag)
    if chunks is not None and not any(choice.chunks == chunks for choice in choices):
        raise ShapeError(f"none of these schedules lets you choose its chunks; got --chunks {chunks}")
