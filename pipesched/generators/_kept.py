"""What a user's code finds as it was, and leaves as it was: streams, directory, filters of warnings."""

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import numpy as np


@contextlib.contextmanager
def kept(home: Path) -> Iterator[None]:
    """Run what is inside: it can import from ``home``, and what it prints in whichever way goes to stderr."""
    limit = sys.getrecursionlimit()
    shown = _Unclosable(sys.stderr)
    with (
        _descriptors(),
        contextlib.redirect_stdout(shown),
        contextlib.redirect_stderr(shown),
        _directory(),
        _importing_from(home),
        warnings.catch_warnings(),
        np.errstate(),
    ):
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)


class _Unclosable(io.TextIOBase):
    """Writes to another stream, which stays open when this one is closed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def close(self) -> None:
        """Nothing."""


@contextlib.contextmanager
def _descriptors() -> Iterator[None]:
    """Descriptor 1 leads where 2 does, for programs that are called; closing them does no harm."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    saved: dict[int, int] = {}
    with contextlib.suppress(OSError):  # closed by who started us: then there is nothing to keep
        saved = {number: os.dup(number) for number in (1, 2)}
        os.dup2(2, 1)
    try:
        yield
    finally:
        for stream in (sys.__stdout__, sys.__stderr__):
            with contextlib.suppress(OSError, ValueError):
                if stream is not None:
                    stream.flush()
        for number, copy in saved.items():
            os.dup2(copy, number)
            os.close(copy)


@contextlib.contextmanager
def _directory() -> Iterator[None]:
    before = None
    with contextlib.suppress(OSError):  # it may be gone
        before = Path.cwd()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if before is not None:
                os.chdir(before)


@contextlib.contextmanager
def _importing_from(home: Path) -> Iterator[None]:
    sys.path.insert(0, str(home))
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(str(home))
