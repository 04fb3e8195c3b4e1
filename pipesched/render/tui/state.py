"""What the full-screen viewer shows of one schedule: the cursor, the window, and how they move."""

from dataclasses import dataclass

import numpy as np

from pipesched.render.chart import Chart
from pipesched.render.terminal.scale import WIDEST
from pipesched.timeline import Floats, Timeline

#: A key pans or zooms by so much.
_ZOOM = 1.5


@dataclass
class State:
    """``t0`` is the left edge, ``rate`` columns per unit of time, ``top`` the first lane shown.

    The cursor stands on ``lane``, on the cell or idle gap at ``time``.
    """

    timeline: Timeline
    chart: Chart
    t0: float = 0.0
    rate: float = 0.0
    lane: int = 0
    time: float = 0.0
    top: int = 0

    @property
    def makespan(self) -> float:
        """In the unit of the chart."""
        return self.chart.t1

    def fit(self, columns: int) -> None:
        """Show all."""
        self.t0, self.rate = 0.0, columns / self.makespan if self.makespan else 1.0

    def limits(self, columns: int) -> None:
        """Keep the window on the schedule, from all of it to cells that no terminal needs wider."""
        if not self.makespan:
            return
        lengths = self.chart.end - self.chart.start
        most = WIDEST / float(lengths[lengths > 0].min(initial=self.makespan))
        least = columns / self.makespan
        self.rate = min(max(self.rate, least), max(most, least))
        self.t0 = min(max(self.t0, 0.0), max(self.makespan - columns / self.rate, 0.0))

    def zoom(self, steps: int, columns: int) -> None:
        """Closer (above 0) or wider, with the cursor where it is."""
        start, end = self.span()
        middle = (start + end) / 2
        place = (middle - self.t0) * self.rate
        place = place if 0 <= place <= columns else columns / 2
        self.rate *= _ZOOM**steps
        self.limits(columns)
        self.t0 = middle - place / self.rate
        self.limits(columns)

    def pan(self, columns: int, by: float) -> None:
        """Move the window by so many columns, and the cursor with it."""
        before = self.t0
        self.t0 += by / self.rate
        self.limits(columns)
        self.time = min(max(self.time + self.t0 - before, 0.0), self.makespan)

    def step(self, cells: int, columns: int) -> None:
        """Move the cursor by cells and gaps; the window follows so that it stays inside."""
        stops = self.stops()
        here = int(np.searchsorted(stops, self.time + 1e-9 * self.makespan, side="right")) - 1
        self.time = float(stops[min(max(here + cells, 0), max(len(stops) - 2, 0))])
        self.follow(columns)

    def follow(self, columns: int) -> None:
        """Move the window to the cursor if it is not inside."""
        start, end = self.span()
        width = columns / self.rate
        if start < self.t0 or end > self.t0 + width:
            self.t0 = (start + end - width) / 2
        self.limits(columns)

    def move(self, lanes: int, shown: int) -> None:
        """Move the cursor up or down; lanes scroll where not all are ``shown``."""
        self.lane = min(max(self.lane + lanes, 0), max(len(self.chart.lanes) - 1, 0))
        self.top = min(max(self.top, self.lane - shown + 1), self.lane)
        self.top = max(min(self.top, len(self.chart.lanes) - shown), 0)

    def stops(self) -> Floats:
        """Every time at which a cell or a gap of the cursor's lane starts, and the end; ascending."""
        schedule = self.timeline.schedule
        first, stop = schedule.first_slot[self.lane : self.lane + 2].tolist()
        times = [self.timeline.slot_start[first:stop], self.timeline.slot_end[first:stop]]
        return np.unique(np.concatenate([np.array([0.0, self.makespan]), *times]))

    def span(self) -> tuple[float, float]:
        """From when to when the cell, or gap, under the cursor goes."""
        stops = self.stops()
        at = int(np.searchsorted(stops, self.time + 1e-9 * self.makespan, side="right")) - 1
        at = min(max(at, 0), max(len(stops) - 2, 0))
        return float(stops[at]), float(stops[min(at + 1, len(stops) - 1)])
