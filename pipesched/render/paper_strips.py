"""The lanes of a chart whose cells are too thin to draw, as columns of shares.

In each column the height of a colour is its share of the column's time, piled up from the foot of the lane:
forward, backward, backward for the input, for the weights. Blank is idle. Heights are rounded to a fortieth
of the lane, but never so that idle or busy time vanishes.

A column is as wide as six average cells, twelve where a kind has two tones, or the least multiple of that
which is a third of a point: most steady states repeat after so many, and columns of whole periods are alike.
"""

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart
from pipesched.render.paper import Steps
from pipesched.render.paper_cells import Frame
from pipesched.render.paper_theme import Theme
from pipesched.timeline import Floats

#: A column's width: a multiple of so many cells, unless that is above the second number of points; but at
#: least the third.
_PERIOD, _WIDEST, _THINNEST = 6, 6.0, 1 / 3
#: So many columns at most in all lanes of the figure.
_MOST_COLUMNS = 100_000
#: Steps of height in a lane, and the part of its pitch that a lane fills.
LEVELS, FILLED = 40, 0.8


def strips(chart: Chart, frame: Frame, theme: Theme, lanes: int) -> Iterator[Steps]:
    """An area for each lane and tone, the ones on top of the pile first, so that no gap shows between.

    ``lanes`` is how many the whole figure has.
    """
    count = columns(chart, frame.rate, _MOST_COLUMNS // max(lanes, 1))
    levels = pile(chart.coverage(count))
    edges = frame.at(np.linspace(chart.t0, chart.t1, count + 1))
    height = frame.pitch * FILLED
    for number in reversed(range(levels.shape[2])):
        fill = theme.tone(*divmod(number, 2)).fill
        height_of = np.diff(levels, axis=2, prepend=0)[:, :, number]
        for lane in np.flatnonzero(height_of.any(axis=1)).tolist():
            foot = frame.y + frame.pitch * lane + (frame.pitch + height) / 2
            tops = np.round(foot - levels[lane, :, number] * (height / LEVELS), 2)
            for first, last in _runs(height_of[lane] > 0):
                yield _steps(edges[first : last + 1], tops[first:last], round(foot, 2), fill)


def _runs(shown: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where columns that show something begin and end."""
    turns = np.flatnonzero(np.diff(np.concatenate(([False], shown, [False]))))
    return list(zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True))


def columns(chart: Chart, rate: float, most: int) -> int:
    """Into how many columns to cut a chart, ``rate`` points to a unit of time."""
    width = (chart.t1 - chart.t0) * rate
    period = _PERIOD * (2 if chart.shade.any() else 1) * float((chart.end - chart.start).mean()) * rate
    column = max(_THINNEST, width / max(most, 1))
    if 0 < period <= _WIDEST:
        column = period * math.ceil(column / period)
    return max(1, int(width / column))


def pile(covered: Floats) -> npt.NDArray[np.int64]:
    """How high the pile reaches with each tone, in steps: int64[lanes, columns, tones], ascending."""
    reached = np.cumsum(covered, axis=2)
    levels = np.rint(reached * LEVELS).astype(np.int64)
    busy = reached[:, :, -1:]
    main = covered.argmax(axis=2)[:, :, None]
    hardly = (busy > 1e-9) & (levels[:, :, -1:] == 0) & (np.arange(covered.shape[2]) >= main)
    most = np.where(busy < 1 - 1e-6, LEVELS - 1, LEVELS)
    return np.minimum(np.where(hardly, 1, levels), most)


def _steps(edges: Floats, tops: Floats, foot: float, fill: str) -> Steps:
    """Columns on ``foot``; equal neighbours are one."""
    new = np.flatnonzero(np.diff(tops, prepend=np.nan))
    return Steps((*edges[new].tolist(), float(edges[-1])), tuple(tops[new].tolist()), foot, fill)
