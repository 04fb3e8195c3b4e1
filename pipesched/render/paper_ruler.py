"""The time axis: a ruler with round numbers, or an arrow."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from pipesched.render.paper import Line, Shape, Text
from pipesched.render.paper_text import text_width
from pipesched.render.paper_theme import Theme


class Tick(NamedTuple):
    """A mark: how far right of the axis' begin in points, and its text."""

    x: float
    text: str


def ticks(t0: float, t1: float, rate: float, size: float) -> list[Tick]:
    """Round times, 1, 2 or 5 times a power of ten apart, as dense as their texts allow."""
    if not (t1 > t0 and math.isfinite(rate)):
        return []
    power = math.floor(math.log10(t1 - t0)) - 2
    for exponent in range(power, power + 4):
        for factor in (1, 2, 5):
            step = factor * 10.0**exponent
            first, last = math.ceil(t0 / step - 1e-9), math.floor(t1 / step + 1e-9)
            if last - first > 200:
                continue
            marks = [Tick((n * step - t0) * rate, f"{n * step:.10g}") for n in range(first, last + 1)]
            widest = max((text_width(mark.text, size) for mark in marks), default=0.0)
            if step * rate >= widest + 1.2 * size:
                return marks
    return []


def ruler(marks: list[Tick], left: float, y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """Ticks below ``y`` with their numbers; the last one ends with the axis at the latest."""
    for mark in marks:
        x = round(left + mark.x, 2)
        yield Line(x, y, x, y + 3, theme.faint, 0.4)
        yield Text(x, round(y + 3 + 0.9 * size, 2), mark.text, size, theme.ink, "middle")


def arrow(left: float, right: float, y: float, size: float, theme: Theme) -> Iterator[Shape]:
    """``time`` and an arrow below the chart, as in most papers."""
    middle, base = (left + right) / 2, round(y + 1.2 * size, 2)
    name = Text(round(middle, 2), base, "time", size, theme.ink, "end")
    x0, level = round(middle + 4, 2), round(base - 0.3 * size, 2)
    x1 = round(x0 + 4 * size, 2)
    yield name
    for begin, height in ((x0, level), (x1 - 2.5, level - 2), (x1 - 2.5, level + 2)):
        yield Line(begin, height, x1, level, theme.ink, 0.6)
