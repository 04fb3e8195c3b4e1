"""Schedules of millions of ops, measured without being built."""

from dataclasses import astuple
from typing import TYPE_CHECKING

from pipesched.cli.costs import cost_model
from pipesched.cli.options import Problem
from pipesched.cli.source import is_file, schedule_options
from pipesched.generators import choose

if TYPE_CHECKING:
    from pipesched.analysis.report import Report


def unbuilt(schedule: str, problem: Problem, extra: list[str]) -> "Report | None":
    """The report, or None for what is built: other sources, smaller sizes, and with transfers run."""
    from pipesched.analysis.unbuilt import MANY, Size, report_unbuilt

    moved = any(each is not None for each in astuple(problem.moving))
    if is_file(schedule) or ":" in schedule or "/" in schedule or schedule.endswith(".py") or moved:
        return None
    devices = 8 if problem.pp is None else problem.pp
    choice = choose(schedule)
    chunks = problem.chunks if choice.chunks is None else choice.chunks
    options = {**schedule_options(extra), **dict(choice.options)}
    size = Size.of(choice.recipe, devices, problem.mb, chunks, options)
    if size.least_ops < MANY:
        return None
    return report_unbuilt(size, cost_model(problem), problem.free_at, problem.dialect)
