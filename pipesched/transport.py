"""The transfer model: how a result gets from one device to another, and how long that takes."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.choices import CHANNELS, COMM, SEND, Mode
from pipesched.costs import LEAST, MOST, UNNAMED, CostModel
from pipesched.crossings import Crossings
from pipesched.errors import CostError
from pipesched.words import shortened, wrong_length

Floats = npt.NDArray[np.float64]
Numbers = float | tuple[float, ...]


@dataclass(frozen=True)
class Transport:
    """A transfer holds its channel for size / bandwidth, and arrives the cost model's latency later.

    ``mode`` is how devices and channels take part, see :mod:`pipesched.channels`. ``size``: bytes of one
    micro-batch's activations (and as many of their gradients); one number, or one per boundary between
    stages s and s+1. ``bandwidth``: bytes per unit of time of a device's links; one number, or one per
    device, where the slower end counts. Without either, transfers take the latency alone.

    Raises :class:`CostError` for numbers that make no sense, and for an unknown mode.
    """

    mode: Mode = field(default_factory=Mode)
    size: Numbers = 0.0
    bandwidth: Numbers = float("inf")

    def __post_init__(self) -> None:
        for key, value, known in zip(Mode._fields, self.mode, (COMM, SEND, CHANNELS), strict=True):
            if value not in known:
                raise CostError(f"{key} must be {', '.join(known[:-1])} or {known[-1]}; got {value!r}")
        bandwidth = _checked("bandwidth", self.bandwidth, float("inf"))
        object.__setattr__(self, "size", _checked("bytes", self.size, 0.0))
        object.__setattr__(self, "bandwidth", bandwidth)

    def durations(self, across: Crossings, devices: int, stages: int) -> Floats:
        """How long each transfer holds its channel, float64[E]."""
        boundary = _each("bytes", self.size, max(stages - 1, 1), "boundary between two stages")
        speed = _each("bandwidth", self.bandwidth, devices, "device")
        size = boundary[np.minimum(across.sent_by, across.received_by)]
        held: Floats = size / np.minimum(speed[across.source], speed[across.target])
        if held.max(initial=0.0) > MOST:
            raise CostError(
                f"bytes / bandwidth must be a time up to {MOST:g}; got {held.max():g}: choose other units"
            )
        return held

    def describe(self, costs: CostModel) -> str:
        """One line: ``async, buffered, a channel per direction; 1e+06 bytes at 5e+05 per F, latency 0.1``."""
        comm, send, channels = self.mode
        whose = {"direction": "a channel per direction", "pair": "a channel per pair"}
        unit = "unit" if costs.unit == UNNAMED else costs.unit
        time = f"{_brief(self.size)} bytes at {_brief(self.bandwidth)} per {unit}, "
        return (
            f"{comm}, {send}, {whose.get(channels, 'one channel per device')}; "
            f"{time if np.any(self.size) else ''}latency {costs.latency:g}"
        )


def _checked(key: str, given: Any, also: float) -> Numbers:
    """Numbers as floats, from ``LEAST`` to ``MOST``; ``also`` is good, too."""
    try:
        numbers = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise CostError(f"{key} must be a number, or several; got {shortened(repr(given))}") from None
    wrong = numbers[~((numbers == also) | ((numbers >= LEAST) & (numbers <= MOST)))]
    if wrong.size or numbers.ndim > 1:
        told = f"{wrong[0]:g}" if wrong.size else "a table"
        raise CostError(f"{key} must be {also:g}, or a number from {LEAST:g} to {MOST:g}; got {told}")
    return tuple(numbers.tolist()) if numbers.ndim else float(numbers)


def _each(key: str, given: Numbers, count: int, what: str) -> Floats:
    if isinstance(given, tuple) and len(given) != count:
        raise CostError(wrong_length(key, len(given), what, count))
    return np.full(count, given, dtype=np.float64)


def _brief(given: Numbers) -> str:
    shown = [f"{number:g}" for number in np.atleast_1d(given).tolist()]
    return ",".join(shown if len(shown) <= 8 else [*shown[:6], "...", shown[-1]])
