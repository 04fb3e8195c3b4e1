"""Time to columns."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart, Half
from pipesched.timeline import Floats

Columns = npt.NDArray[np.int64]

#: No cell is drawn wider than this, however short the schedule.
WIDEST = 12
#: A whole number of columns per tick of the schedule is worth this share of the width.
WORTH = 0.75


class Scale(NamedTuple):
    """``columns`` are in use, ``rate`` of them to one unit of time, from ``t0`` on.

    ``whole`` says that every cell is a whole number of columns wide, ``grid`` that it is one of so many.
    """

    t0: float
    columns: int
    rate: float
    whole: bool = False
    grid: int = 1

    def at(self, times: Floats) -> Floats:
        """Where times stand, in columns: float64, not rounded, not cut to the window."""
        return (times - self.t0) * self.rate

    def edge(self, times: Floats) -> Columns:
        """The boundary between columns that is nearest to each time, within 0..columns."""
        nearest = np.floor(np.clip(self.at(times), -1, self.columns + 1) + (0.5 + 1e-6))
        return np.clip(nearest, 0, self.columns).astype(np.int64)

    def last(self, time: float) -> int:
        """How many columns hold all time before this one."""
        return min(max(math.ceil((time - self.t0) * self.rate - 1e-6), 0), self.columns) or self.columns


def fit(charts: Sequence[Chart], room: int, worth: float = WORTH) -> Scale:
    """The scale that fills ``room`` columns with the time of all charts.

    A little less is filled, down to ``worth`` of it, where that makes every cell a whole number of columns
    wide: equal times then are equally wide everywhere.
    """
    t0, t1 = span(charts)
    if not (t1 > t0 and math.isfinite(t1 - t0)):
        return Scale(t0, room, 0.0)
    lengths = _lengths(charts)
    most = min(room / (t1 - t0), WIDEST / float(lengths.min(initial=t1 - t0)))
    tick = _tick(charts, (t1 - t0) / room)
    whole = math.floor(most * tick + 1e-6) / tick if tick else 0.0
    near = bool(whole) and whole >= worth * most
    rate = whole if near else most
    return Scale(t0, min(room, math.ceil((t1 - t0) * rate - 1e-6)), rate, near)


def spacious(charts: Sequence[Chart], room: int, needed: Floats) -> Scale:
    """The scale at which nineteen of twenty bars are as wide as ``needed``, float64[all bars], in columns.

    Its ``columns`` are those of one panel: all, or as many as hold a whole number of ticks.
    """
    fitted = fit(charts, room)
    bars = np.concatenate([chart.end - chart.start for chart in charts])
    bars, needed = bars[bars > 0], needed[bars > 0]
    if not (fitted.rate and len(bars)):
        return fitted
    rate = max(fitted.rate, _quantile(needed / bars, 0.95))
    tick = _tick(charts, 1 / rate)
    columns_of_tick = math.ceil(rate * tick - 1e-6) if tick else 0
    if tick and columns_of_tick <= room:
        columns = room // columns_of_tick * columns_of_tick
        return Scale(fitted.t0, columns, columns_of_tick / tick, whole=True, grid=columns_of_tick)
    return Scale(fitted.t0, room, rate)


def zoomed(charts: Sequence[Chart], t0: float, columns: int, rate: float) -> Scale:
    """A scale of a given rate, in columns per unit of time."""
    tick = _tick(charts, 1 / rate)
    whole = tick is not None and abs(rate * tick - round(rate * tick)) < 1e-6
    return Scale(t0, columns, rate, whole)


def span(charts: Sequence[Chart]) -> tuple[float, float]:
    """From the earliest start to the latest end of the charts' windows."""
    return min((chart.t0 for chart in charts), default=0.0), max((chart.t1 for chart in charts), default=0.0)


def lower_quartile(charts: Sequence[Chart], scale: Scale) -> float:
    """How many columns the thin cells have: a quarter of the bars are narrower than this."""
    lengths = _lengths(charts)
    return _quantile(lengths, 0.25) * scale.rate if len(lengths) else 1.0


def _quantile(values: Floats, share: float) -> float:
    """The value that this share of them do not exceed; numpy.quantile would load numpy.ma."""
    return float(np.sort(values)[round(share * (len(values) - 1))])


def _lengths(charts: Sequence[Chart]) -> Floats:
    lengths = np.concatenate([chart.end - chart.start for chart in charts])
    positive: Floats = lengths[lengths > 0]
    return positive


def _tick(charts: Sequence[Chart], finest: float) -> float | None:
    """What the times of all cells are multiples of; None if that is below ``finest``."""
    for chart in charts:
        alone = (chart.end - chart.start)[chart.half == Half.WHOLE]
        if float(alone[alone > 0].min(initial=np.inf)) < finest * (1 - 1e-6):
            return None  # without looking at every time
    start = np.array([span(charts)[0]])  # the first column begins here
    # Sorted only: numpy.unique would load numpy.ma.
    times = np.sort(np.concatenate([start, *map(_boundaries, charts)]))
    return _common_divisor(np.diff(times), finest)


def _boundaries(chart: Chart) -> Floats:
    """Every time at which a cell starts or ends; where a pair's two halves meet is none."""
    return np.concatenate((chart.start[chart.half != Half.RIGHT], chart.end[chart.half != Half.LEFT]))


def _common_divisor(lengths: Floats, finest: float) -> float | None:
    """What all lengths are multiples of, to 1/10,000 of a column; None if that is below ``finest``."""
    noise = finest / 10_000
    tick = 0.0
    lengths = lengths[lengths > noise]
    for length in sorted({round(each / noise): each for each in lengths.tolist()}.values()):
        a, b = length, tick
        while b > noise:
            a, b = b, a % b
            b = 0.0 if a - b < noise else b
        tick = a
        if tick < finest * (1 - 1e-6):
            return None
    if not tick:
        return None
    total = float(lengths.sum())
    return total / round(total / tick)  # without the rounding noise of the steps
