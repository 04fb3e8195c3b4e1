"""The line of times over the lanes."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from pipesched.render.axis import Piece, multiples, round_steps
from pipesched.render.terminal.scale import Scale


def ruler(scale: Scale, pieces: Sequence[Piece], bars: str) -> tuple[str, int]:
    """The line of times over the lanes, and the power of ten that they are to be multiplied by.

    ``bars`` mark the left and the right edge of a column. The end of the window stands left of its
    mark; other marks that would touch it, or a break, are left out.
    """
    marks, power = ticks(scale, pieces)
    t1 = pieces[-1].t1
    last = f"{_end(t1 + pieces[-1].shift, power, scale.rate)}{bars[1]}" if scale.rate else ""
    starts = scale.last(t1) - len(last)
    line = ""
    for mark in marks:
        text = bars[0] + mark.text
        if mark.column >= len(line) and mark.column + len(text) <= min(mark.room, max(starts, 1) - 1):
            line = line.ljust(mark.column) + text
    if starts >= len(line):
        line = line.ljust(starts) + last
    return line[: scale.last(t1)], power


def _end(time: float, power: int, rate: float) -> str:
    """The end of the window: exact where that is short, else to a tenth of a column."""
    text = f"{time / 10.0**power:.12g}"
    if "." not in text or len(text) <= len("123.4"):
        return text
    decimals = max(0, math.ceil(math.log10(rate * 10.0**power)) + 1)
    return f"{time / 10.0**power:.{min(decimals, 6)}f}"


class Tick(NamedTuple):
    """A mark of the ruler: the column that starts at the time, text right of it, and where that must end."""

    column: int
    text: str
    room: int


def ticks(scale: Scale, pieces: Sequence[Piece]) -> tuple[list[Tick], int]:
    """Marks at round times of every piece, as many as stand apart, and the power of ten.

    The labels are times divided by ten to that power, which is 0 unless they would be unwieldy.
    """
    alone = [Tick(0, f"{pieces[0].t0 + pieces[0].shift:g}", scale.columns)], 0
    if not (scale.rate and pieces[-1].t1 > pieces[0].t0):
        return alone
    for step in islice(round_steps(6 / scale.rate), 60):
        power = _power(step)
        found = [mark for piece in pieces for mark in _marks(scale, piece, step, power)]
        if step * scale.rate >= max((len(mark.text) for mark in found), default=0) + 3:
            return found, power
    return alone


def _marks(scale: Scale, piece: Piece, step: float, power: int) -> Iterator[Tick]:
    """Of one piece, at multiples of ``step``."""
    here, room = scale._replace(t0=scale.t0 + piece.shift), int(scale.edge(np.array([piece.t1]))[0])
    times = multiples(piece, step)[: scale.columns]
    for column, time in zip(here.edge(times).tolist(), times.tolist(), strict=True):
        yield Tick(column, format_time(time, step, power), room)


def _power(step: float) -> int:
    """0 for steps that are easy to read, else a multiple of 3."""
    return 0 if 1e-3 <= step < 1e5 else 3 * math.floor(math.log10(step) / 3 + 1e-9)


def format_time(time: float, step: float, power: int) -> str:
    """A time in units of ten to ``power``, as exact as ``step``; without commas, as there are few columns."""
    decimals = max(0, -math.floor(math.log10(step) + 1e-9) + power)
    return f"{time / 10.0**power:.{decimals}f}"
