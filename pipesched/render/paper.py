"""A figure for paper as plain shapes in points: what SVG, PDF and PNG draw, each in a few lines.

``paper_figure.figure`` makes a :class:`Page` from charts. x grows to the right, y grows down, from the
page's upper left corner. Later shapes lie over earlier ones.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pipesched.errors import OutputError
from pipesched.render.paper_text import BOLDER, text_width

#: Points in one of each unit of length.
UNITS = {"mm": 72 / 25.4, "cm": 720 / 25.4, "in": 72.0, "pt": 1.0, "px": 0.75}
#: Widths that a figure may have, in points: from a thumbnail to a poster.
_LEAST, _MOST = 100.0, 6000.0

Anchor = Literal["start", "middle", "end"]


class Width(NamedTuple):
    """How wide a figure is, as it was asked for: ``180 mm``."""

    value: float
    unit: str

    @property
    def points(self) -> float:
        """In points, 1/72 inch."""
        return self.value * UNITS[self.unit]

    @classmethod
    def parse(cls, text: str) -> "Width":
        """From ``180mm`` or ``1200px``; raises :class:`OutputError` for anything else.

        >>> Width.parse("180mm")
        Width(value=180.0, unit='mm')
        """
        match = re.fullmatch(
            r"([0-9]{1,6}(?:\.[0-9]{1,6})?) *(mm|cm|in|pt|px)", text.strip().lower(), re.ASCII
        )
        if match is None:
            raise OutputError(f"a width is a number and mm, cm, in, pt or px, such as 180mm; got {text!r}")
        width = cls(float(match[1]), match[2])
        if not _LEAST <= width.points <= _MOST:
            least, most = (f"{points / UNITS[width.unit]:.0f}{width.unit}" for points in (_LEAST, _MOST))
            raise OutputError(f"a figure is {least} to {most} wide; got {text!r}")
        return width


class Box(NamedTuple):
    """A rectangle; ``fill`` or ``line`` (its border, centred on the edge) may be missing."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None
    line: str | None = None
    thickness: float = 0.0
    hint: str = ""  # what it says when the mouse is over it


class Line(NamedTuple):
    """A straight line."""

    x0: float
    y0: float
    x1: float
    y1: float
    color: str
    thickness: float


class Steps(NamedTuple):
    """Columns side by side on one foot; column n reaches from ``edges[n]`` to ``edges[n + 1]``."""

    edges: tuple[float, ...]
    tops: tuple[float, ...]
    foot: float
    fill: str


class Text(NamedTuple):
    """One line of text in Helvetica; ``y`` is the base line, ``x`` where ``anchor`` says."""

    x: float
    y: float
    text: str
    size: float
    color: str
    anchor: Anchor = "start"
    bold: bool = False

    @property
    def width(self) -> float:
        """In points, by the font's published widths."""
        return text_width(self.text, self.size) * (BOLDER if self.bold else 1.0)

    @property
    def left(self) -> float:
        """Where the text begins."""
        return self.x - self.width * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]


Shape = Box | Line | Steps | Text


@dataclass(frozen=True)
class Page:
    """Everything on one sheet of ``width.points`` x ``height`` points; ``background`` None is the paper's."""

    width: Width
    height: float
    background: str | None
    title: str
    description: str
    shapes: tuple[Shape, ...]
