"""A figure as plain shapes in points: what SVG, PDF and PNG draw, each in a few lines.

x grows to the right, y grows down, from the page's upper left corner. Later shapes lie over earlier ones.
"""

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from pipesched.errors import OutputError
from pipesched.render.paper.text import HEIGHT, text_width
from pipesched.timeline import Floats

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
            got = text if len(text) <= 40 else f"{text[:40]}..."
            raise OutputError(f"a width is a number and mm, cm, in, pt or px, such as 180mm; got {got!r}")
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
    """A line from point to point, each x and y."""

    points: tuple[tuple[float, float], ...]
    color: str
    thickness: float


class Steps(NamedTuple):
    """Columns side by side on one foot; column n reaches from ``edges[n]`` to ``edges[n + 1]``."""

    edges: tuple[float, ...]
    tops: tuple[float, ...]
    foot: float
    fill: str

    @classmethod
    def of(cls, edges: Floats, tops: Floats, foot: float, fill: str) -> "Steps":
        """From float64[n + 1] and float64[n]; equal neighbours are one column."""
        new = np.flatnonzero(np.diff(tops, prepend=np.nan))
        return cls((*edges[new].tolist(), float(edges[-1])), tuple(tops[new].tolist()), foot, fill)


class Text(NamedTuple):
    """One line of text; ``y`` is the base line, ``x`` where ``anchor`` says."""

    x: float
    y: float
    text: str
    size: float
    color: str
    anchor: Anchor = "start"
    bold: bool = False

    @classmethod
    def level(
        cls, x: float, middle: float, text: str, size: float, color: str, anchor: Anchor = "start"
    ) -> "Text":
        """Digits and capitals half above and half below ``middle``."""
        return cls(x, middle + HEIGHT * size / 2, text, size, color, anchor)

    @property
    def width(self) -> float:
        """In points."""
        return text_width(self.text, self.size, bold=self.bold)

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


def number(value: float) -> str:
    """A length or place in a file: to 1/100 point, which no eye and no printer tells apart.

    >>> number(12.304), number(3.0), number(-0.001)
    ('12.3', '3', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
