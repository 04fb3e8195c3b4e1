"""``pipesched view``."""

import importlib.util
import os
from typing import Annotated

import typer

from pipesched.cli.groups import grouped
from pipesched.cli.look import Drawn
from pipesched.cli.options import EXTRA, Moving, Problem
from pipesched.cli.show import EqualOption, Names
from pipesched.errors import OutputError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("view", context_settings=EXTRA)(view)


@grouped
def view(
    schedules: Names,
    problem: Problem,
    moving: Moving,
    equal: EqualOption = None,
    letters: Annotated[bool, typer.Option("--letters", help="Letters instead of colours.")] = False,
) -> None:
    """Walk through schedules in the whole terminal: pan, zoom, and ask each cell what it waits for.

    Arrows pan and change the device, + and - zoom, Enter explains the cell or gap under the cursor, Tab
    turns to the next schedule, q quits. Needs the extra tui, that is textual. Without a terminal,
    the charts are printed as show does.

    Example: pipesched view dualpipe zb1p --pp 8 --mb 20
    """
    from pipesched.cli.output import console
    from pipesched.cli.several import ran
    from pipesched.cli.source import Asked

    screen = console()
    if screen.is_terminal:
        check_textual()
    timelines = ran(Asked.of(schedules, problem, moving, equal)).built
    plain = letters or screen.no_color or "NO_COLOR" in os.environ
    if screen.is_terminal:
        from pipesched.render.tui.viewer import Viewer

        Viewer(timelines, system=None if plain else screen.color_system).run()
    else:
        from pipesched.render.terminal import Gantt

        screen.print(Gantt(*(Drawn().chart(each, problem.free_at) for each in timelines)))


def check_textual() -> None:
    """:class:`OutputError` where textual is missing."""
    try:
        found = importlib.util.find_spec("textual") is not None
    except (ImportError, ValueError):  # ValueError: blocked by None in sys.modules
        found = False
    if not found:
        raise OutputError("view needs textual; install it with: pip install textual")
