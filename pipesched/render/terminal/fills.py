"""Cells in colour: fills to an eighth of a column, with the micro-batch in the middle.

Where all cells are whole columns wide, each has a border on its left: a hole of an eighth through which
the terminal's background shows, so it fits light and dark ones. Else cells that look alike are told
apart by two shades, even and odd micro-batches, and so are those whose number needs the border's place.
Idle time is blank, from a sixteenth of a column up. A pair has no border inside and is underlined.
"""

from typing import NamedTuple

import numpy as np

from pipesched.render.chart import Chart, Half, Ints
from pipesched.render.terminal import eighths
from pipesched.render.terminal.canvas import Bools, Canvas, Columns, digits, spread
from pipesched.render.terminal.colors import AnyInts, Colors, letters
from pipesched.render.terminal.scale import Scale


class _Bars(NamedTuple):
    """One entry per bar of at least an eighth of a column: where it stands, in eighths.

    ``opens`` says that a cell starts here, ``paired`` that it is half of a pair.
    """

    bar: Columns
    lane: Columns
    start: Columns
    stop: Columns
    opens: Bools
    paired: Bools


class _Row(NamedTuple):
    """Bars that touch and look alike, one entry per bar: how many there are, and which one this is."""

    length: Columns
    place: Columns

    def any(self, which: Bools) -> Bools:
        """Whether it is true of any bar of each bar's row."""
        number = np.cumsum(self.place == 0) - 1
        found: Bools = np.bincount(number, which)[number] > 0 if len(number) else which
        return found


class _Text(NamedTuple):
    """Columns of text per bar: where it starts, how much of it there is, whether that is all of it.

    ``tight`` needs columns that the bar does not fill, or the place of the border.
    """

    column: Columns
    length: Columns
    whole: Bools
    tight: Bools


def paint(canvas: Canvas, chart: Chart, scale: Scale, colors: Colors) -> int:
    """Draw all cells; how many bars show their number."""
    bars = _bars(chart, scale)
    tone = colors.tone(chart)[bars.bar]
    row = _rows(bars, colors.alike(tone))
    shades = colors.shades[tone]
    border = bars.opens & (scale.whole | ((row.place > 0) & ~shades))
    plain = _raster(canvas, bars, border)
    apart = shades | (bars.stop - bars.start <= 8) | (row.length == 1)
    text = _texts(bars, chart, border, apart, _blank(plain), lettered=colors.lettered)
    border &= ~text.tight
    shaded = _shaded(bars, chart.label, row) * (shades & ((not scale.whole) | row.any(text.tight)))
    fill = colors.fill(tone, shaded)
    lanes = _raster(canvas, bars, border, fill)
    _make_room(lanes, bars, text, fill)
    eighths.show(canvas, lanes)
    whole = (canvas.char == ord(" ")) & (canvas.back > 0)
    canvas.front[whole] = colors.ink_on(canvas.back[whole])
    _underline(canvas, bars)
    _write(canvas, chart, bars, text, colors.ink(tone), lettered=colors.lettered)
    return int(text.whole.sum())


def _bars(chart: Chart, scale: Scale) -> _Bars:
    limit = 8 * scale.columns
    start, stop = (
        np.clip(np.floor(8 * scale.at(times) + 0.5 + 1e-6), -1, limit).astype(np.int64)
        for times in (chart.start, chart.end)
    )
    bar = np.flatnonzero(stop > np.maximum(start, 0))
    half, start = chart.half[bar], start[bar]
    opens = (half != Half.RIGHT) & (start >= 0)
    return _Bars(
        bar,
        chart.lane[bar].astype(np.int64),
        np.maximum(start, 0),
        stop[bar],
        opens,
        half != Half.WHOLE,
    )


def _rows(bars: _Bars, alike: AnyInts) -> _Row:
    apart = (np.diff(bars.lane) != 0) | (bars.start[1:] != bars.stop[:-1]) | (np.diff(alike) != 0)
    first = np.flatnonzero(np.append(True, apart)[: len(alike)])
    length = np.diff(np.append(first, len(alike)))
    return _Row(np.repeat(length, length), np.arange(len(alike)) - np.repeat(first, length))


