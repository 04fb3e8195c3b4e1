"""``pipesched export`` to a picture: .svg, .pdf or .png, one schedule or several on one time axis."""

import importlib
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pipesched.cli.options import Problem

#: The suffixes, each with the width that a figure has unless asked otherwise; each is a renderer's name.
WIDTHS = {".svg": "180mm", ".pdf": "180mm", ".png": "1200px"}


class ThemeChoice(StrEnum):
    """How a figure is coloured."""

    PRINT = "print"
    SCREEN = "screen"
    DARK = "dark"


class FigureLook(NamedTuple):
    """What the command line says of a figure; None for the suffix's own width."""

    width: str | None
    theme: ThemeChoice
    ruler: bool


def figure(
    names: list[str], problem: Problem, extra: list[str], output: Path, look: FigureLook
) -> Iterable[str | bytes]:
    """The parts of the file; raises before the first where it cannot be made."""
    from pipesched.cli.source import resolve
    from pipesched.cli.transport import timeline_of
    from pipesched.render.chart import chart

    suffix = output.suffix.lower()
    sources = [resolve(name, problem, extra) for name in names]
    charts = [chart(timeline_of(source, problem.moving)) for source in sources]
    write = importlib.import_module(f"pipesched.render.{suffix.removeprefix('.')}").write
    parts: Iterable[str | bytes] = write(
        charts, width=look.width or WIDTHS[suffix], theme=look.theme.value, ruler=look.ruler
    )
    return parts
