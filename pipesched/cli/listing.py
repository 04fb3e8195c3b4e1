"""``pipesched list``."""

from typing import Annotated

import typer

from pipesched.cli.options import AsJson, Dialects, complete_schedule

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME...]", help="Default: all.", autocompletion=complete_schedule),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_schedules)


def list_schedules(names: Names = None, as_json: AsJson = False, dialect: Dialects = "deepseek") -> None:
    """List every schedule, or some: source, placement, what it needs, formulas.

    Example: pipesched list
    """
    from pipesched.cli.output import print_json, print_lines
    from pipesched.generators import find, recipes
    from pipesched.render.text.catalogue import as_lines, as_objects

    chosen = [find(name) for name in names] if names else recipes()
    if as_json:
        print_json(as_objects(chosen, dialect))
    else:
        print_lines(as_lines(chosen, dialect))
