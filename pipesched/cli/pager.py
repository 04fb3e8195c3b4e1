"""What is longer than the screen, page by page."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    import subprocess


@contextmanager
def paged(*, wanted: bool) -> Iterator[None]:
    """Send stdout through $PAGER, or less, which keeps colours and ends by itself on a single page.

    Without a terminal, or without a pager, stdout stays what it is.
    """
    process = _start() if wanted and sys.stdout.isatty() else None
    if process is None:
        yield
        return
    terminal, pipe = sys.stdout, cast("IO[str]", process.stdin)
    sys.stdout = _Pipe(pipe)
    try:
        yield
        pipe.close()
    except (BrokenPipeError, SystemExit):
        pass  # left before the end; rich exits then
    finally:
        sys.stdout = terminal
        process.wait()


class _Pipe:
    """A pipe that leads to a terminal: rich colours what it writes there."""

    def __init__(self, pipe: IO[str]) -> None:
        self._pipe = pipe

    def isatty(self) -> bool:
        return True

    def __getattr__(self, name: str) -> object:
        return getattr(self._pipe, name)


def _start() -> "subprocess.Popen[str] | None":
    import shlex
    import subprocess

    environment = {"LESS": "-FRX", **os.environ}
    try:
        command = shlex.split(os.environ.get("PAGER", "")) or ["less"]
        return subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, text=True, errors="backslashreplace", env=environment
        )
    except (OSError, ValueError):  # no such program, a quote that is not closed
        return None
