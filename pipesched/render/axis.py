"""A time axis that leaves time out: where it breaks, and which time stands where."""

from collections.abc import Sequence
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
