"""Where times are on the page, and what says so: a ruler with round numbers, or an arrow."""

import math
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

import numpy as np

from pipesched.render.axis import Piece, multiples, round_steps
from pipesched.render.paper.page import Line, Shape, Text
from pipesched.render.paper.text import text_width
from pipesched.render.paper.theme import Theme
from pipesched.timeline import Floats

#: What is nearer to each other than this may be drawn as one, in points.
FINEST = 1 / 3
#: Height of a tick, and the free space between two numbers in their size.
TICK, _APART = 3.0, 2.0
#: Where not every tick has a number, one in so many.
_EVERY = (1, 2, 5, 10, 20, 50, 100)


class Tick(NamedTuple):
    """A mark of the ruler, in points, and its number; empty where there is no room for it."""

    x: float
    text: str


class Axis(NamedTuple):
    """The time axis of a figure: its ``pieces``, without what is left out, from ``left`` to ``right``.

    Times that are given to it are places on this axis, as those of charts are.
    """

    pieces: tuple[Piece, ...]
    left: float
    right: float

    @property
    def t0(self) -> float:
        """What stands at the left."""
        return self.pieces[0].t0

    @property
    def t1(self) -> float:
        """What stands at the right."""
        return self.pieces[-1].t1

    def at(self, times: Floats) -> Floats:
        """Times to points, on a grid of 1/100, so that neighbours meet in every format."""
        span = (self.t1 - self.t0) or 1.0
        share = (np.clip(times, self.t0, self.t1) - self.t0) / span
        return np.round(self.left + share * (self.right - self.left), 2)

    def edges(self, piece: Piece) -> tuple[float, float]:
        """Where a piece begins and ends on the page."""
        left, right = self.at(np.array([piece.t0, piece.t1])).tolist()
        return left, right

    def ticks(self, size: float) -> list[Tick]:
        """Round times, 1, 2 or 5 times a power of ten apart, as dense as the shortest numbers allow.

        They are as dense in every piece; where numbers are longer, fewer ticks have one.
        """
        span = self.t1 - self.t0
        if not 1e-300 < span < math.inf:
            return []
        for step in takewhile(lambda step: step <= 10 * span, round_steps(span / 100)):
            shortest = min(_widest(multiples(piece, step), size) for piece in self.pieces)
            if self._apart(step) >= shortest + _APART * size:
                return [tick for n in range(len(self.pieces)) for tick in self._numbered(n, step, size)]
        return []

    def _apart(self, time: float) -> float:
        return time / (self.t1 - self.t0) * (self.right - self.left)

    def _numbered(self, n: int, step: float, size: float) -> list[Tick]:
        """Of one piece: with as many numbers as stand apart and inside, one at least if it has room."""
        piece = self.pieces[n]
        times = multiples(piece, step)
        places, texts = self.at(times - piece.shift), list(map(number, times.tolist()))
        widths = np.array([text_width(text, size) for text in texts])
        least, most = self._bounds(n, size)
        inside = (places - widths / 2 >= least) & (places + widths / 2 <= most)
        need = _widest(times, size) + _APART * size
        every = next((k for k in _EVERY if self._apart(k * step) >= need), _EVERY[-1])
        shown = inside & (np.rint(times / step) % every == 0)
        if not shown.any() and inside.any():
            middle = sum(self.edges(piece)) / 2
            shown[np.argmin(np.where(inside, np.abs(places - middle), np.inf))] = True
        return [
            Tick(x, text if show else "")
            for x, text, show in zip(places.tolist(), texts, shown.tolist(), strict=True)
        ]

    def _bounds(self, n: int, size: float) -> tuple[float, float]:
        """Where numbers of a piece may stand: apart from those beyond the breaks beside it."""
        edges = [-math.inf, *(edge for piece in self.pieces for edge in self.edges(piece)), math.inf]
        left, right = (sum(edges[at : at + 2]) / 2 for at in (2 * n, 2 * n + 2))
        return left + _APART / 4 * size, right - _APART / 4 * size


def _widest(times: Floats, size: float) -> float:
    """Of their numbers; no number fits where there is none."""
    return max((text_width(number(time), size) for time in times.tolist()), default=math.inf)


def number(value: float) -> str:
    """A time or a level to read.

    >>> number(29999984.0), number(0.1 + 0.2)
    ('29,999,984', '0.3')
    """
    return f"{value:,.{15 if value.is_integer() else 12}g}"


def ruler(ticks: list[Tick], y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """Ticks below ``y`` with their numbers."""
    for x, text in ticks:
        yield Line(((x, y), (x, y + TICK)), theme.faint, 0.4)
        if text:
            yield Text(x, y + TICK + 0.9 * size, text, size, theme.ink, "middle")


def arrow(axis: Axis, y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """``time`` and an arrow below the chart, as in most papers."""
    middle, base = (axis.left + axis.right) / 2, y + 1.2 * size
    tail, level = middle + 4, base - 0.3 * size
    head = tail + 4 * size
    yield Text(middle, base, "time", size, theme.ink, "end")
    yield Line(((tail, level), (head, level)), theme.ink, 0.6)
    yield Line(((head - 2.5, level - 2), (head, level), (head - 2.5, level + 2)), theme.ink, 0.6)
