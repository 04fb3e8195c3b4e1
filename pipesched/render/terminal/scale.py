"""Time to columns: the scale, and the marks of the ruler."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.render.chart import Chart, Half
from pipesched.timeline import Floats

Columns = npt.NDArray[np.int64]

#: No cell is drawn wider than this, however short the schedule.
WIDEST = 12
#: A whole number of columns per tick of the schedule is worth this share of the width.
_WORTH = 0.75


@dataclass(frozen=True, slots=True)
class Scale:
    """``columns`` are in use, ``rate`` of them to one unit of time, from ``t0`` on.

    ``whole`` says that every cell is a whole number of columns wide.
    """

    t0: float
    columns: int
    rate: float
    whole: bool = False

    def at(self, times: Floats) -> Floats:
        """Where times stand, in columns: float64, not rounded, not cut to the window."""
        return (times - self.t0) * self.rate

    def edge(self, times: Floats) -> Columns:
        """The boundary between columns that is nearest to each time, within 0..columns."""
        nearest = np.floor(np.clip(self.at(times), -1, self.columns + 1) + (0.5 + 1e-6))
        return np.clip(nearest, 0, self.columns).astype(np.int64)


def fit(chart: Chart, room: int) -> Scale:
    """The scale that fills ``room`` columns.

    A little less is filled where that makes every cell a whole number of columns wide: equal times then
    are equally wide everywhere.
    """
    span = chart.t1 - chart.t0
    if not (span > 0 and math.isfinite(span)):
        return Scale(chart.t0, room, 0.0)
    times = _boundaries(chart)
    lengths = (chart.end - chart.start)[chart.end > chart.start]
    most = min(room / span, WIDEST / float(lengths.min(initial=span)))
    whole = _whole_rate(times, most, span / room)
    rate = whole or most
    return Scale(chart.t0, min(room, math.ceil(span * rate - 1e-6)), rate, whole is not None)


def lower_quartile(chart: Chart, scale: Scale) -> float:
    """How many columns the thin cells have: a quarter of the bars are narrower than this."""
    lengths = (chart.end - chart.start)[chart.end > chart.start]
    return float(np.quantile(lengths, 0.25)) * scale.rate if len(lengths) else 1.0


def _boundaries(chart: Chart) -> Floats:
    """Every time at which a cell starts or ends, ascending; where a pair's two halves meet is none."""
    return np.unique(
        np.concatenate((chart.start[chart.half != Half.RIGHT], chart.end[chart.half != Half.LEFT]))
    )


def _whole_rate(times: Floats, most: float, column: float) -> float | None:
    """The largest rate up to ``most`` that puts all ``times`` on column boundaries, if it is near."""
    tick = _common_divisor(np.diff(times), column)
    if tick is None:
        return None
    rate = math.floor(most * tick + 1e-6) / tick
    return rate if rate >= _WORTH * most else None


def _common_divisor(lengths: Floats, finest: float) -> float | None:
    """What all lengths are multiples of, to 1/10,000 of a column; None if that is below ``finest``."""
    noise = finest / 10_000
    tick = 0.0
    lengths = lengths[lengths > noise]
    _, different = np.unique(np.round(lengths / noise), return_index=True)
    for length in lengths[different].tolist():
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


class Tick(NamedTuple):
    """A mark of the ruler: the column that starts at the time, and the text right of it."""

    column: int
    text: str


def ticks(scale: Scale, t1: float) -> tuple[list[Tick], int]:
    """Marks at round times from ``scale.t0`` to ``t1``, as many as stand apart, and the power of ten.

    The labels are times divided by ten to that power, which is 0 unless they would be unwieldy.
    """
    span = t1 - scale.t0
    if not span > 0 or not scale.rate:
        return [Tick(0, f"{scale.t0:g}")], 0
    exponent = math.floor(math.log10(6 / scale.rate))
    for n in range(60):
        step = (1, 2, 5)[n % 3] * 10.0 ** (exponent + n // 3)
        power = _power(step)
        first, last = math.ceil(scale.t0 / step - 1e-9), math.floor(t1 / step + 1e-9)
        times = np.arange(first, last + 1, dtype=np.float64)[: scale.columns] * step
        texts = [format_time(time, step, power) for time in times.tolist()]
        if step * scale.rate >= max(map(len, texts), default=0) + 3:
            marks = zip(scale.edge(times).tolist(), texts, strict=True)
            return [Tick(*mark) for mark in marks], power
    return [Tick(0, f"{scale.t0:g}")], 0


def _power(step: float) -> int:
    """0 for steps that are easy to read, else a multiple of 3."""
    return 0 if 1e-3 <= step < 1e5 else 3 * math.floor(math.log10(step) / 3 + 1e-9)


def format_time(time: float, step: float, power: int) -> str:
    """A time in units of ten to ``power``, with as many decimals as ``step`` needs."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9) + power)
    return f"{time / 10.0**power:.{decimals}f}"
