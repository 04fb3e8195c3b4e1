"""Cells in colour: fills with a border on the left and the micro-batch in the middle.

The border is a hole of an eighth of a column through which the terminal's background shows, so it fits
light and dark ones. Idle time that rounding hid makes it wider, by as many eighths. A pair has no border
inside and is underlined. A number that needs the whole cell takes the border's place, unless the
neighbours look alike and cannot be told apart by shading every second of them.
"""

from typing import NamedTuple

import numpy as np

from pipesched.render.chart import Chart, Ints
from pipesched.render.terminal.canvas import Canvas, Columns, digits, spread
from pipesched.render.terminal.cells import Bools, Cells
from pipesched.render.terminal.colors import Colors, letters

#: Left parts of a character, by eighths.
_LEFT_EIGHTHS = np.array([ord(c) for c in " ▏▎▍▌▋▊▉█"], dtype=np.uint32)


class _Bars(NamedTuple):
    """One entry per bar of at least a column: where it stands, and ``border`` in eighths of a column."""

    bar: Columns
    lane: Columns
    start: Columns
    stop: Columns
    border: Columns
    paired: Bools

    def take(self, chosen: Bools | Columns) -> "_Bars":
        return _Bars(
            self.bar[chosen],
            self.lane[chosen],
            self.start[chosen],
            self.stop[chosen],
            self.border[chosen],
            self.paired[chosen],
        )


class _Row(NamedTuple):
    """Bars that touch and look alike, one entry per bar: how many there are, and which one this is."""

    length: Columns
    place: Columns


def paint(canvas: Canvas, chart: Chart, cells: Cells, colors: Colors) -> int:
    """Draw all cells; how many bars show their number."""
    bars = _bars(cells)
    tone, label = colors.tone[bars.bar], chart.label[bars.bar]
    row = _rows(bars, tone)
    letter = 1 if colors.by_microbatch else 0
    width, whole = bars.stop - bars.start, digits(label) + letter
    borderless = (bars.border <= 1) & (colors.shades | (width == 1) | (row.length == 1))
    shown = _fits(bars, whole, borderless)
    length = np.where(shown, whole, letter * _fits(bars, np.ones_like(whole), borderless))
    border = np.where(length < width, bars.border, 0)
    shaded = (row.place % 2) * (row.length > 1) * bool(colors.shades) * _any_in_row(row, border < bars.border)
    _fill(canvas, bars, colors, tone, shaded)
    _draw_borders(canvas, bars.take(border > 0), border[border > 0])
    column = bars.start + np.maximum((width - length) // 2, border > 0)
    if letter:
        lettered = np.flatnonzero(length > 0)
        canvas.put(bars.lane[lettered], column[lettered], letters(chart.kind[bars.bar[lettered]]))
    at = np.flatnonzero(shown)
    canvas.put_number(bars.lane[at], column[at] + letter, label[at])
    return len(at)


def _bars(cells: Cells) -> _Bars:
    """The bars of all cells, in order of lane and time."""
    border = np.where(cells.hidden >= 1 / 16, np.clip(np.rint(8 * cells.hidden), 2, 7), 1)
    border = np.where(cells.cut, 0, border).astype(np.int64)
    left = _Bars(cells.bar, cells.lane, cells.start, cells.meet, border, cells.paired)
    right = left._replace(bar=cells.bar + 1, start=cells.meet, stop=cells.stop, border=0 * border)
    both = [np.concatenate((one, other[cells.paired])) for one, other in zip(left, right, strict=True)]
    bars = _Bars(*both)
    bars = bars.take(bars.stop > bars.start)
    return bars.take(np.argsort(bars.bar, kind="stable"))


def _rows(bars: _Bars, tone: Ints) -> _Row:
    apart = (np.diff(bars.lane) != 0) | (bars.start[1:] != bars.stop[:-1]) | (np.diff(tone) != 0)
    first = np.flatnonzero(np.append(True, apart)[: len(tone)])
    length = np.diff(np.append(first, len(tone)))
    return _Row(np.repeat(length, length), np.arange(len(tone)) - np.repeat(first, length))


def _any_in_row(row: _Row, which: Bools) -> Bools:
    """Whether it is true of any bar of each bar's row."""
    number = np.cumsum(row.place == 0) - 1
    found: Bools = np.bincount(number, which)[number] > 0
    return found


def _fits(bars: _Bars, length: Columns, borderless: Bools) -> Bools:
    """Whether a text has room beside the border, or in its place."""
    width = bars.stop - bars.start
    needed = length + ((bars.border > 0) & ~(borderless & (width == length)))
    enough: Bools = width >= needed
    return enough


def _fill(canvas: Canvas, bars: _Bars, colors: Colors, tone: Ints, shaded: Columns) -> None:
    owner, column = spread(bars.start, bars.stop)
    lane = bars.lane[owner]
    canvas.back[lane, column] = colors.fill(tone, shaded)[owner]
    canvas.front[lane, column] = colors.ink(tone)[owner]
    canvas.underline[lane, column] = bars.paired[owner]


def _draw_borders(canvas: Canvas, bars: _Bars, border: Columns) -> None:
    canvas.put(bars.lane, bars.start, _LEFT_EIGHTHS[border])
    canvas.front[bars.lane, bars.start] = 0
    canvas.underline[bars.lane, bars.start] = False
