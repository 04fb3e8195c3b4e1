"""The lanes of one chart as bordered cells with their micro-batch numbers."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, Half
from pipesched.render.paper.axis import Axis
from pipesched.render.paper.page import Box, Text
from pipesched.render.paper.text import DIGIT, HEIGHT
from pipesched.render.paper.theme import Theme
from pipesched.timeline import Floats

Ints = npt.NDArray[np.int64]

#: Cells are drawn one by one where at most a quarter of them are thinner than this, in points, and there
#: are at most so many in a figure.
THINNEST, MOST_CELLS = 1.0, 20_000
#: Up to here every cell says what it is when the mouse is over it.
MOST_HINTS = 3000
#: The smallest number that can be read, what is kept free beside it at least, and a border, in points.
SMALLEST, _AIR, _BORDER = 4.0, 0.7, 0.4
#: Width of a number in its cell, of a digit in a thin cell (unless that makes it too small), height in a
#: lane, and a border in either, at most.
_WIDEST, _AIRY, _TALLEST, _HEAVIEST = 0.86, 0.55, 0.68, 0.1


class Rows(NamedTuple):
    """The lanes of one chart: cells are ``height`` high, and from one lane to the next it is ``pitch``."""

    y: float
    pitch: float
    height: float

    def top(self, lane: npt.NDArray[np.int32]) -> Floats:
        """Where the cells of a lane begin."""
        return np.round(self.y + self.pitch * lane, 2)


class Cells(NamedTuple):
    """The bars of one chart that take time in its window, cut to it: one entry each.

    ``bar`` is its number in the chart, ``tone`` 2 x kind + shade % 2, ``left`` and ``right`` in points,
    ``room`` the size up to which its number has room in its width.
    """

    bar: Ints
    lane: npt.NDArray[np.int32]
    tone: Ints
    half: npt.NDArray[np.int32]
    left: Floats
    right: Floats
    room: Floats


class Detail(NamedTuple):
    """How finely a figure is drawn, all charts of it alike: in whole cells, unless it is ``merged``.

    ``size`` is that of all numbers, ``numbered`` the kinds that have them.
    """

    merged: bool
    border: float = 0.0
    size: float = 0.0
    numbered: frozenset[Kind] = frozenset()


def cells(chart: Chart, axis: Axis) -> Cells:
    """What of the chart is to be drawn, and where."""
    bar = np.flatnonzero((chart.end > chart.t0) & (chart.start < chart.t1) & (chart.end > chart.start))
    left = axis.at(np.maximum(chart.start[bar], chart.t0))
    right = axis.at(np.minimum(chart.end[bar], chart.t1))
    width = right - left
    digits = np.floor(np.log10(np.maximum(chart.label[bar], 1)) + 1e-9) + 1
    room = np.minimum(width - _AIR, _WIDEST * width) / (DIGIT * digits)
    tone = 2 * chart.kind[bar].astype(np.int64) + chart.shade[bar] % 2
    return Cells(bar, chart.lane[bar], tone, chart.half[bar], left, right, room)


def detail(charts: Sequence[Cells], height: float, largest: float) -> Detail:
    """How to draw them all in lanes ``height`` high, with numbers of a size up to ``largest``.

    A kind has numbers if nine in ten of its cells have room for them. All numbers have one size.
    """
    width = np.concatenate([each.right - each.left for each in charts])
    thin = float(np.quantile(width, 0.25)) if len(width) else np.inf
    if thin < THINNEST or len(width) > MOST_CELLS:
        return Detail(merged=True)
    kind = np.concatenate([each.tone // 2 for each in charts])
    room = np.minimum(
        np.concatenate([each.room for each in charts]), min(largest, _TALLEST * height / HEIGHT)
    )
    common = {each: float(np.quantile(room[kind == each], 0.1)) for each in Kind if (kind == each).any()}
    numbered = frozenset(each for each, size in common.items() if size >= SMALLEST)
    airy = max(SMALLEST, _AIRY * thin / DIGIT)
    size = min((common[each] for each in numbered), default=0.0)
    return Detail(
        False, min(_BORDER, _HEAVIEST * min(thin, height)), math.floor(min(size, airy) * 20) / 20, numbered
    )


def boxes(chart: Chart, drawn: Cells, rows: Rows, border: float, theme: Theme) -> Iterator[Box]:
    """Fills and borders, tone by tone; a pair is one bordered cell, its backward on the right."""
    say = _hints(chart) if theme.hints and len(drawn.bar) <= MOST_HINTS else lambda _: ""
    top, width = rows.top(drawn.lane), np.round(drawn.right - drawn.left, 2)
    for at in np.argsort(8 * drawn.half + drawn.tone, kind="stable").tolist():
        fill, hint = theme.tone(int(drawn.tone[at])).fill, say(int(drawn.bar[at]))
        line, thickness = (theme.border, border) if drawn.half[at] == Half.WHOLE else (None, 0.0)
        x, y, wide = float(drawn.left[at]), float(top[at]), float(width[at])
        yield Box(x, y, wide, rows.height, fill, line, thickness, hint)
    is_left, is_right = drawn.half == Half.LEFT, drawn.half == Half.RIGHT
    together = is_left[:-1] & is_right[1:] & (np.diff(drawn.bar) == 1)  # a window may have cut one off
    joined = np.append(together, False)[: len(is_left)]
    follows = np.append(False, joined)[: len(is_left)]
    for at in np.flatnonzero((is_left | is_right) & ~follows).tolist():
        x, right = float(drawn.left[at]), float(drawn.right[at + 1 if joined[at] else at])
        yield Box(x, float(top[at]), round(right - x, 2), rows.height, None, theme.border, border)


def _hints(chart: Chart) -> Callable[[int], str]:
    names = {(entry.kind, entry.shade): entry.text for entry in chart.legend}

    def hint(bar: int) -> str:
        kind, shade = int(chart.kind[bar]), int(chart.shade[bar]) % 2
        what = names.get((Kind(kind), shade), KIND_NAMES[kind])
        times = f"{chart.start[bar]:.6g} to {chart.end[bar]:.6g} {chart.unit}"
        return f"{what}, micro-batch {chart.label[bar]}, device {chart.lanes[chart.lane[bar]]}, {times}"

    return hint


def numbers(chart: Chart, drawn: Cells, rows: Rows, style: Detail, theme: Theme) -> Iterator[Text]:
    """The micro-batch numbers of the kinds that have them, where they have room."""
    shown = np.isin(drawn.tone // 2, list(style.numbered)) & (drawn.room >= style.size)
    x, middle = (drawn.left + drawn.right) / 2, rows.top(drawn.lane) + rows.height / 2
    for at in np.flatnonzero(shown)[np.argsort(drawn.tone[shown], kind="stable")].tolist():
        text, ink = str(chart.label[drawn.bar[at]]), theme.tone(int(drawn.tone[at])).ink
        yield Text.level(float(x[at]), float(middle[at]), text, style.size, ink, "middle")
