"""``pipesched export``."""

from pathlib import Path
from typing import Annotated

import typer

from pipesched.cli.options import EXTRA, Force, Problem, ScheduleName, takes_problem
from pipesched.errors import OutputError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", context_settings=EXTRA)(export)


@takes_problem
def export(
    ctx: typer.Context,
    schedule: ScheduleName,
    problem: Problem,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write; its suffix says how. - for stdout (CSV)."),
    ],
    force: Force = False,
) -> None:
    """Write a schedule to a file: .csv as torch reads it, or .json with placement and costs.

    Example: pipesched export zb1p --pp 4 --mb 8 -o zb1p.csv
    """
    from pipesched.cli.output import write_out
    from pipesched.cli.source import resolve
    from pipesched.formats import writers
    from pipesched.formats.output import check_free

    suffix = ".csv" if str(output) == "-" else output.suffix.lower()
    if suffix not in writers.WRITERS:
        known = ", ".join(writers.WRITERS)
        raise OutputError(f"cannot write {output}: its suffix must be one of {known}")
    if str(output) != "-":
        check_free(output, force=force)
    source = resolve(schedule, problem, ctx.args)
    source.costs.per_stage(source.schedule.stages)  # refuses lists of another length
    write_out(output, writers.WRITERS[suffix](source.schedule, source.costs), force=force)
