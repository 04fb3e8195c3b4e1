"""``pipesched list``."""

import typer

from pipesched.cli.options import AsJson, DialectChoice, Dialects


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("list")(list_schedules)


def list_schedules(as_json: AsJson = False, dialect: Dialects = DialectChoice.DEEPSEEK) -> None:
    """List every schedule: source, placement, what it needs, formula.

    Example: pipesched list
    """
    from pipesched.cli.output import print_json, print_lines
    from pipesched.generators import recipes
    from pipesched.render.catalogue import as_lines, as_objects

    if as_json:
        print_json(as_objects(recipes(), dialect.value))
    else:
        print_lines(as_lines(recipes(), dialect.value))
