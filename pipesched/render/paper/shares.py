"""The lanes of a chart whose cells are too thin to draw, as columns of shares.

In each column the height of a colour is its share of the column's time, piled up from the foot of the lane:
forward, backward, backward for the input, for the weights. Blank is idle. Heights are rounded to a fortieth
of the lane, but never so that idle or busy time vanishes.

A column is as wide as one cell of each tone of the steady state together, or the least multiple of that
which is a third of a point: most steady states repeat after so long, and columns of whole periods are alike.
"""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart
from pipesched.render.paper.axis import FINEST, Axis
from pipesched.render.paper.cells import Rows
from pipesched.render.paper.page import Steps
from pipesched.render.paper.theme import Theme
from pipesched.timeline import Floats

#: What a figure must say where it is drawn like this.
NOTE = (
    "Cells too thin to draw are merged: in each column of a lane, heights are shares of time, forward at the "
    "foot, then backward; blank is idle."
)
#: The width of a column of whole periods at most, and of others at least, in points.
_WIDEST, _OTHERWISE = 12.0, 2.0
#: So many columns at most in all lanes of the figure.
_MOST_COLUMNS = 100_000
#: Steps of height in a lane, and the part of its height that is filled.
LEVELS, FILLED = 40, 0.8


def shares(chart: Chart, axis: Axis, rows: Rows, theme: Theme, lanes: int) -> Iterator[Steps]:
    """An area for each lane and tone, the ones on top of the pile first, so that no gap shows between.

    ``lanes`` is how many the whole figure has.
    """
    count = columns(chart, axis, (axis.right - axis.left) * lanes / _MOST_COLUMNS)
    levels = pile(chart.coverage(count))
    edges = axis.at(np.linspace(chart.t0, chart.t1, count + 1))
    height = rows.height * FILLED
    for tone in reversed(range(levels.shape[2])):
        height_of = np.diff(levels, axis=2, prepend=0)[:, :, tone]
        for lane in np.flatnonzero(height_of.any(axis=1)).tolist():
            foot = rows.y + rows.pitch * lane + (rows.height + height) / 2
            tops = np.round(foot - levels[lane, :, tone] * (height / LEVELS), 2)
            for first, last in runs(height_of[lane] > 0):
                part = edges[first : last + 1], tops[first:last]
                yield Steps.of(*part, round(foot, 2), theme.tone(tone).fill)


def columns(chart: Chart, axis: Axis, thinnest: float) -> int:
    """Into how many columns to cut a chart, none thinner than ``thinnest``, in points."""
    left, right = axis.at(np.array([chart.t0, chart.t1])).tolist()
    period = _period(chart) / ((chart.t1 - chart.t0) or 1.0) * (right - left)
    least = max(FINEST, thinnest)
    column = period * math.ceil(least / period) if 0 < period <= _WIDEST else max(least, _OTHERWISE)
    return max(1, int((right - left) / column))


def _period(chart: Chart) -> float:
    """How long one cell of each tone takes together, in the middle half of the chart."""
    middle, reach = (chart.t0 + chart.t1) / 2, (chart.t1 - chart.t0) / 4
    there = np.flatnonzero((chart.start > middle - reach) & (chart.start < middle + reach))
    tone = 2 * chart.kind[there] + chart.shade[there] % 2
    total = np.bincount(tone, chart.end[there] - chart.start[there])
    return float(np.sum(total / np.maximum(np.bincount(tone), 1)))


def pile(covered: Floats) -> npt.NDArray[np.int64]:
    """How high the pile reaches with each tone, in steps: int64[lanes, columns, tones], ascending."""
    reached = np.cumsum(covered, axis=2)
    levels = np.rint(reached * LEVELS).astype(np.int64)
    busy = reached[:, :, -1:]
    main = covered.argmax(axis=2)[:, :, None]
    hardly = (busy > 1e-9) & (levels[:, :, -1:] == 0) & (np.arange(covered.shape[2]) >= main)
    most = np.where(busy < 1 - 1e-6, LEVELS - 1, LEVELS)
    return np.minimum(np.where(hardly, 1, levels), most)


def runs(shown: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where stretches of true begin and end."""
    turns = np.flatnonzero(np.diff(np.concatenate(([False], shown, [False]))))
    return list(zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True))
