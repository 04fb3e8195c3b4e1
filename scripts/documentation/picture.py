"""The pictures of README.md and of the gallery: figures as ``pipesched export`` draws them."""

import contextlib
import io
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

from documentation import ROOT
from pipesched.cli.app import run
from pipesched.generators import recipes

IMAGES = ROOT / "docs" / "images"
#: Devices of the gallery's pictures.
DEVICES = 4


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture: where it is kept, and the SVG."""
    yield IMAGES / "dualpipe.svg", _drawn("dualpipe", "--pp", "8", "--mb", "20")
    for recipe in recipes():
        yield gallery_file(recipe.name), _drawn(recipe.name, "--pp", str(DEVICES))


def gallery_file(name: str) -> Path:
    """Where the gallery's picture of a schedule is kept."""
    return IMAGES / "gallery" / f"{name}.svg"


def _drawn(*schedule: str) -> str:
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        file = Path(directory) / "drawn.svg"
        run(["export", *schedule, "--theme", "screen", "-o", str(file)])
        return file.read_text(encoding="utf-8")
