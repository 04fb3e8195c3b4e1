"""Where times are on the page, and what says so: a ruler with round numbers, or an arrow."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pipesched.render.paper.page import Line, Shape, Text
from pipesched.render.paper.text import text_width
from pipesched.render.paper.theme import Theme
from pipesched.timeline import Floats

#: What is nearer to each other than this may be drawn as one, in points.
FINEST = 1 / 3
#: Height of a tick, and the free space between two numbers in their size.
TICK, _APART = 3.0, 2.0


class Tick(NamedTuple):
    """A mark of the ruler, in points, and its number."""

    x: float
    text: str


class Axis(NamedTuple):
    """The time axis of a figure: ``t0`` stands at ``left``, ``t1`` at ``right``.

    Only this knows where times are: what is to be left out of a figure, is left out here.
    """

    t0: float
    t1: float
    left: float
    right: float

    def at(self, times: Floats) -> Floats:
        """Times to points, on a grid of 1/100, so that neighbours meet in every format."""
        span = (self.t1 - self.t0) or 1.0
        share = (np.clip(times, self.t0, self.t1) - self.t0) / span
        return np.round(self.left + share * (self.right - self.left), 2)

    def ticks(self, size: float) -> list[Tick]:
        """Round times, 1, 2 or 5 times a power of ten apart, as dense as their numbers allow."""
        span = self.t1 - self.t0
        if not 1e-300 < span < math.inf:
            return []
        power = math.floor(math.log10(span)) - 2
        for step in (factor * 10.0**exponent for exponent in range(power, power + 4) for factor in (1, 2, 5)):
            first, last = math.ceil(self.t0 / step - 1e-9), math.floor(self.t1 / step + 1e-9)
            times = step * np.arange(first, last + 1, dtype=np.float64)
            texts = [f"{time:.10g}" for time in times.tolist()]
            widest = max((text_width(text, size) for text in texts), default=0.0)
            if step / span * (self.right - self.left) >= widest + _APART * size:
                return list(map(Tick, self.at(times).tolist(), texts))
        return []


def ruler(ticks: list[Tick], y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """Ticks below ``y`` with their numbers."""
    for x, text in ticks:
        yield Line(x, y, x, y + TICK, theme.faint, 0.4)
        yield Text(x, y + TICK + 0.9 * size, text, size, theme.ink, "middle")


def arrow(axis: Axis, y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """``time`` and an arrow below the chart, as in most papers."""
    middle, base = (axis.left + axis.right) / 2, y + 1.2 * size
    tail, level = middle + 4, base - 0.3 * size
    head = tail + 4 * size
    yield Text(middle, base, "time", size, theme.ink, "end")
    for x, height in ((tail, level), (head - 2.5, level - 2), (head - 2.5, level + 2)):
        yield Line(x, height, head, level, theme.ink, 0.6)
