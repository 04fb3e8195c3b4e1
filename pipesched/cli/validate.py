"""``pipesched validate``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipesched.cli.groups import grouped
from pipesched.cli.options import (
    EXTRA,
    AsJson,
    MemoryCap,
    Moving,
    Problem,
    complete_schedule,
)
from pipesched.errors import FormatError
from pipesched.words import count, printable

if TYPE_CHECKING:
    from pipesched.cli.checked import Demands


Names = Annotated[
    list[str],
    typer.Argument(metavar="SCHEDULE...", help="Names or files.", autocompletion=complete_schedule),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("validate", context_settings=EXTRA)(validate)


@grouped
def validate(
    ctx: typer.Context,
    schedules: Annotated[
        list[str],
        typer.Argument(metavar="SCHEDULE...", help="Names or files.", autocompletion=complete_schedule),
    ],
    problem: Problem,
    moving: Moving,
    style: Annotated[
        str | None,
        typer.Option(help="Stages must stand where this puts them: loop, v, or a name (ZBVZeroBubble)."),
    ] = None,
    memory_cap: MemoryCap = None,
    as_json: AsJson = False,
) -> None:
    """Check that schedules can run: every violation with device, position and reason.

    Transfers in a file are checked too; options about transfers say how they run.
    Exit code 1 where one is invalid, 2 where one cannot be read.

    Example: pipesched validate 1f1b.csv
    """
    from pipesched.cli.checked import Demands
    from pipesched.cli.output import print_json
    from pipesched.cli.source import split

    demands = Demands(style, memory_cap, problem.free_at)
    names, options = split([*schedules, *ctx.args])
    verdicts = [_verdict(name, problem, moving, demands, options) for name in names]
    if as_json:
        objects = [verdict for verdict, _ in verdicts]
        print_json(objects[0] if len(objects) == 1 else objects)
    else:
        for verdict, code in verdicts:
            if code != 2:  # what could not be read was told on stderr
                _print(verdict)
    worst = max(code for _, code in verdicts)
    if worst:
        raise typer.Exit(worst)


def _verdict(
    name: str, problem: Problem, moving: Moving, demands: "Demands", extra: list[str]
) -> tuple[dict[str, Any], int]:
    """The JSON object of one schedule, and its exit code."""
    from pipesched.cli.checked import violations
    from pipesched.cli.source import resolve

    try:
        source = resolve(name, problem, extra)
    except FormatError as error:
        typer.echo(f"error: {error}", err=True)
        problems = error.problems or ((0, 0, str(error)),)
        told = [
            {
                "code": "format",
                "op": None,
                "device": row - 1 if row else None,
                "position": cell - 1 if cell else None,
                "message": f"row {row}, cell {cell}: {sentence}" if row else sentence,
            }
            for row, cell, sentence in problems
        ]
        return {"schedule": name, "valid": False, "violations": told}, 2
    schedule = source.schedule
    found = [violation._asdict() for violation in violations(source, moving, demands)]
    return {
        "schedule": name,
        "valid": not found,
        "about": f"{schedule.describe()}, {count(schedule.n_ops, 'op')}",
        "violations": found,
    }, 1 if found else 0


def _print(verdict: dict[str, Any]) -> None:
    name, found = printable(verdict["schedule"]), verdict["violations"]
    if verdict["valid"]:
        typer.echo(f"{name}: valid ({verdict['about']})")
        return
    typer.echo(f"{name}: {count(len(found), 'violation')}")
    for violation in found:
        typer.echo(f"  {violation['code']}: {violation['message'].removeprefix(violation['code'] + ': ')}")
