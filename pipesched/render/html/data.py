"""A timeline as the data from which the viewer draws it; viewer/data.mjs is the other end.

Columns have one entry per op, in the order of the schedule. Another op is given by how far away it is, 0 for
none: where a schedule repeats itself, distances do too.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.analysis.cap import caps_of
from pipesched.analysis.critical import critical_path, slack
from pipesched.analysis.journeys import Journeys
from pipesched.analysis.memory import memory
from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, chart
from pipesched.render.html.colours import tones
from pipesched.render.html.columns import Column, pack, steps_per_unit
from pipesched.render.html.waits import travels, waits
from pipesched.schedule import Schedule
from pipesched.timeline import Floats, Timeline

Cap = float | Sequence[float]
Ints = npt.NDArray[np.int64]

#: Where the halves of a pair meet is rounded to this part of a step.
_PARTS = 4096
#: No time is as late.
_FAR = 1e300
_UNKNOWN = "slack not known: transfers hold devices, so that a delay moves others"


def schedule_data(
    timeline: Timeline, free_at: str | float = "w", memory_cap: Cap | None = None
) -> dict[str, Any]:
    """All that the viewer needs to know of one schedule, ready for JSON.

    ``memory_cap`` is one number, or one per device, in activations of one micro-batch on one stage; raises
    :class:`CostError` for another number of them.
    """
    schedule, drawn, held = timeline.schedule, chart(timeline), memory(timeline.schedule, free_at)
    steps, exact = grid(schedule, timeline.slot_start, timeline.slot_end, timeline.lag)
    near = 1e-9 * timeline.makespan + (0.0 if exact else 4 / steps)
    return {
        **described(schedule, drawn),
        "near": near,
        "longest": float((timeline.slot_end - timeline.slot_start).max(initial=0.0)),
        "slack_words": _slack_words(timeline),
        "peak": float(held.peak.max(initial=0.0)),
        "cap": caps(memory_cap, schedule.devices),
        **_columns(timeline, drawn, {"during": held.during, "after": held.after}, steps, near),
    }


def described(schedule: Schedule, drawn: Chart) -> dict[str, Any]:
    """What it is called, how large it is, and its axis: ``breaks`` if that leaves time out; ``ruler``.

    The ruler has pieces between breaks: from, to, and what to add for the true time; the last has no end.
    """
    *pieces, last = map(list, drawn.pieces)
    return {
        "name": schedule.name,
        "unit": drawn.unit,
        "makespan": drawn.t1,
        "devices": schedule.devices,
        "stages": schedule.stages,
        "first": schedule.first.tolist(),
        "words": _words(schedule),
        "marks": [] if drawn.marks is None else drawn.marks.by_place(),
        "breaks": [],
        "ruler": [*pieces, [last[0], _FAR, last[2]]],
    }


def caps(memory_cap: Cap | None, devices: int) -> list[float] | None:
    """What each device may hold; see :func:`schedule_data`."""
    return None if memory_cap is None else caps_of(memory_cap, devices).tolist()


def _columns(
    timeline: Timeline, drawn: Chart, levels: dict[str, Floats], steps: float, near: float
) -> dict[str, Any]:
    """``layout`` and ``data``, see :func:`pack`."""
    schedule = timeline.schedule
    late = slack(timeline)[schedule.slot]
    found = {
        **ids(schedule, drawn),
        **_path(timeline),
        **tones(drawn, late, near),
        **waits(timeline)._asdict(),
        **travels(timeline)._asdict(),
        "start": drawn.start,
        "end": drawn.end,
        "slack": late,
    }
    return packed(schedule, found, steps, levels)


def packed(
    schedule: Schedule, found: Mapping[str, Column], steps: float, levels: Mapping[str, Floats]
) -> dict[str, Any]:
    """``layout`` and ``data`` of all columns: those of floats are times, in ``steps`` per unit."""
    whole = {name: column for name, column in found.items() if column.dtype.kind == "i"}
    times = {name: column for name, column in found.items() if column.dtype.kind == "f"}
    level_steps, _ = steps_per_unit(*levels.values())
    return pack(schedule.first, (whole, 0.0), (times, steps), (levels, level_steps))._asdict()


def grid(schedule: Schedule, start: Floats, end: Floats, lag: Floats) -> tuple[float, bool]:
    """Steps per unit of time, and whether the times of all slots, and lags, are whole numbers of them."""
    before = np.append(0.0, end[:-1])
    before[schedule.first_slot[:-1]] = 0.0
    # Differences of times carry the float noise of the times, not of their own size.
    digits = 14 - int(np.ceil(np.log10(float(end.max(initial=0.0)) or 1.0)))
    spans = (end - start, start - before, lag.ravel())
    steps, exact = steps_per_unit(*(np.round(span, digits) for span in spans))
    return steps * (_PARTS if exact and schedule.paired.any() else 1), exact


def ids(schedule: Schedule, drawn: Chart) -> dict[str, Column]:
    """What each op is; which ops on its device it needs, of its own stage or another; and which need it."""
    here = np.arange(schedule.n_ops)
    own, other = (np.where(needed >= 0, needed, here) for needed in schedule.needs)
    local = np.where(schedule.device[other] == schedule.device, other, here)
    return {
        "device": schedule.device,
        "stage": schedule.stage,
        "microbatch": drawn.label,
        "half": drawn.half,
        "own": own - here,
        "local": local - here,
        "own_user": _users(own) - here,
        "user": _users(other) - here,
    }


def _users(needed: Ints) -> Ints:
    """The op that needs each op, itself where none does; int64[N], as ``needed`` is."""
    here = np.arange(len(needed))
    ops, users = np.flatnonzero(needed != here), here.copy()
    users[needed[ops]] = ops
    return users


def _path(timeline: Timeline) -> dict[str, Column]:
    """Which ops are on the critical path, and how far away the slot before theirs on it is."""
    schedule = timeline.schedule
    slots = np.array(critical_path(timeline).slots, dtype=np.int64)
    on_path, follows = np.zeros(schedule.n_slots, dtype=np.int64), np.zeros(schedule.n_ops, dtype=np.int64)
    on_path[slots] = 1
    ops = schedule.slot_op[slots]
    follows[ops[1:]] = -np.diff(ops)
    return {"critical": on_path[schedule.slot], "follows": follows}


def _words(schedule: Schedule) -> list[str]:
    """An op in words, by its tone; the viewer puts in its micro-batch and its stage."""
    flows = (", flowing down", ", flowing up") if schedule.placement.n_flows == 2 else ("", "")
    return [
        f"{KIND_NAMES[kind]} of micro-batch {{m}} on stage {{s}}{flow}" for kind in Kind for flow in flows
    ]


def _slack_words(timeline: Timeline) -> tuple[str, str]:
    """What is said of an op without slack, and of one with it; the viewer puts in how much."""
    if Journeys(timeline).hold_devices:
        return (_UNKNOWN, _UNKNOWN)
    as_long = ", if transfers take as long as here" if timeline.runs_transfers else ""
    return ("no slack: a delay here delays the end", f"slack {{}} {timeline.costs.unit}{as_long}")
