"""Progress bars on stderr: only on a terminal, only of what takes longer than a second."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pipesched.progress import listening
from pipesched.words import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

#: Seconds until a bar appears.
PATIENCE = 1.0


@contextmanager
def progress(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Show what goes on inside, once it has lasted for ``patience`` seconds; gone without a trace at the end.

    ``what`` stands beside the bar until a loop says something better. Nothing may be printed inside.
    """
    if not sys.stderr.isatty():
        yield
        return
    bar = Bar(printable(what))
    timer = threading.Timer(patience, bar.show)
    timer.daemon = True
    timer.start()
    try:
        with listening(bar):
            yield
    finally:
        timer.cancel()
        bar.close()


class Bar:
    """One line: what is done, a bar, the time it has taken. Told by the work, shown by another thread."""

    def __init__(self, what: str) -> None:
        self._lock = threading.Lock()
        self._state: tuple[str, int, int | None] = (what, 0, None)
        self._shown: tuple[Progress, TaskID] | None = None
        self._closed = False

    def __call__(self, what: str, done: int, total: int) -> None:
        """A step of a loop."""
        with self._lock:
            self._state = (what, done, total)
            if self._shown:
                bar, task = self._shown
                bar.update(task, description=what, completed=done, total=total)

    def show(self) -> None:
        """Draw it from now on."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
        with self._lock:
            if self._closed:
                return
            bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
            what, done, total = self._state
            self._shown = bar, bar.add_task(what, completed=done, total=total)
            bar.start()

    def close(self) -> None:
        """Wipe it away."""
        with self._lock:
            self._closed = True
            if self._shown:
                self._shown[0].stop()
