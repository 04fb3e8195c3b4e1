"""``pipesched export`` to a picture: .svg, .pdf or .png, one schedule or several on one time axis."""

import importlib
import warnings
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pipesched.cli.options import Problem
from pipesched.errors import PipeschedWarning

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
    names: list[str], problem: Problem, extra: list[str], output: Path, look: FigureLook, equal: str | None
) -> Iterable[str | bytes]:
    """The parts of the file; raises before the first where it cannot be made."""
    from pipesched.cli.several import ran
    from pipesched.render.chart import chart

    suffix = output.suffix.lower()
    timelines = ran(names, problem, extra, equal).timelines
    if equal is None and len({timeline.schedule.stages for timeline in timelines}) > 1:
        message = "costs are per stage, and the schedules have different numbers of stages: "
        warnings.warn(f"{message}--equal devices draws one model", PipeschedWarning, stacklevel=2)
    charts = [chart(timeline) for timeline in timelines]
    write = importlib.import_module(f"pipesched.render.{suffix.removeprefix('.')}").write
    parts: Iterable[str | bytes] = write(
        charts, width=look.width or WIDTHS[suffix], theme=look.theme.value, ruler=look.ruler
    )
    return parts
