"""The lanes of one chart as bordered cells with their micro-batch numbers."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, Half
from pipesched.render.paper.axis import Axis, number
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

    ``bar`` is its number in the chart, ``piece`` that of its piece of the axis, ``tone`` 2 x kind +
    shade % 2, ``left`` and ``right`` in points, ``room`` the size up to which its number has room in its
    width, 0 for no number.
    """

    bar: Ints
    piece: Ints
    lane: npt.NDArray[np.int32]
    tone: Ints
    half: npt.NDArray[np.int32]
    left: Floats
    right: Floats
    room: Floats


class Detail(NamedTuple):
    """How finely a figure is drawn, all charts of it alike: in whole cells, unless it is ``merged``.

    ``size`` is that of all numbers.
    """

    merged: bool
    border: float = 0.0
    size: float = 0.0


def cells(chart: Chart, axis: Axis) -> Cells:
    """What of the chart is to be drawn, and where."""
    bar = np.flatnonzero((chart.end > chart.t0) & (chart.start < chart.t1) & (chart.end > chart.start))
    left = axis.at(np.maximum(chart.start[bar], chart.t0))
    right = axis.at(np.minimum(chart.end[bar], chart.t1))
    width = right - left
    digits = np.floor(np.log10(np.maximum(chart.label[bar], 1)) + 1e-9) + 1
    room = np.minimum(width - _AIR, _WIDEST * width) / (DIGIT * digits)
    tone = 2 * chart.kind[bar].astype(np.int64) + chart.shade[bar] % 2
    piece = np.searchsorted([each.at for each in chart.breaks], chart.start[bar], side="right")
    return Cells(bar, piece, chart.lane[bar], tone, chart.half[bar], left, right, room)


def detail(charts: Sequence[Cells], height: float, largest: float) -> tuple[Detail, list[Cells]]:
    """How to draw them all in lanes ``height`` high, and the cells with room for the numbers that they have.

    All numbers have one size, up to ``largest``; cells of one sort have theirs if nine in ten of them have
    room for it.
    """
    width = np.concatenate([each.right - each.left for each in charts])
    thin = float(np.quantile(width, 0.25)) if len(width) else np.inf
    if thin < THINNEST or len(width) > MOST_CELLS:
        return Detail(merged=True), list(charts)
    sort, ends = np.concatenate(_sorts(charts)), np.cumsum([len(each.bar) for each in charts])
    room = np.minimum(
        np.concatenate([each.room for each in charts]), min(largest, _TALLEST * height / HEIGHT)
    )
    common = {each: float(np.quantile(room[sort == each], 0.1)) for each in np.unique(sort).tolist()}
    sizes = {each: size for each, size in common.items() if size >= SMALLEST}
    room[~np.isin(sort, list(sizes))] = 0.0
    airy = max(SMALLEST, _AIRY * thin / DIGIT)
    size = math.floor(min(min(sizes.values(), default=0.0), airy) * 20) / 20
    numbered = [
        each._replace(room=rooms) for each, rooms in zip(charts, np.split(room, ends[:-1]), strict=True)
    ]
    return Detail(False, min(_BORDER, _HEAVIEST * min(thin, height)), size), numbered


def _sorts(charts: Sequence[Cells]) -> list[Ints]:
    """Numbers that tell apart what may have numbers or not: kinds.

    Where the axis breaks, micro-batches are few before and many after it, and in one direction more than in
    the other: there each chart, piece and tone is a sort.
    """
    pieces = 1 + max((int(each.piece.max(initial=0)) for each in charts), default=0)
    if pieces == 1:
        return [each.tone // 2 for each in charts]
    return [each.tone + 2 * len(Kind) * (each.piece + n * pieces) for n, each in enumerate(charts)]


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
    # A window or a break may have cut one off.
    together = is_left[:-1] & is_right[1:] & (np.diff(drawn.bar) == 1) & (np.diff(drawn.piece) == 0)
    joined = np.append(together, False)[: len(is_left)]
    follows = np.append(False, joined)[: len(is_left)]
    for at in np.flatnonzero((is_left | is_right) & ~follows).tolist():
        x, right = float(drawn.left[at]), float(drawn.right[at + 1 if joined[at] else at])
        yield Box(x, float(top[at]), round(right - x, 2), rows.height, None, theme.border, border)


def _hints(chart: Chart) -> Callable[[int], str]:
    names = {(entry.kind, entry.shade): entry.text for entry in chart.legend}
    cuts = {edge for each in chart.breaks for edge in (each.at, each.at + each.width)}

    def hint(bar: int) -> str:
        kind, shade = int(chart.kind[bar]), int(chart.shade[bar]) % 2
        what = names.get((Kind(kind), shade), KIND_NAMES[kind])
        where = f"{what}, micro-batch {chart.label[bar]}, device {chart.lanes[chart.lane[bar]]}"
        start, end = float(chart.start[bar]), float(chart.end[bar])
        if start in cuts or end in cuts:  # a break may have cut it
            return where
        return f"{where}, {number(chart.time(start))} to {number(chart.time(end))} {chart.unit}"

    return hint


def numbers(chart: Chart, drawn: Cells, rows: Rows, style: Detail, theme: Theme) -> Iterator[Text]:
    """The micro-batch numbers of the kinds that have them, where they have room."""
    shown = (drawn.room > 0) & (drawn.room >= style.size)
    x, middle = (drawn.left + drawn.right) / 2, rows.top(drawn.lane) + rows.height / 2
    for at in np.flatnonzero(shown)[np.argsort(drawn.tone[shown], kind="stable")].tolist():
        text, ink = str(chart.label[drawn.bar[at]]), theme.tone(int(drawn.tone[at])).ink
        yield Text.level(float(x[at]), float(middle[at]), text, style.size, ink, "middle")
