"""``pipesched watch``."""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipesched.cli import streams
from pipesched.cli.groups import grouped
from pipesched.cli.look import Drawn, Look
from pipesched.cli.options import EXTRA, Moving, Problem
from pipesched.errors import FormatError, PipeschedError

if TYPE_CHECKING:
    from rich.console import Console

    from pipesched.cli.source import Asked

#: Seconds between two looks at the files.
_PAUSE = 0.2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch", context_settings=EXTRA)(watch)


@grouped
def watch(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A .csv or .json file, or mine.py:function.")],
    problem: Problem,
    moving: Moving,
    drawn: Drawn,
    look: Look,
) -> None:
    """Draw a schedule again whenever its file changes, until Ctrl-C; errors are shown in its place.

    With mine.py:function, the modules that it imports from its directory are watched, too. Without a
    terminal it is drawn once.

    Example: pipesched watch 1f1b.csv
    """
    from pipesched.cli.output import console
    from pipesched.cli.source import Asked

    watched = Watched(file)
    screen = console(look.width)

    def draw() -> None:
        _draw(screen, Asked([file], problem, moving, ctx.args), drawn, look)

    if screen.is_terminal:
        follow(watched, draw, screen.clear, lambda: time.sleep(_PAUSE))
    else:
        draw()


class Watched:
    """The files that a schedule is made of."""

    def __init__(self, text: str) -> None:
        name, colon, _ = text.rpartition(":")
        self.main = Path(name if colon and name.endswith(".py") else text)
        if not self.main.is_file():
            raise FormatError(f"nothing to watch: there is no file {self.main}")
        self.is_code = self.main.suffix == ".py"

    def stamps(self) -> dict[Path, tuple[int, int] | None]:
        """When each was changed last, and its size; None for one that is not there."""
        return {path: _stamp(path) for path in (self.main, *self._modules().values())}

    def forget(self) -> None:
        """Make the next import read everything anew."""
        for name in self._modules():
            del sys.modules[name]
        importlib.invalidate_caches()

    def _modules(self) -> dict[str, Path]:
        """What has been imported from the directory of the user's file."""
        if not self.is_code:
            return {}
        beside = self.main.resolve().parent
        found = {name: getattr(module, "__file__", None) for name, module in list(sys.modules.items())}
        paths = {name: Path(file) for name, file in found.items() if isinstance(file, str)}
        return {name: path for name, path in paths.items() if path.parent == beside and name != "__main__"}


def follow(
    watched: Watched, draw: Callable[[], None], clear: Callable[[], None], pause: Callable[[], None]
) -> None:
    """Draw now and after every change, for ever; :class:`PipeschedError` is printed where the chart stood."""
    # A compiled file counts as fresh for a second: edits are faster.
    sys.dont_write_bytecode = True
    while True:
        watched.forget()
        clear()
        try:
            draw()
            streams.tell_notes()
        except PipeschedError as error:
            streams.fail(str(error))
        seen = watched.stamps()
        while watched.stamps() == seen:
            pause()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _draw(screen: "Console", asked: "Asked", drawn: Drawn, look: Look) -> None:
    """The chart with the numbers under it, or nothing where something is wrong with the schedule."""
    from pipesched.cli.output import print_lines
    from pipesched.cli.several import ran
    from pipesched.render.text.summary import labelled, summary

    found = ran(asked)
    screen.print(look.picture([drawn.chart(found.built[0], asked.problem.free_at, slack=look.slack)]))
    print_lines([*summary(found.reports[0]), *labelled(found.notes)], look.width)
