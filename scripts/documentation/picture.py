"""The picture of README.md: a figure as ``pipesched export`` draws it."""

import contextlib
import io
import tempfile
import warnings
from pathlib import Path

from documentation import ROOT
from pipesched.cli.app import run

FILE = ROOT / "docs" / "images" / "dualpipe.svg"
_COMMAND = ("export", "dualpipe", "--pp", "8", "--mb", "20", "--theme", "screen")


def drawn() -> str:
    """The SVG."""
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        file = Path(directory) / FILE.name
        run([*_COMMAND, "-o", str(file)])
        return file.read_text(encoding="utf-8")
