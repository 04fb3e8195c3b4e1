"""The line of times over the lanes."""

import math
from typing import NamedTuple

import numpy as np

from pipesched.render.terminal.scale import Scale


def ruler(scale: Scale, t1: float, bars: str) -> tuple[str, int]:
    """The line of times over the lanes, and the power of ten that they are to be multiplied by.

    ``bars`` mark the left and the right edge of a column. The end of the window stands left of its
    mark; other marks that would touch it are left out.
    """
    marks, power = ticks(scale, t1)
    last = f"{_end(t1, power, scale.rate)}{bars[1]}" if scale.rate else ""
    starts = scale.last(t1) - len(last)
    line = ""
    for mark in marks:
        text = bars[0] + mark.text
        if mark.column >= len(line) and mark.column + len(text) < max(starts, 1):
            line = line.ljust(mark.column) + text
    if starts >= len(line):
        line = line.ljust(starts) + last
    return line[: scale.last(t1)], power


def _end(time: float, power: int, rate: float) -> str:
    """The end of the window: exact where that is short, else to a tenth of a column."""
    text = f"{time / 10.0**power:.6g}"
    if "." not in text or len(text) <= len("123.4"):
        return text
    decimals = max(0, math.ceil(math.log10(rate * 10.0**power)) + 1)
    return f"{time / 10.0**power:.{min(decimals, 6)}f}"


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
