"""``pipesched show``."""

from dataclasses import replace
from typing import Annotated

import typer

from pipesched.choices import Equal
from pipesched.cli.groups import grouped
from pipesched.cli.look import EXCERPT, Drawn, Look
from pipesched.cli.options import EXTRA, Moving, Problem, complete_schedule

Names = Annotated[
    list[str],
    typer.Argument(
        metavar="SCHEDULE...",
        autocompletion=complete_schedule,
        help="Names ('pipesched list'), .csv or .json files, - or mine.py:function; on one time axis.",
    ),
]
EqualOption = Annotated[
    Equal | None,
    typer.Option(
        "--equal",
        help="For several: as in compare, costs per 1/PP of one model (devices), or PP stages each (stages). "
        "Default: costs per stage, on PP devices.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show", context_settings=EXTRA)(show)


@grouped
def show(
    schedules: Names,
    problem: Problem,
    moving: Moving,
    drawn: Drawn,
    look: Look,
    equal: EqualOption = None,
    pager: Annotated[
        bool, typer.Option("--pager", help="Page through what is longer than the screen (PAGER, or less).")
    ] = False,
    excerpt: Annotated[
        bool | None,
        typer.Option("--excerpt/--whole", help=EXCERPT, show_default=False),
    ] = None,
) -> None:
    """Draw Gantt charts in the terminal, with the numbers under them.

    Cells thinner than a character are merged: a column is blank for as much of its height as its time is
    idle, to an eighth, from a sixteenth on, and shows what runs in it the longest, or half as long; in
    letters, it is idle once half a column of idle time is due.

    Example: pipesched show dualpipe --pp 8 --mb 20
    """
    from pipesched.cli.excerpted import charts, note
    from pipesched.cli.output import console, print_lines, print_table
    from pipesched.cli.pager import paged
    from pipesched.cli.several import ran
    from pipesched.cli.source import Asked
    from pipesched.render.text.summary import labelled, summary

    found = ran(Asked.of(schedules, problem, moving, equal), excerpt=excerpt)
    drawings = charts(found, drawn, problem.free_at, slack=look.slack, excerpt=excerpt)
    if rest := note(found, drawings):
        drawings = [replace(each, caption=(*each.caption, rest)) for each in drawings]
    picture = look.picture(drawings)
    with paged(wanted=pager):
        console(look.width).print(picture, crop=False)  # no line is wider, so none need be measured
        if found.table:
            print_table(found.table, look.width)
        else:
            print_lines([*summary(found.reports[0]), *labelled(found.notes)], look.width)
