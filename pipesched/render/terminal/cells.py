"""Where cells at least about a character wide stand."""

from typing import NamedTuple

import numpy as np

from pipesched.render.chart import Chart, Half
from pipesched.render.terminal.canvas import Bools, Columns
from pipesched.render.terminal.scale import Scale
from pipesched.timeline import Floats


class Cells(NamedTuple):
    """One entry per cell, by lane and time; a pair is one cell. Columns are int64.

    ``bar`` is its first bar, ``paired`` whether the next bar belongs to it too, from column ``meet`` on
    (else ``meet`` is ``stop``). ``hidden`` is idle time before the cell, in columns, that rounding hid:
    the ``stop`` of the cell before is this one's ``start``. Of a pair that the window cuts where its halves
    meet, ``severed`` says which half is left: -1 the left one, 1 the right one, else 0.
    """

    bar: Columns
    paired: Bools
    lane: Columns
    start: Columns
    meet: Columns
    stop: Columns
    hidden: Floats
    severed: Columns

    def visible(self) -> "Cells":
        """Those with a column at least."""
        keep = self.stop > self.start
        return Cells(
            self.bar[keep],
            self.paired[keep],
            self.lane[keep],
            self.start[keep],
            self.meet[keep],
            self.stop[keep],
            self.hidden[keep],
            self.severed[keep],
        )


def lay(chart: Chart, scale: Scale) -> Cells:
    """The cells of a chart in whole columns, without those that are left no column.

    Boundaries are rounded, the same time to the same column in every lane.
    """
    joined = (chart.half == Half.RIGHT) & (np.diff(chart.lane, prepend=-1) == 0)
    joined &= (np.roll(chart.half, 1) == Half.LEFT) & (chart.start == np.roll(chart.end, 1))
    bar = np.flatnonzero(~joined)
    paired = np.append(joined[1:], False)[bar]
    last = bar + paired
    start, stop = scale.edge(chart.start[bar]), scale.edge(chart.end[last])
    each = np.minimum(stop - start, 2) // 2  # both halves are to be seen where there is room for it
    meet = np.where(paired, np.clip(scale.edge(chart.end[bar]), start + each, stop - each), stop)
    lane, begins = chart.lane[bar].astype(np.int64), scale.at(chart.start[bar])
    idle = _idle_before(lane, begins, scale.at(chart.end[last]))
    half = chart.half[bar]
    severed = np.where(paired | (half == Half.WHOLE), 0, np.where(half == Half.LEFT, -1, 1))
    cells = Cells(bar, paired, lane, start, meet, stop, idle, severed).visible()
    # What is idle since the last visible cell, whatever was dropped between.
    opens = np.diff(cells.lane, prepend=-1) != 0
    touches = cells.start == np.where(opens, 0, np.roll(cells.stop, 1))
    since = cells.hidden - np.where(opens, 0.0, np.roll(cells.hidden, 1))
    return cells._replace(hidden=np.where(touches, since, 0.0))


def _idle_before(lane: Columns, begins: Floats, ends: Floats) -> Floats:
    """All idle time of the lane before each cell."""
    opens = np.diff(lane, prepend=-1) != 0
    gap = np.maximum(begins - np.where(opens, 0.0, np.roll(ends, 1)), 0.0)
    idle = np.cumsum(gap)
    before_lane = (idle - gap)[opens]
    in_lane: Floats = idle - np.repeat(before_lane, np.diff(np.append(np.flatnonzero(opens), len(lane))))
    return in_lane
