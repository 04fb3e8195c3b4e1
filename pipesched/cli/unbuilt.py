"""Schedules of millions of ops, measured without being built."""

from typing import TYPE_CHECKING

from pipesched.cli.costs import cost_model
from pipesched.cli.options import Moving
from pipesched.cli.source import Asked, is_file, schedule_options
from pipesched.generators import choose
from pipesched.generators.size import MANY, MEASURED, Size, check_fits

if TYPE_CHECKING:
    from pipesched.analysis.unbuilt import Unbuilt


def unbuilt(name: str, asked: Asked, *, least: int | None = None) -> "Unbuilt | None":
    """Timeline and report of what has ``least`` ops, or None: of less, of what is built, and where unproved.

    Schedules from elsewhere are built, and with transfers run all are; ``least`` is millions by default.
    """
    size, problem = _size(name, asked), asked.problem
    if size is None or asked.moving != Moving() or size.least_ops < (MANY if least is None else least):
        return None
    from pipesched.analysis.unbuilt import measure_unbuilt

    return measure_unbuilt(size, cost_model(problem), problem.free_at, problem.dialect)


def refuse_too_large(
    name: str, asked: Asked, why: str = "its lists are to be built", per_op: int = MEASURED
) -> None:
    """:class:`ShapeError` for lists that are to be built and do not fit in memory."""
    size = _size(name, asked)
    if size is not None and size.least_ops >= MANY:
        check_fits(size, why, per_op)


def _size(name: str, asked: Asked) -> Size | None:
    problem = asked.problem
    if is_file(name) or ":" in name or "/" in name or name.endswith(".py"):
        return None
    devices = 8 if problem.pp is None else problem.pp
    choice = choose(name)
    chunks = problem.chunks if choice.chunks is None else choice.chunks
    options = {**schedule_options(asked.options), **dict(choice.options)}
    return Size.of(choice.recipe, devices, problem.mb, chunks, options)
