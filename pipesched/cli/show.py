"""``pipesched show``."""

from typing import Annotated

import typer

from pipesched.choices import Equal
from pipesched.cli.look import Look, takes_look
from pipesched.cli.options import EXTRA, Problem, complete_schedule, takes_moving, takes_problem

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


@takes_look
@takes_problem
@takes_moving
def show(
    schedules: Names,
    problem: Problem,
    look: Look,
    equal: EqualOption = None,
    pager: Annotated[
        bool, typer.Option("--pager", help="Page through what is longer than the screen (PAGER, or less).")
    ] = False,
    excerpt: Annotated[
        bool | None,
        typer.Option(
            "--excerpt/--whole",
            help="Draw warm-up, some of what repeats, and drain; or everything. Default: everything, up to "
            "millions of ops.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Draw Gantt charts in the terminal, with the numbers under them.

    Cells thinner than a character are merged: a column is blank for as much of its height as its time is
    idle, to an eighth, from a sixteenth on; in letters, it is idle once half a column of idle time is due.

    Example: pipesched show dualpipe --pp 8 --mb 20
    """
    from pipesched.cli.excerpted import charts, shown
    from pipesched.cli.output import console, print_lines, print_table
    from pipesched.cli.pager import paged
    from pipesched.cli.several import split
    from pipesched.render.summary import summary

    names, options = split(schedules)
    found = shown(names, problem, options, equal, excerpt=excerpt)
    picture = look.picture(charts(found, look, problem.free_at, excerpt=excerpt))
    with paged(wanted=pager):
        console(look.width).print(picture)
        if found.table:
            print_table(found.table, look.width)
        else:
            print_lines([*summary(found.reports[0]), *found.notes], look.width)
