"""Schedules of millions of ops, measured without being built."""

from typing import TYPE_CHECKING

from pipesched.cli.costs import cost_model
from pipesched.cli.options import Moving
from pipesched.cli.source import Asked, is_registered, schedule_options, size_of
from pipesched.generators.size import MANY

if TYPE_CHECKING:
    from pipesched.analysis.unbuilt import Unbuilt


def unbuilt(name: str, asked: Asked, *, least: int | None = None) -> "Unbuilt | None":
    """Timeline and report of what has ``least`` ops, or None: of less, of what is built, and where unproved.

    Schedules from elsewhere are built, and with transfers run all are; ``least`` is millions by default.
    """
    problem = asked.problem
    if not is_registered(name) or asked.moving != Moving():
        return None
    size = size_of(name, problem, schedule_options(asked.options))
    if size.least_ops < (MANY if least is None else least):
        return None
    from pipesched.analysis.unbuilt import measure_unbuilt

    return measure_unbuilt(size, cost_model(problem), problem.free_at, problem.dialect)
