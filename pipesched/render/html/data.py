"""A timeline as the columns from which the viewer draws it; viewer/decode.mjs is the other end.

Every column has one entry per op, in the order of the schedule. What repeats is sent as what it differs
by from what is expected, so that deflate finds next to nothing: times as gaps and lengths in whole steps of
a grid, micro-batches as the difference to the next in line for that stage and kind.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.analysis.cap import caps_of
from pipesched.analysis.critical import critical_path, slack
from pipesched.analysis.memory import memory
from pipesched.render.chart import Half, chart
from pipesched.render.html.columns import Integers, pack, steps_per_unit
from pipesched.schedule import Schedule
from pipesched.timeline import Floats, Timeline

Cap = float | Sequence[float]
Ops = npt.NDArray[np.int64]

#: Parts of a pair's cell that its forward takes, in the column ``meet``.
_WHOLE = 65535


def schedule_data(
    timeline: Timeline, free_at: str | float = "w", memory_cap: Cap | None = None
) -> dict[str, Any]:
    """All that the viewer needs to know of one schedule, ready for JSON.

    ``memory_cap`` is one number, or one per device, in activations of one micro-batch on one stage; raises
    :class:`CostError` for another number of them.
    """
    schedule = timeline.schedule
    held = memory(schedule, free_at)
    time, times = _times(timeline)
    level, levels = _levels(held.during, held.after)
    packed = pack({**_ops(timeline), **times, **levels})
    where = schedule.placement
    return {
        "name": schedule.name,
        "unit": timeline.costs.unit,
        "makespan": timeline.makespan,
        "devices": schedule.devices,
        "stages": schedule.stages,
        "flows": where.n_flows,
        "microbatches": int(schedule.microbatch.max(initial=-1)) + 1,
        "first": schedule.first.tolist(),
        "held": [list(stages) for stages in where.stages],
        "shade": [[where.shade(d, c) for c in range(len(held))] for d, held in enumerate(where.stages)],
        "time": time,
        "level": level,
        "peak": float(held.peak.max(initial=0.0)),
        "cap": None if memory_cap is None else caps_of(memory_cap, schedule.devices).tolist(),
        "marks": [] if (marks := chart(timeline).marks) is None else marks.by_place(),
        **packed._asdict(),
    }


def _ops(timeline: Timeline) -> dict[str, Integers]:
    """What each op is: kind and half in one code, chunk, micro-batch; and who is on the critical path."""
    schedule = timeline.schedule
    drawn = chart(timeline)
    left = np.flatnonzero(drawn.half == Half.LEFT)
    length = timeline.end[left] - timeline.start[left]
    share = np.divide(
        drawn.end[left] - drawn.start[left], length, out=np.full(len(left), 0.5), where=length > 0
    )
    path = schedule.slot_op[np.array(critical_path(timeline).slots, dtype=np.int64)]
    return {
        "code": schedule.kind + 4 * drawn.half.astype(np.int8),
        "chunk": schedule.chunk,
        "microbatch": _out_of_turn(schedule),
        "meet": np.rint(_WHOLE * share).astype(np.int64),
        "path": np.diff(path, prepend=0),
    }


def _out_of_turn(schedule: Schedule) -> Ops:
    """By how much each micro-batch is not the one after the last of its stage and kind on its device."""
    chunk, kind = schedule.chunk.astype(np.int64), schedule.kind.astype(np.int64)
    chunks = int(chunk.max(initial=0)) + 1
    line = (schedule.device * chunks + chunk) * 4 + kind
    order = np.argsort(line, kind="stable")
    last = np.append(-1, schedule.microbatch[order][:-1].astype(np.int64))[: len(order)]
    last[np.diff(line[order], prepend=-1) > 0] = -1
    differs = np.empty(len(order), dtype=np.int64)
    differs[order] = schedule.microbatch[order] - last - 1
    return differs


def _times(timeline: Timeline) -> tuple[dict[str, Any], dict[str, Integers]]:
    """Gap before and length of every op in steps, 0 for the second of a pair; lag of its input; slack."""
    schedule = timeline.schedule
    first, second = schedule.slot_op[:-1], schedule.slot_op[:-1][schedule.paired] + 1
    start, end = timeline.slot_start, timeline.slot_end
    before = np.append(0.0, end[:-1])
    before[schedule.first_slot[:-1]] = 0.0
    # Differences of times carry the float noise of the times, not of their own size; slack, a sum over
    # the whole schedule, even more: it is put on the grid of the others.
    digits = 14 - int(np.ceil(np.log10(timeline.makespan or 1.0)))
    spans = (end - start, start - before, timeline.lag.ravel())
    steps, exact = steps_per_unit(*(np.round(span, digits) for span in spans))
    starts, ends = np.rint(start * steps), np.rint(end * steps)
    previous = np.append(0.0, ends[:-1])
    previous[schedule.first_slot[:-1]] = 0.0
    columns = {"gap": starts - previous, "length": ends - starts, "slack": np.rint(slack(timeline) * steps)}
    whole = {name: _per_op(column, first, schedule.n_ops) for name, column in columns.items()}
    lag = _per_op(np.rint(timeline.lag[0] * steps), first, schedule.n_ops)
    lag[second] = np.rint(timeline.lag[1][schedule.paired] * steps)
    return {"steps": steps, "exact": exact}, {**whole, "lag": lag}


def _per_op(column: Floats, first: Ops, n_ops: int) -> Ops:
    """A column of slots at the first op of each."""
    spread = np.zeros(n_ops, dtype=np.int64)
    spread[first] = column
    return spread


def _levels(during: Floats, after: Floats) -> tuple[dict[str, Any], dict[str, Integers]]:
    """What the device holds while each op runs and, as the difference to that, once it has ended."""
    steps, _ = steps_per_unit(during, after)
    run, end = np.rint(during * steps).astype(np.int64), np.rint(after * steps).astype(np.int64)
    return {"steps": steps}, {"during": np.diff(run, prepend=0), "freed": run - end}
