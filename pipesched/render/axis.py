"""A time axis: which times are round, where it leaves time out, and which time stands where."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pipesched.timeline import Floats


class Break(NamedTuple):
    """Where the axis leaves time out: after ``at`` it goes on with ``end`` instead of ``start``.

    ``width`` is how much of the axis the break itself takes: nothing, until a renderer makes room for its
    mark (:meth:`pipesched.render.chart.Chart.opened`). ``text`` says what is left out:
    ``999,872 micro-batches, 2,999,616 F``.
    """

    at: float
    width: float
    start: float
    end: float
    text: str


class Piece(NamedTuple):
    """A part of the axis without a break: what stands at t, t0 <= t <= t1, is at the time t + ``shift``."""

    t0: float
    t1: float
    shift: float


def round_steps(least: float) -> Iterator[float]:
    """Ever larger steps from one round time to the next: 1, 2 and 5 times each power of ten.

    The first is the power of ten at or below ``least``.

    >>> from itertools import islice
    >>> list(islice(round_steps(30), 4))
    [10.0, 20.0, 50.0, 100.0]
    """
    exponent = math.floor(math.log10(least))
    while True:
        yield from (part * 10.0**exponent for part in (1, 2, 5))
        exponent += 1


def multiples(piece: Piece, step: float) -> Floats:
    """The times of a piece that are multiples of a step, float64[ticks]; its ends count to float noise."""
    first = math.ceil((piece.t0 + piece.shift) / step - 1e-9)
    last = math.floor((piece.t1 + piece.shift) / step + 1e-9)
    times: Floats = step * np.arange(first, last + 1, dtype=np.float64)
    return times


def pieces(breaks: Sequence[Break], t0: float, t1: float) -> list[Piece]:
    """The axis from t0 to t1, where breaks divide it."""
    starts = [t0, *(each.at + each.width for each in breaks)]
    stops = [*(each.at for each in breaks), t1]
    shifts = [0.0, *(each.end - each.at - each.width for each in breaks)]
    whole = zip(starts, stops, shifts, strict=True)
    found = [Piece(max(start, t0), min(stop, t1), shift) for start, stop, shift in whole]
    return [piece for piece in found if piece.t0 < piece.t1] if breaks else found


def opened(breaks: Sequence[Break], width: float) -> tuple[Break, ...]:
    """The breaks, once each takes ``width`` of the axis."""
    return tuple(each._replace(at=each.at + k * width, width=width) for k, each in enumerate(breaks))


def moved(times: Floats, breaks: Sequence[Break], width: float, *, ends: bool = False) -> Floats:
    """Where times stand once every break takes ``width``; what ``ends`` at a break stays before it."""
    at = [each.at for each in breaks]
    later: Floats = times + width * np.searchsorted(at, times, side="left" if ends else "right")
    return later
