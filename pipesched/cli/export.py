"""``pipesched export``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipesched.choices import Equal
from pipesched.cli.figures import FIGURE, Figure, picture, refuse, suffixes
from pipesched.cli.groups import grouped
from pipesched.cli.lists import Format, Lists, list_parts, print_verdict, refuse_lists, source_of
from pipesched.cli.look import Drawn
from pipesched.cli.options import EXTRA, Force, Moving, Problem, complete_schedule
from pipesched.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable


Schedules = Annotated[
    list[str],
    typer.Argument(
        metavar="SCHEDULE...",
        help="One, or for a figure several; as 'show' takes.",
        autocompletion=complete_schedule,
    ),
]
EqualOption = Annotated[
    Equal | None,
    typer.Option(
        "--equal",
        help="Costs per 1/PP of one model (devices), or PP stages each (stages). Default: per stage.",
        rich_help_panel=FIGURE,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", context_settings=EXTRA)(export)


@grouped
def export(
    ctx: typer.Context,
    schedules: Schedules,
    lists: Lists,
    problem: Problem,
    moving: Moving,
    figure: Figure,
    drawn: Drawn,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; its suffix says how. - for stdout (CSV)."),
    ] = None,
    equal: EqualOption = None,
    force: Force = False,
) -> None:
    """Write a schedule to a file, by its suffix.

    .csv as torch reads it, .json with placement and costs, .trace.json for Perfetto, and figures: .svg,
    .pdf, .png, which take several schedules on one time axis.

    Example: pipesched export zb1p --pp 4 --mb 8 -o zb1p.csv
    """
    from pipesched.cli.output import write_out
    from pipesched.cli.progress import progress
    from pipesched.cli.source import Asked
    from pipesched.formats.output import check_free
    from pipesched.formats.writers import WRITERS

    if output is None and lists.check is None:
        raise OutputError("nothing to do: give --output FILE, or --check torchtitan")
    asked = Asked.of([*schedules, *ctx.args], problem, moving, equal)
    suffix = None if output is None else _suffix(output, lists.kind)
    if suffix is None or suffix in WRITERS:
        refuse(suffix, asked.names, figure, drawn)
    else:
        refuse_lists(suffix, lists)
    if output is not None and str(output) != "-":
        check_free(output, force=force)
    with progress(f"exporting {asked.names[0]}"):
        if suffix is None or suffix in WRITERS:
            source = source_of(asked, suffix)
            parts: Iterable[str | bytes] = list_parts(source, suffix, lists, asked) if suffix else ()
        else:
            parts = [picture(asked, suffix, figure, drawn)]
        if output is not None:
            write_out(output, parts, force=force)
    if lists.check is not None:
        print_verdict(source)


def _suffix(output: Path, kind: Format | None) -> str:
    """A list's or a figure's: each of the two says itself which it writes."""
    from pipesched.formats import writers

    if kind is not None:
        return ".json" if kind == "json" else ".csv"
    suffix = ".csv" if str(output) == "-" else writers.suffix_of(output.name)
    if suffix is None and output.suffix.lower() not in suffixes():
        known = ", ".join([*writers.WRITERS, *suffixes()])
        raise OutputError(f"cannot write {output}: its suffix must be one of {known}")
    return suffix or output.suffix.lower()
