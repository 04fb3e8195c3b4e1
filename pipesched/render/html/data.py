"""A timeline as the data from which the viewer draws it; viewer/data.mjs is the other end.

Columns have one entry per op, in the order of the schedule. Another op is given by how far away it is, 0 for
none: where a schedule repeats itself, distances do too.
"""

from collections.abc import Sequence
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
_UNKNOWN = "slack not known: transfers hold devices, so that a delay moves others"


def schedule_data(
    timeline: Timeline, free_at: str | float = "w", memory_cap: Cap | None = None
) -> dict[str, Any]:
    """All that the viewer needs to know of one schedule, ready for JSON.

    ``memory_cap`` is one number, or one per device, in activations of one micro-batch on one stage; raises
    :class:`CostError` for another number of them. ``breaks`` is for charts that leave something out.
    """
    schedule, drawn, held = timeline.schedule, chart(timeline), memory(timeline.schedule, free_at)
    steps, exact = _grid(timeline)
    near = 1e-9 * timeline.makespan + (0.0 if exact else 4 / steps)
    return {
        "name": schedule.name,
        "unit": timeline.costs.unit,
        "makespan": timeline.makespan,
        "near": near,
        "longest": float((timeline.slot_end - timeline.slot_start).max(initial=0.0)),
        "devices": schedule.devices,
        "stages": schedule.stages,
        "first": schedule.first.tolist(),
        "words": _words(schedule),
        "slack_words": _slack_words(timeline),
        "peak": float(held.peak.max(initial=0.0)),
        "cap": None if memory_cap is None else caps_of(memory_cap, schedule.devices).tolist(),
        "marks": [] if drawn.marks is None else drawn.marks.by_place(),
        "breaks": [],
        **_columns(timeline, drawn, {"during": held.during, "after": held.after}, steps, near),
    }


def _columns(
    timeline: Timeline, drawn: Chart, levels: dict[str, Floats], steps: float, near: float
) -> dict[str, Any]:
    """``layout`` and ``data``, see :func:`pack`."""
    schedule = timeline.schedule
    late = slack(timeline)[schedule.slot]
    found = {
        **_ids(schedule, drawn),
        **_path(timeline),
        **tones(drawn, late, near),
        **waits(timeline)._asdict(),
        **travels(timeline)._asdict(),
        "start": drawn.start,
        "end": drawn.end,
        "slack": late,
    }
    whole = {name: column for name, column in found.items() if column.dtype.kind == "i"}
    times = {name: column for name, column in found.items() if column.dtype.kind == "f"}
    level_steps, _ = steps_per_unit(*levels.values())
    return pack(schedule.first, (whole, 0.0), (times, steps), (levels, level_steps))._asdict()


def _grid(timeline: Timeline) -> tuple[float, bool]:
    """Steps per unit of time, and whether the times of all slots are whole numbers of them."""
    start, end, first = timeline.slot_start, timeline.slot_end, timeline.schedule.first_slot[:-1]
    before = np.append(0.0, end[:-1])
    before[first] = 0.0
    # Differences of times carry the float noise of the times, not of their own size.
    digits = 14 - int(np.ceil(np.log10(timeline.makespan or 1.0)))
    spans = (end - start, start - before, timeline.lag.ravel())
    steps, exact = steps_per_unit(*(np.round(span, digits) for span in spans))
    return steps * (_PARTS if exact and timeline.schedule.paired.any() else 1), exact


def _ids(schedule: Schedule, drawn: Chart) -> dict[str, Column]:
    """What each op is; which ops on its device it needs, of its own stage or another; and which need it."""
    here = np.arange(schedule.n_ops)
    own, other = (np.where(needed >= 0, needed, here) for needed in schedule.needs)
    local = np.where(schedule.device[other] == schedule.device, other, here)
    return {
        "device": schedule.device,
        "stage": schedule.stage,
        "microbatch": schedule.microbatch,
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
