"""Activations above a cap: which device, when, at which op."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipesched.analysis.memory import memory
from pipesched.errors import CostError
from pipesched.timeline import Floats, Timeline
from pipesched.validate.violation import Violation
from pipesched.words import wrong_length

if TYPE_CHECKING:
    from pipesched.analysis.report import Report


def caps_of(given: float | Sequence[float], devices: int) -> Floats:
    """A cap for each device, float64[P]; CostError for a negative one or another number of them."""
    caps = np.atleast_1d(np.asarray(given, dtype=np.float64))
    if len(caps) not in (1, devices):
        raise CostError(wrong_length("the memory cap", len(caps), "device", devices))
    if not (np.isfinite(caps).all() and (caps >= 0).all()):
        raise CostError(f"a memory cap must be 0 or more; got {caps.min():g}")
    return np.broadcast_to(caps, devices)


def over_cap(
    timeline: Timeline, caps: Sequence[float], free_at: str | float = "w", parts: int | None = None
) -> Iterator[Violation]:
    """The first op of each device that holds more than its cap.

    ``caps`` is one for all devices, or one per device: see :func:`caps_of`; in activations of one
    micro-batch, of a stage, or of 1/``parts`` of the model.
    """
    schedule = timeline.schedule
    limits = caps_of(caps, schedule.devices)
    found = memory(schedule, free_at)
    during, peak = (_in_parts(held, schedule.stages, parts) for held in (found.during, found.peak))
    for d in range(schedule.devices):
        cap, start, stop = float(limits[d]), int(schedule.first[d]), int(schedule.first[d + 1])
        over = np.flatnonzero(during[start:stop] > cap)
        if not len(over):
            continue
        op = start + int(over[0])
        message = (
            f"device {d} holds {during[op]:g} activations{_of(parts)} at {timeline.start[op]:g} "
            f"{timeline.costs.unit}, when {schedule.op(op)} starts: over its cap of {cap:g} "
            f"(its peak is {peak[d]:g})"
        )
        position = schedule.position(int(schedule.slot[op]))
        yield Violation("memory-cap", str(schedule.op(op)), d, position, message)


def peaks_over_cap(
    measured: "Report", caps: Sequence[float], parts: int | None = None
) -> Iterator[Violation]:
    """The same of a schedule that was not built: at the peak, for the first op over the cap is not known."""
    limits, held = caps_of(caps, measured.devices).tolist(), measured.memory
    peaks = _in_parts(np.array(held.peak_activations), measured.stages, parts).tolist()
    columns = zip(limits, peaks, held.peak_time, held.peak_op, strict=True)
    for d, (cap, peak, time, op) in enumerate(columns):
        if peak > cap:
            message = (
                f"device {d} holds {peak:g} activations{_of(parts)} at {time:g} {measured.unit}, "
                f"when {op} starts: over its cap of {cap:g}"
            )
            yield Violation("memory-cap", op, d, None, message)


def _in_parts(held: Floats, stages: int, parts: int | None) -> Floats:
    return held if parts is None else held * parts / stages


def _of(parts: int | None) -> str:
    return "" if parts is None else f" of 1/{parts} of the model"
