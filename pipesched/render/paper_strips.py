"""The lanes of a chart whose cells are too thin to draw: columns a third of a point wide.

In each column the height of a colour is its share of the column's time, piled up from the foot of the lane:
forward, backward, backward for the input, for the weights. Blank is idle. Heights are rounded to a fortieth
of the lane, but never so that idle or busy time vanishes.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart
from pipesched.render.paper import Steps
from pipesched.render.paper_cells import Frame
from pipesched.render.paper_theme import Theme
from pipesched.timeline import Floats

#: Columns to a point, unless there were more than so many in all lanes of the figure.
_FINE, _MOST_COLUMNS = 3.0, 100_000
#: Steps of height in a lane, and the part of its pitch that a lane fills.
LEVELS, FILLED = 40, 0.8


def strips(chart: Chart, frame: Frame, theme: Theme, lanes: int) -> Iterator[Steps]:
    """An area for each lane and tone, the ones on top of the pile first, so that no gap shows between.

    ``lanes`` is how many the whole figure has.
    """
    width = (chart.t1 - chart.t0) * frame.rate
    bins = max(1, min(round(width * _FINE), _MOST_COLUMNS // max(lanes, 1)))
    levels = pile(chart.coverage(bins))
    edges = frame.at(np.linspace(chart.t0, chart.t1, bins + 1))
    height = frame.pitch * FILLED
    for number in reversed(range(levels.shape[2])):
        fill = theme.tone(*divmod(number, 2)).fill
        below = levels[:, :, number - 1] if number else np.zeros_like(levels[:, :, 0])
        for lane in np.flatnonzero((levels[:, :, number] > below).any(axis=1)).tolist():
            foot = frame.y + frame.pitch * lane + (frame.pitch + height) / 2
            tops = np.round(foot - levels[lane, :, number] * (height / LEVELS), 2)
            yield _steps(edges, tops, round(foot, 2), fill)


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
