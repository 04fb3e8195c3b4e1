"""The lanes of one chart as bordered cells with their micro-batch numbers.

A number is dropped where it would be too small to read, and all numbers of a tone where a quarter are;
those that are shown have one size.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import KIND_NAMES
from pipesched.render.chart import Chart, Half
from pipesched.render.paper import Box, Text
from pipesched.render.paper_text import DIGIT, HEIGHT
from pipesched.render.paper_theme import Theme
from pipesched.timeline import Floats

Ints = npt.NDArray[np.int64]

#: The smallest number that can be read, what is kept free beside it at least, and the border, in points.
SMALLEST, _AIR, _BORDER = 4.0, 0.7, 0.4
#: Thinner borders than this are not drawn.
_FINEST = 0.08
#: Width of a mark, of its head, and its height in a lane: of an unknown action, and of a known one.
_MARK, _HEAD, _UNKNOWN, _KNOWN = 1.4, 4.2, 1.0, 0.45
#: Width of a number in a cell, and height in a lane, at most.
_WIDEST, _TALLEST = 0.86, 0.68


class Frame(NamedTuple):
    """Where a chart's lanes are: time ``t0`` at ``x``, ``rate`` points a unit, lanes from ``y`` down."""

    x: float
    y: float
    rate: float
    t0: float
    pitch: float

    def at(self, time: Floats) -> Floats:
        """Times to points, on a grid of 1/100."""
        return np.round(self.x + (time - self.t0) * self.rate, 2)


class Cells(NamedTuple):
    """The bars to draw: each one's number in the chart, its two ends and its top in points.

    ``height`` is that of all, ``border`` its thickness, ``tone`` int64[n] is 2 x kind + shade % 2.
    """

    bar: Ints
    tone: Ints
    half: npt.NDArray[np.int32]
    left: Floats
    right: Floats
    top: Floats
    height: float
    border: float

    @property
    def thin(self) -> float:
        """A quarter of the cells are narrower than this, in points."""
        return float(np.quantile(self.right - self.left, 0.25)) if len(self.bar) else np.inf

    def rectangle(self, first: int, last: int) -> tuple[float, float, float, float]:
        """x, y, width, height of a cell, or of one that reaches to another's end."""
        x = float(self.left[first])
        return x, float(self.top[first]), round(float(self.right[last]) - x, 2), self.height


def cells(chart: Chart, frame: Frame) -> Cells:
    """Every bar that takes time in the window, cut to it."""
    bar = np.flatnonzero((chart.end > chart.t0) & (chart.start < chart.t1) & (chart.end > chart.start))
    left = frame.at(np.maximum(chart.start[bar], chart.t0))
    right = frame.at(np.minimum(chart.end[bar], chart.t1))
    top = np.round(frame.y + frame.pitch * chart.lane[bar], 2)
    tone = 2 * chart.kind[bar].astype(np.int64) + chart.shade[bar] % 2
    found = Cells(bar, tone, chart.half[bar], left, right, top, frame.pitch, 0.0)
    border = round(min(_BORDER, 0.08 * min(found.thin, frame.pitch)), 2)
    return found._replace(border=border if border >= _FINEST else 0.0)


def boxes(chart: Chart, drawn: Cells, theme: Theme, *, hints: bool) -> Iterator[Box]:
    """Fills and borders, tone by tone; a pair is one bordered cell, its backward on the right."""
    border = (theme.border, drawn.border) if drawn.border else (None, 0.0)
    for at in np.argsort(8 * drawn.half + drawn.tone, kind="stable").tolist():
        fill = theme.tone(*divmod(int(drawn.tone[at]), 2)).fill
        line, thickness = border if drawn.half[at] == Half.WHOLE else (None, 0.0)
        hint = _hint(chart, int(drawn.bar[at])) if hints else ""
        yield Box(*drawn.rectangle(at, at), fill, line, thickness, hint)
    if drawn.border:
        pairs = drawn.half != Half.WHOLE
        joined = (drawn.half[:-1] == Half.LEFT) & (drawn.half[1:] == Half.RIGHT)  # a window may cut one off
        for at in np.flatnonzero(pairs & ~np.append(False, joined)[: len(pairs)]).tolist():
            last = at + 1 if at < len(joined) and joined[at] else at
            yield Box(*drawn.rectangle(at, last), None, *border)


def _hint(chart: Chart, bar: int) -> str:
    kind, shade = int(chart.kind[bar]), int(chart.shade[bar]) % 2
    texts = (entry.text for entry in chart.legend if (entry.kind, entry.shade) == (kind, shade))
    what = next(texts, KIND_NAMES[kind])
    times = f"{chart.start[bar]:.6g} to {chart.end[bar]:.6g} {chart.unit}"
    return f"{what}, micro-batch {chart.label[bar]}, device {chart.lanes[chart.lane[bar]]}, {times}"


def marked(chart: Chart, frame: Frame, theme: Theme) -> Iterator[Box]:
    """What takes no time, as a flag at its time: a high one for unknown actions, else a short line."""
    for lane, time, opaque, text in chart.marks.by_place() if chart.marks else ():
        x = float(frame.at(np.array([time]))[0])
        height = round(frame.pitch * (_UNKNOWN if opaque else _KNOWN), 2)
        top = round(frame.y + frame.pitch * (lane + 1) - height, 2)
        hint = f"{text}, device {chart.lanes[lane]}, at {time:.6g} {chart.unit}, takes no time"
        yield Box(round(x - _MARK / 2, 2), top, _MARK, height, theme.mark, None, 0.0, hint)
        if opaque:
            head = round(min(_HEAD, 0.5 * frame.pitch), 2)
            yield Box(round(x - head / 2, 2), top, head, head, theme.mark, theme.idle, 0.3, hint)


def numbers(chart: Chart, drawn: Cells, theme: Theme, most: float) -> Iterator[Text]:
    """The micro-batch numbers that fit, at most ``most`` points high."""
    label = chart.label[drawn.bar]
    digits = np.floor(np.log10(np.maximum(label, 1)) + 1e-9) + 1
    width = drawn.right - drawn.left
    room = np.minimum(width - _AIR, _WIDEST * width)
    sizes = np.minimum(room / (DIGIT * digits), min(most, _TALLEST * drawn.height / HEIGHT))
    readable = sizes >= SMALLEST
    of_tone = np.bincount(drawn.tone, minlength=8)
    readable &= (np.bincount(drawn.tone, readable, minlength=8) > 0.75 * of_tone)[drawn.tone]
    if not readable.any():
        return
    size = float(np.floor(sizes[readable].min() * 20) / 20)
    middle = np.round((drawn.left + drawn.right) / 2, 2)
    base = np.round(drawn.top + (drawn.height + HEIGHT * size) / 2, 2)
    for at in np.flatnonzero(readable).tolist():
        ink = theme.tone(*divmod(int(drawn.tone[at]), 2)).ink
        yield Text(float(middle[at]), float(base[at]), str(label[at]), size, ink, "middle")
