"""Cells as text: ``F12``, a pair ``F7&b13``; with less room ``F``, ``F&b``, ``F&``, ``&``.

Half a pair, whose other half the window left out, is ``F7&`` or ``&b13``.

Every cell begins with its letter and is blank after its text; idle columns carry a mark. Where rounding
hid half a column of idle time or more, it takes a column from a neighbour.
"""

import numpy as np

from pipesched.render.chart import Chart
from pipesched.render.terminal.canvas import Bools, Canvas, Columns, digits, spread
from pipesched.render.terminal.cells import Cells
from pipesched.render.terminal.colors import letters


def paint(canvas: Canvas, chart: Chart, cells: Cells, idle: str, stop: int) -> int:
    """Draw all cells, and idle time up to column ``stop``; how many bars show their number."""
    cells = _with_idle_columns(cells).visible()
    canvas.char[:, :stop] = ord(idle)
    owner, column = spread(cells.start, cells.stop)
    canvas.put(cells.lane[owner], column, " ")
    letter = letters(chart.kind, chart.shade)
    width, length = cells.stop - cells.start, digits(chart.label[cells.bar]) + 1
    start = cells.start + ((cells.severed > 0) & (width > 1))
    other = np.minimum(cells.bar + 1, len(letter) - 1)  # the backward of a pair
    beside = cells.paired * (digits(chart.label[other]) + 2) + (cells.severed != 0)
    fits = width >= length + beside
    canvas.put(cells.lane, start, letter[cells.bar])
    _put_numbers(canvas, chart, cells, fits, cells.bar, start + 1)
    joint = cells.start + np.where(cells.severed > 0, 0, np.where(fits, length, width >= 2))
    backward = np.flatnonzero(cells.paired & (width >= 3))
    canvas.put(cells.lane[backward], joint[backward] + 1, letter[other[backward]])
    ampersand = np.flatnonzero(cells.paired | (cells.severed != 0))
    canvas.put(cells.lane[ampersand], joint[ampersand], "&")
    _put_numbers(canvas, chart, cells, fits & cells.paired, other, joint + 2)
    return int((fits * (1 + cells.paired)).sum())


def _put_numbers(
    canvas: Canvas, chart: Chart, cells: Cells, chosen: Bools, bar: Columns, column: Columns
) -> None:
    at = np.flatnonzero(chosen)
    canvas.put_number(cells.lane[at], column[at], chart.label[bar[at]])


def _with_idle_columns(cells: Cells) -> Cells:
    """Give idle time of half a column or more that rounding hid the column of its wider neighbour."""
    start, stop = cells.start.copy(), cells.stop.copy()
    opens = np.diff(cells.lane, prepend=-1) != 0
    for i in np.flatnonzero(cells.hidden >= 0.5 - 1e-6).tolist():
        here = stop[i] - start[i]
        before = 0 if opens[i] else stop[i - 1] - start[i - 1]
        if before >= max(here, 1):
            stop[i - 1] -= 1
        elif here:
            start[i] += 1
    return cells._replace(start=start, stop=stop)
