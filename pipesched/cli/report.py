"""``pipesched report``."""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipesched.cli.compare import EqualOption, Names
from pipesched.cli.groups import grouped
from pipesched.cli.options import EXTRA, Force, MemoryCap, Moving, Problem
from pipesched.words import printable


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", context_settings=EXTRA)(report)


@grouped
def report(
    ctx: typer.Context,
    problem: Problem,
    moving: Moving,
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file to write; - for stdout.")],
    schedules: Names = None,
    equal: EqualOption = "devices",
    title: Annotated[
        str | None, typer.Option(help="Over the page, and in the browser's tab. Default: the schedules.")
    ] = None,
    summary: Annotated[
        bool, typer.Option(help="Summary charts by plotly (1.9 MB); timelines and tables are always there.")
    ] = True,
    memory_cap: MemoryCap = None,
    force: Force = False,
) -> None:
    """Write one self-contained HTML file: timelines, comparison, memory, idle time; works offline.

    Example: pipesched report dualpipe zb1p --pp 8 --mb 20 -o report.html
    """
    from pipesched.cli.compared import compared, with_all
    from pipesched.cli.output import write_out
    from pipesched.cli.source import Asked
    from pipesched.compare import DEFAULT
    from pipesched.formats.output import check_free

    if str(output) != "-":
        check_free(output, force=force)  # before the work, not after it
    asked = Asked.of([*with_all(schedules or DEFAULT), *ctx.args], problem, moving, equal)
    result = compared(asked, memory_cap, timelines=False, drawn=True)
    from pipesched.render import html

    page = html.page(
        [timeline for entry in result.entries if (timeline := entry.drawable)],
        [entry.report for entry in result.entries if entry.report],
        result.table,
        title=None if title is None else printable(title.strip()),
        command=printable(shlex.join(["pipesched", *sys.argv[1:]])),
        free_at=problem.free_at,
        memory_cap=result.terms.memory_cap,
        cap_parts=result.terms.pp,
        summary=summary,
    )
    write_out(output, [page], force=force)
