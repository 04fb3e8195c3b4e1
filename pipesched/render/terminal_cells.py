"""Where cells at least about a character wide stand."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart, Half
from pipesched.render.terminal_canvas import Columns
from pipesched.render.terminal_scale import Scale
from pipesched.timeline import Floats

Bools = npt.NDArray[np.bool_]


class Cells(NamedTuple):
    """One entry per cell, by lane and time; a pair is one cell. Columns are int64.

    ``bar`` is its first bar, ``paired`` whether the next bar belongs to it too, from column ``meet`` on
    (else ``meet`` is ``stop``). ``hidden`` is idle time before the cell, in columns, that rounding hid:
    the last cell's ``stop`` is this one's ``start``. ``cut`` says that it starts before the window.
    """

    bar: Columns
    paired: Bools
    lane: Columns
    start: Columns
    meet: Columns
    stop: Columns
    hidden: Floats
    cut: Bools

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
            self.cut[keep],
        )


def lay(chart: Chart, scale: Scale) -> Cells:
    """The cells of a chart, in whole columns; some may be left without one.

    Boundaries are rounded, the same time to the same column in every lane.
    """
    joined = (chart.half == Half.RIGHT) & (np.diff(chart.lane, prepend=-1) == 0)
    bar = np.flatnonzero(~joined)
    last = np.append(bar[1:], len(joined)) - 1
    lane = chart.lane[bar].astype(np.int64)
    start, stop = scale.edge(chart.start[bar]), scale.edge(chart.end[last])
    each = np.minimum(stop - start, 2) // 2  # both halves are to be seen where there is room for it
    meet = np.where(last > bar, np.clip(scale.edge(chart.end[bar]), start + each, stop - each), stop)
    opens = np.diff(lane, prepend=-1) != 0
    touches = start == np.where(opens, 0, np.roll(stop, 1))
    ended = np.where(opens, 0.0, np.roll(scale.at(chart.end[last]), 1))
    hidden = np.where(touches, scale.at(chart.start[bar]) - ended, 0.0)
    return Cells(bar, last > bar, lane, start, meet, stop, hidden, scale.at(chart.start[bar]) < -1e-6)