def _shaded(bars: _Bars, label: Ints, row: _Row) -> AnyInts:
    """1 for every second bar: odd micro-batches, or by place where two neighbours were of one shade."""
    odd = label[bars.bar] % 2
    same = np.append(False, np.diff(odd) == 0)[: len(odd)] & (row.place > 0)
    return np.where(row.any(same), row.place % 2, odd) * (row.length > 1)


def _raster(canvas: Canvas, bars: _Bars, border: Bools, fill: AnyInts | None = None) -> eighths.Eighths:
    lanes = eighths.empty(*canvas.char.shape)
    start = np.minimum(bars.start + border, bars.stop)
    eighths.fill(lanes, bars.lane, start, bars.stop, np.ones_like(start) if fill is None else fill)
    return lanes


def _blank(lanes: eighths.Eighths) -> Columns:
    """How many eighths of all columns before each one are blank: int64[lanes, columns + 1]."""
    blank = (lanes.reshape(len(lanes), lanes.shape[1] // 8, 8) == 0).sum(axis=2)
    return np.concatenate((np.zeros((len(blank), 1), dtype=np.int64), np.cumsum(blank, axis=1)), axis=1)


def _texts(
    bars: _Bars, chart: Chart, border: Bools, apart: Bools, blank: Columns, *, lettered: bool
) -> _Text:
    """Where numbers fit: in columns that are the bar's alone, or, if need be, in those it has most of."""
    most = digits(chart.label[bars.bar]) + lettered
    first, last = (bars.start + border + 7) // 8, bars.stop // 8
    near_first, near_last = (bars.start + 4) // 8, (bars.stop + 4) // 8
    # A wider text may take a border's place, and parts of neighbours, but not idle time.
    blanks = blank[bars.lane, near_last] - blank[bars.lane, np.minimum(near_first, near_last)]
    loose = apart & (blanks <= border)
    length, tight = np.zeros_like(most), np.zeros_like(loose)
    for wanted in (np.full_like(most, int(lettered)), most):
        fits, nearly = last - first >= wanted, loose & (near_last - near_first >= wanted)
        length = np.where(fits | nearly, wanted, length)
        tight = np.where(fits | nearly, ~fits & (wanted > 0), tight)
    middle = near_first + np.maximum(near_last - near_first - length, 0) // 2
    inside = np.clip(middle, first, np.maximum(last - length, first))
    return _Text(np.where(tight, middle, inside), length, length == most, tight)


def _make_room(lanes: eighths.Eighths, bars: _Bars, text: _Text, fill: AnyInts) -> None:
    """Give tight texts the whole of their columns."""
    at = np.flatnonzero(text.tight)
    start = 8 * text.column[at]
    eighths.fill(lanes, bars.lane[at], start, start + 8 * text.length[at], fill[at])


def _underline(canvas: Canvas, bars: _Bars) -> None:
    at = np.flatnonzero(bars.paired)
    lanes = eighths.empty(*canvas.char.shape)
    eighths.fill(lanes, bars.lane[at], bars.start[at], bars.stop[at], np.ones_like(at))
    inside = lanes.reshape(*canvas.char.shape, 8).all(axis=2)
    canvas.underline[:] = inside & (canvas.back > 0) & ((canvas.char == ord(" ")) | (canvas.front > 0))


def _write(canvas: Canvas, chart: Chart, bars: _Bars, text: _Text, ink: AnyInts, *, lettered: bool) -> None:
    owner, column = spread(text.column, text.column + text.length)
    canvas.front[bars.lane[owner], column] = ink[owner]
    if lettered:
        at = np.flatnonzero(text.length)
        canvas.put(bars.lane[at], text.column[at], letters(chart.kind[bars.bar[at]]))
    at = np.flatnonzero(text.whole)
    canvas.put_number(bars.lane[at], text.column[at] + lettered, chart.label[bars.bar[at]])
