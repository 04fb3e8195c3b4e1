"""``pipesched compare``."""

from typing import Annotated

import typer

from pipesched.choices import Equal
from pipesched.cli.groups import grouped
from pipesched.cli.options import EXTRA, AsJson, MemoryCap, Moving, Problem, Width, complete_schedule
from pipesched.errors import ShapeError

EqualOption = Annotated[
    Equal,
    typer.Option(
        "--equal", help="One model over PP devices (devices), or PP stages each (stages, as published)."
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SCHEDULE...]",
        help="Default: the five of DualPipe's table; all: every registered schedule.",
        autocompletion=complete_schedule,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", context_settings=EXTRA)(compare)


@grouped
def compare(
    ctx: typer.Context,
    problem: Problem,
    moving: Moving,
    schedules: Names = None,
    equal: EqualOption = "devices",
    memory_cap: MemoryCap = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the table as CSV.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")] = False,
    width: Width = None,
) -> None:
    """Compare schedules in one table: makespan, bubble, formula, parameters, activations.

    Costs are per 1/PP of the model. Default: 8 devices, 32 micro-batches.

    Example: pipesched compare dualpipe 1f1b zb1p --pp 8 --mb 20
    """
    from pipesched.cli.compared import compared, with_all
    from pipesched.cli.look import warn
    from pipesched.cli.output import print_json, print_table
    from pipesched.cli.source import Asked
    from pipesched.compare import DEFAULT
    from pipesched.render.text import table as tables

    if as_json + as_csv + as_markdown > 1:
        raise ShapeError("--json, --csv and --markdown exclude each other; give one")
    asked = Asked.of([*with_all(schedules or DEFAULT), *ctx.args], problem, moving, equal)
    result = compared(asked, memory_cap, timelines=False)
    if as_json:
        print_json(result.objects())
    elif as_csv:
        typer.echo(tables.to_csv(result.table), nl=False)
        for refusal in filter(None, (entry.refusal for entry in result.entries)):
            warn(refusal)  # CSV has no place for it
    elif as_markdown:
        typer.echo(tables.to_markdown(result.table), nl=False)
    else:
        print_table(result.table, width)
