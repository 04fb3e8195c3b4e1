"""Cells thinner than a character: each column shows how its time is shared out.

In colour, a column is a pile of two, with heights to an eighth: below idle time, if it is a sixteenth of
the column or more, one kind; else forward below backward, or two kinds of backward. Only what runs in a
column is shown in it: of the kinds, directions or chunks that have the largest share there, or at least
half as much, the one that has been shown too little so far. In letters a column is idle as soon as half a
column of idle time is owed, so that every gap of a column's length is seen; else it shows the kind that is
owed the most. What a column cannot show is owed to the next ones, so that from the start of a lane to any
column the shares are right, to a column; a letter, though, only stands where its kind runs, or beside it.
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
    share = _shown(chart, chart.coverage(columns, colors.tone(chart), colors.tones))
    busy = np.clip(share.sum(axis=2), 0.0, 1.0)
    owed = np.zeros((lanes, len(Kind), colors.variants))
    lane = np.arange(lanes)
    for column in range(columns):
        here = share[:, column].reshape(owed.shape)
        owed = np.clip(owed, -1.0, 1.0) + here
        idle = 1 - busy[:, column] >= _LEAST
        low, high, part = _pile(here.sum(axis=2), owed.sum(axis=2), idle)
        low_variant, high_variant = (_most(here[lane, kind], owed[lane, kind]) for kind in (low, high))
        eighths = np.rint(8 * np.where(idle, busy[:, column], part)).astype(np.int64)
        canvas.char[:, column] = _LOWER_EIGHTHS[eighths % 8]
        fills = [
            colors.fill(kind * colors.variants + v) for kind, v in ((low, low_variant), (high, high_variant))
        ]
        canvas.front[:, column] = np.where(eighths % 8 > 0, fills[0], 0)
        canvas.back[:, column] = np.where(eighths == 8, fills[0], np.where(idle, 0, fills[1]))
        owed[lane, low, low_variant] -= np.where(idle, busy[:, column], eighths / 8)
        owed[lane, high, high_variant] -= np.where(idle, 0.0, 1 - eighths / 8)


def _shown(chart: Chart, share: Floats) -> Floats:
    """Shares of what a column shows, where a break takes a part of it."""
    if not chart.breaks:
        return share
    edges = np.linspace(chart.t0, chart.t1, share.shape[1] + 1)
    open_ = np.zeros(share.shape[1])
    for piece in chart.pieces:
        open_ += np.maximum(np.minimum(edges[1:], piece.t1) - np.maximum(edges[:-1], piece.t0), 0.0)
    part = open_ / np.diff(edges)
    return share / np.where(part >= _LEAST, part, 1.0)[:, None]


def _most(here: Floats, owed: Floats) -> Columns:
    """Of what has the largest share of a column, or half as much, what is owed the most: int64[lanes]."""
    much = (here > 0) & (2 * here >= here.max(axis=1, keepdims=True))
    chosen: Columns = np.where(much, owed, -np.inf).argmax(axis=1)
    return chosen


def _pile(here: Floats, owed: Floats, idle: Bools) -> tuple[Columns, Columns, Floats]:
    """Lower and upper kind of each lane's pile, and the part of the lower one, 0..1.

    ``here`` are the kinds' shares of the column, ``owed`` what they are owed, float64[lanes, kinds]. Below
    idle time stands one kind alone.
    """
    lane = np.arange(len(here))
    upper = 1 + _most(here[:, 1:], owed[:, 1:])
    others = here.copy()
    others[lane, upper] = 0.0
    lower = np.where(here[:, Kind.F] >= _LEAST, Kind.F, _most(others, owed))
    two = (here[lane, lower] >= _LEAST) & (here[lane, upper] >= _LEAST) & (lower != upper)
    alone = _most(here, owed)
    low, high = (
        np.where(two & ~idle, kind, alone) for kind in (np.minimum(lower, upper), np.maximum(lower, upper))
    )
    both = np.where(low == Kind.F, here.sum(axis=1), here[lane, low] + here[lane, high])
    part = np.divide(here[lane, low], both, out=np.ones_like(both), where=both > 0)
    return low, high, np.where(low == high, 1.0, np.clip(part, 1 / 8, 7 / 8))


def _near(share: Floats, column: int) -> Bools:
    """Whether each lane has each tone in this column or one beside it: nothing is shown far from there."""
    return np.asarray((share[:, max(column - 1, 0) : column + 2] > 0).any(axis=1))


def paint_letters(canvas: Canvas, chart: Chart, idle: str, stop: int) -> None:
    """Columns as one letter each, up to column ``stop``."""
    lanes, columns = canvas.char.shape
    share = _shown(chart, chart.coverage(columns, 2 * chart.kind + chart.shade % 2, 8))
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
