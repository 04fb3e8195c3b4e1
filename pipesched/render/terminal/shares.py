"""Cells thinner than a character: each column shows how its time is shared out.

In colour, a column is a pile of two, with heights to an eighth: below idle time, if it is a sixteenth of
the column or more, the kind that is owed the most; else forward below backward, or two kinds of backward.
Of several kinds or shades in one place, the one that is owed the most is shown. In letters a column is
idle as soon as half a column of idle time is owed, so that every gap of a column's length is seen; else
it shows the kind that is owed the most. What a column cannot show is owed to the next ones, so that from
the start of a lane to any column the shares are right, to a column; a letter, though, only stands where
its kind runs, or beside it.
"""

import numpy as np

from pipesched.ops import Kind
from pipesched.render.chart import Chart
from pipesched.render.terminal.canvas import Bools, Canvas, Columns
from pipesched.render.terminal.colors import Colors, letters
from pipesched.timeline import Floats

#: Lower parts of a character, by eighths.
_LOWER_EIGHTHS = np.array([ord(c) for c in " ▁▂▃▄▅▆▇█"], dtype=np.uint32)
#: The least share of a column that is shown.
_LEAST = 1 / 16


def paint_colors(canvas: Canvas, chart: Chart, colors: Colors) -> None:
    """Columns as piles of two."""
    lanes, columns = canvas.char.shape
    share = chart.coverage(columns, colors.tone(chart), colors.tones)
    busy = np.clip(share.sum(axis=2), 0.0, 1.0)
    owed = np.zeros((lanes, len(Kind), colors.variants))
    lane = np.arange(lanes)
    for column in range(columns):
        owed += share[:, column].reshape(owed.shape)
        idle = 1 - busy[:, column] >= _LEAST
        low, high, part = _pile(owed.sum(axis=2), idle)
        low_variant, high_variant = owed[lane, low].argmax(axis=1), owed[lane, high].argmax(axis=1)
        eighths = np.rint(8 * np.where(idle, busy[:, column], part)).astype(np.int64)
        canvas.char[:, column] = _LOWER_EIGHTHS[eighths]
        canvas.front[:, column] = np.where(eighths > 0, colors.fill(low * colors.variants + low_variant), 0)
        canvas.back[:, column] = np.where(idle, 0, colors.fill(high * colors.variants + high_variant))
        owed[lane, low, low_variant] -= np.where(idle, busy[:, column], eighths / 8)
        owed[lane, high, high_variant] -= np.where(idle, 0.0, 1 - eighths / 8)


def _near(share: Floats, column: int) -> Bools:
    """Whether each lane has each tone in this column or one beside it: nothing is shown far from there."""
    return np.asarray((share[:, max(column - 1, 0) : column + 2] > 0).any(axis=1))


def _pile(owed: Floats, idle: Bools) -> tuple[Columns, Columns, Floats]:
    """Lower and upper kind of each lane's pile, and the part of the lower one, 0..1.

    ``owed`` float64[lanes, kinds]. Below idle time stands the kind that is owed the most, alone.
    """
    lane, owed = np.arange(len(owed)), np.maximum(owed, 0.0)
    forward = owed[:, Kind.F]
    backward = np.sort(np.argpartition(owed[:, 1:], -2, axis=1)[:, -2:], axis=1) + 1
    mixed = forward >= _LEAST
    low = np.where(mixed, Kind.F, backward[:, 0])
    high = np.where(mixed, 1 + owed[:, 1:].argmax(axis=1), backward[:, 1])
    rest = np.where(mixed, owed.sum(axis=1) - forward, owed[lane, high])
    below = owed[lane, low]
    part = np.divide(below, below + rest, out=np.ones_like(below), where=below + rest > 0)
    return np.where(idle, owed.argmax(axis=1), low), high, part


def paint_letters(canvas: Canvas, chart: Chart, idle: str, stop: int) -> None:
    """Columns as one letter each, up to column ``stop``."""
    lanes, columns = canvas.char.shape
    share = chart.coverage(columns, 2 * chart.kind + chart.shade % 2, 8)
    tones = np.arange(share.shape[2])
    signs = letters(tones // 2, tones % 2)
    lane, owed, owed_idle = np.arange(lanes), np.zeros((lanes, len(signs))), np.zeros(lanes)
    for column in range(stop):
        owed += share[:, column]
        owed *= _near(share, column)
        owed_idle += 1 - share[:, column].sum(axis=1)
        rest = np.round(owed_idle, 6) >= 1 / 2
        shown = np.argmax(np.round(owed, 6), axis=1)
        canvas.char[:, column] = np.where(rest, ord(idle), signs[shown])
        owed_idle -= rest
        owed[lane, shown] -= ~rest
