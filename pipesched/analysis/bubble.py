"""Idle time: how much, by three definitions, and why.

Three bubbles are in use, and people mix them up:

- bubble rate = sum over devices of idle / (devices x makespan);
- bubble / ideal = the largest idle / busy of that device: the (P-1)/m of Narayanan et al. 2021;
- span bubble rate = idle within the longest span (first start to last end of one device) / that span:
  the Zero Bubble papers' (longest span - m(F+I+W)) / longest span. Some average it instead: the sum of
  span idle / the sum of spans, which flatters schedules that start and end in a staircase.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.timeline import Floats, Timeline

Ints = npt.NDArray[np.int64]


class Bubble(NamedTuple):
    """Per device float64[P], in the cost model's unit; rates are fractions of 1."""

    busy: Floats
    idle: Floats  # makespan - busy
    rate: float
    ideal_ratio: float
    span_idle: Floats  # between the device's own first start and last end
    span_rate: float
    span_average: float


def bubble(timeline: Timeline) -> Bubble:
    """The idle time of each device, and the three rates; 0 where nothing takes any time."""
    first, stop = timeline.schedule.first_slot[:-1], timeline.schedule.first_slot[1:]
    return bubble_of(
        timeline.busy, timeline.slot_start[first], timeline.slot_end[stop - 1], timeline.makespan
    )


def bubble_of(busy: Floats, start: Floats, end: Floats, makespan: float) -> Bubble:
    """The same from each device's busy time, first start and last end: float64[P]."""
    busy = tidy(busy)
    idle = tidy(makespan - busy)
    span = end - start
    span_idle = tidy(span - busy)
    longest = int(np.lexsort((busy, -span))[0])  # of equal spans, the one that works least
    worst = int(np.argmax(idle))
    return Bubble(
        busy,
        idle,
        _ratio(float(idle.sum()), len(busy) * makespan),
        _ratio(float(idle[worst]), float(busy[worst])),
        span_idle,
        _ratio(float(span_idle[longest]), float(span[longest])),
        _ratio(float(span_idle.sum()), float(span.sum())),
    )


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def tidy(times: Floats) -> Floats:
    """Without the noise of float subtraction: 12 significant digits of the largest."""
    largest = float(np.abs(times).max(initial=0.0))
    digits = 12 - int(np.floor(np.log10(largest))) - 1 if largest else 0
    return np.round(times, digits) + 0.0  # + 0.0 turns -0.0 into 0.0


class Cause(IntEnum):
    """Where in a device's list the idle time stands."""

    STARTUP = 0  # before its first op
    INSIDE = 1
    DRAIN = 2  # after its last op


class Gaps(NamedTuple):
    """Idle intervals, one entry each, by device and time."""

    device: Ints
    start: Floats
    end: Floats
    cause: Ints
    waited_for: Ints  # op index; -1 in the drain
    transfer: Floats  # how much of the gap a transfer was under way that was waited for

    @property
    def length(self) -> Floats:
        """Duration of each, float64."""
        return tidy(self.end - self.start)


def gaps(timeline: Timeline) -> Gaps:
    """Every idle interval of every device, with what it waited for."""
    schedule = timeline.schedule
    firsts, lasts = schedule.first_slot[:-1], schedule.first_slot[1:] - 1
    before = np.append(0.0, timeline.slot_end[:-1])
    before[firsts] = 0.0
    waiting = np.flatnonzero(timeline.slot_start > before)
    awaited, moving = _causes(timeline, waiting)
    draining = np.flatnonzero(timeline.slot_end[lasts] < timeline.makespan)
    device = np.concatenate((schedule.slot_device[waiting], draining)).astype(np.int64)
    start = np.concatenate((before[waiting], timeline.slot_end[lasts[draining]]))
    end = np.concatenate((timeline.slot_start[waiting], np.full(len(draining), timeline.makespan)))
    starts = waiting == schedule.first_slot[schedule.slot_device[waiting]]
    inside = np.where(starts, Cause.STARTUP, Cause.INSIDE)
    transfer = np.minimum(tidy(timeline.slot_start[waiting] - before[waiting]), moving)
    order = np.lexsort((start, device))
    none = np.zeros(len(draining))
    return Gaps(
        device[order],
        start[order],
        end[order],
        np.concatenate((inside, np.full(len(draining), Cause.DRAIN)))[order].astype(np.int64),
        np.concatenate((awaited, none - 1))[order].astype(np.int64),
        tidy(np.concatenate((transfer, none)))[order],
    )


def _causes(timeline: Timeline, waiting: Ints) -> tuple[Ints, Floats]:
    """Which op each of these slots waited for, and how long that transfer took."""
    if timeline.runs_transfers:
        from pipesched.analysis.holds import holds  # noqa: PLC0415  loads what runs transfers

        held = holds(timeline)
        if held is not None:
            return held.other[waiting], held.all_moving[waiting]
    row = np.argmax(timeline.arrival[:, waiting], axis=0)  # which op of a pair was kept waiting longest
    awaited = timeline.schedule.needs.neighbour[timeline.schedule.slot_op[waiting] + row]
    return awaited, timeline.lag[row, waiting]  # a slot that waited starts when what it awaited is there


def idle_by_cause(found: Gaps, devices: int) -> Floats:
    """Idle time, float64[4, P]: start-up, inside, drain; and transfer, which is part of the first two."""
    parts = [
        np.bincount(found.device, found.length * (found.cause == cause), minlength=devices) for cause in Cause
    ]
    parts.append(np.bincount(found.device, found.transfer, minlength=devices))
    return tidy(np.stack(parts))
