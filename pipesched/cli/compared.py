"""What ``compare`` and ``report`` share: running the comparison that the command line asks for."""

from dataclasses import dataclass, replace
from typing import Any, TypedDict

from pipesched.actions import Actions
from pipesched.cli.costs import cost_model
from pipesched.cli.options import Problem
from pipesched.cli.progress import progress
from pipesched.cli.source import is_file, resolve
from pipesched.compare import DEFAULT, Entry, Equal, compare, table
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.formula import Dialect
from pipesched.render.table import Table
from pipesched.schedule import Schedule


@dataclass(frozen=True)
class Compared:
    """The entries and their table."""

    entries: list[Entry]
    table: Table
    equal: Equal

    def objects(self) -> list[dict[str, Any]]:
        """``compare --json``: reports, or the reason why one cannot run."""
        return [
            {**entry.report.as_dict(), "equal": self.equal}
            if entry.report
            else {"schedule": entry.name, "equal": self.equal, "error": entry.reason}
            for entry in self.entries
        ]


def compared(names: list[str] | None, problem: Problem, equal: Equal, *, timelines: bool = True) -> Compared:
    """Run it; see :func:`pipesched.compare.compare`.

    Raises :class:`ShapeError` where no schedule can run at all.
    """
    plans = [_given(name, problem) for name in names or DEFAULT]
    given = [plan.schedule if isinstance(plan, Actions) else plan for plan in plans]
    sizes = {each.devices for each in given if isinstance(each, Schedule)}
    pp = problem.pp if problem.pp is not None else sizes.pop() if len(sizes) == 1 else 8
    fixed = {each.microbatches for each in given if isinstance(each, Schedule)}
    mb = problem.mb if problem.mb is not None else fixed.pop() if len(fixed) == 1 else 4 * pp
    costs = cost_model(problem)
    common: _Common = {"pp": pp, "mb": mb, "costs": costs, "equal": equal, "dialect": problem.dialect.value}
    with progress("running schedules"):
        entries = compare(given, free_at=problem.free_at, timelines=timelines, **common)
    entries = [_whole(entry, plan) for entry, plan in zip(entries, plans, strict=True)]
    if not any(entry.report for entry in entries):
        rest = f" (and {len(entries) - 1} more cannot run either)" if len(entries) > 1 else ""
        raise ShapeError(f"{entries[0].reason}{rest}")
    return Compared(entries, table(entries, **common), equal)


class _Common(TypedDict):
    """What the comparison and its table are of."""

    pp: int
    mb: int
    costs: CostModel
    equal: Equal
    dialect: Dialect


def _given(name: str, problem: Problem) -> str | Schedule | Actions:
    if is_file(name) or ".py:" in name:
        size = problem if ".py:" in name else Problem(csv_dialect=problem.csv_dialect)
        return resolve(name, size).plan
    return name


def _whole(entry: Entry, plan: str | Schedule | Actions) -> Entry:
    """With the file's whole lists, for charts to mark what takes no time."""
    if entry.timeline is None or not isinstance(plan, Actions):
        return entry
    return entry._replace(timeline=replace(entry.timeline, listed=plan))
