"""stdout and stderr: what is said there beside results, and what if they are closed, full or narrow."""

import contextlib
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from pipesched.errors import PipeschedWarning
from pipesched.words import printable

#: Notes that wait for the command to succeed: with an error, they would only stand before what matters.
_held: list[str] = []


def prepare() -> None:
    """Make both streams take any text, and hold notes back.

    A stream that was closed by who started us goes nowhere; what its encoding lacks is escaped.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    _held.clear()
    warnings.simplefilter("always", PipeschedWarning)
    warnings.showwarning = _hold


def _hold(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    word = "note" if issubclass(category, PipeschedWarning) else category.__name__
    _held.append(f"{word}: {printable(str(message))}")


def tell_notes() -> None:
    """Say what was held back, once each."""
    said = list(dict.fromkeys(_held))
    _held.clear()
    for note in said:
        _say(note)


def fail(sentence: str) -> int:
    """Say what is wrong, and nothing else; the exit code is 2."""
    _held.clear()
    _say(f"error: {printable(sentence)}")
    return 2


def _say(line: str) -> None:
    try:
        print(line, file=sys.stderr)  # noqa: T201
    except (OSError, ValueError):  # nobody can be told: its reader is gone, its disk is full, it was closed
        silence(sys.stderr)


def silence(stream: Any) -> None:
    """Point a stream elsewhere, so that Python's last flush does not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
