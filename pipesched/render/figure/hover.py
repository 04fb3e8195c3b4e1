"""What the hover card of an op or of an idle gap says, as plain rows."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pipesched.analysis.bubble import Cause, Gaps, gaps
from pipesched.analysis.critical import slack
from pipesched.ops import KIND_NAMES
from pipesched.render.figure.style import number, plain
from pipesched.schedule import Schedule
from pipesched.timeline import Timeline

#: One row of an op: text, kind in words, micro-batch, stage, device, start, end, what it waited for, slack.
OpRow = tuple[str, str, int, int, int, float, float, str, str]
#: One row of a gap: cause, device, start, end, length, what it waits for.
GapRow = tuple[str, int, float, float, float, str]

_CAUSES = {Cause.STARTUP: "start-up", Cause.INSIDE: "inside", Cause.DRAIN: "drain"}


def op_template(unit: str) -> str:
    """Plotly's hover template for an :data:`OpRow`."""
    column = [f"%{{customdata[{c}]}}" for c in range(9)]
    return (
        f"<b>{column[0]}</b>  {column[1]}<br>"
        f"micro-batch {column[2]}, stage {column[3]}, device {column[4]}<br>"
        f"{column[5]} to {column[6]} {plain(unit)}<br>"
        f"{column[7]}<br>{column[8]}<extra></extra>"
    )


def gap_template(unit: str) -> str:
    """Plotly's hover template for a :data:`GapRow`."""
    column = [f"%{{customdata[{c}]}}" for c in range(6)]
    return (
        f"<b>idle {column[4]} {plain(unit)}</b>, {column[0]}<br>"
        f"device {column[1]}, {column[2]} to {column[3]}<br>{column[5]}<extra></extra>"
    )


def op_rows(timeline: Timeline) -> list[OpRow]:
    """What there is to say about every op, in the schedule's order."""
    schedule = timeline.schedule
    late = slack(timeline).tolist()
    waited = _waits(timeline)
    columns = (schedule.device, schedule.slot, timeline.start.round(9), timeline.end.round(9))
    rows = []
    for i, (device, slot, start, end) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        op = schedule.op(i)
        rows.append(
            (
                str(op),
                KIND_NAMES[op.kind] + _partner(schedule, i, slot),
                op.microbatch,
                op.stage,
                device,
                start,
                end,
                waited.get(slot) or _no_wait(timeline, i),
                _slack(late[slot], timeline),
            )
        )
    return rows


def gap_rows(timeline: Timeline, found: Gaps) -> list[GapRow]:
    """What there is to say about every idle gap."""
    columns = (found.device, found.start.round(9), found.end.round(9), found.length.round(9))
    rows = zip(found.cause.tolist(), *(column.tolist() for column in columns), strict=True)
    causes = list(_reasons(timeline, found))
    return [
        (
            _CAUSES[Cause(cause)],
            device,
            start,
            end,
            length,
            f"waits for {why}" if why else "nothing left to do",
        )
        for (cause, device, start, end, length), why in zip(rows, causes, strict=True)
    ]


def _waits(timeline: Timeline) -> dict[int, str]:
    """By slot that was kept waiting: how long, for what, where, and how much of it was transfer."""
    found = gaps(timeline)
    return {
        slot: f"waited {number(length)} {plain(timeline.costs.unit)} for {why}"
        for slot, length, why in zip(
            _slots_after(timeline, found).tolist(),
            found.length.tolist(),
            _reasons(timeline, found),
            strict=True,
        )
        if why
    }


def _slots_after(timeline: Timeline, found: Gaps) -> npt.NDArray[np.int64]:
    """The slot that each gap ends with; meaningless for a drain."""
    after = np.empty(len(found.device), dtype=np.int64)
    for d, (a, b) in enumerate(
        zip(timeline.schedule.first_slot, timeline.schedule.first_slot[1:], strict=False)
    ):
        mine = found.device == d
        after[mine] = a + np.searchsorted(timeline.slot_start[a:b], found.end[mine])
    return after


def _reasons(timeline: Timeline, found: Gaps) -> Iterator[str]:
    """``2F7 on device 2, 0.5 ms of it transfer``; empty for a drain."""
    schedule, unit = timeline.schedule, plain(timeline.costs.unit)
    for op, transfer in zip(found.waited_for.tolist(), found.transfer.tolist(), strict=True):
        part = f", {number(transfer)} {unit} of it transfer" if transfer else ""
        yield f"{schedule.op(op)} on device {schedule.device[op]}{part}" if op >= 0 else ""


def _no_wait(timeline: Timeline, op: int) -> str:
    """Why an op did not wait: its input was there in time."""
    schedule = timeline.schedule
    needed = int(schedule.needs.neighbour[op])
    if needed < 0:
        return "needs nothing from another device"
    away = schedule.device[needed] != schedule.device[op]
    slot = int(schedule.slot[op])
    row = int(op != schedule.slot_op[slot])  # the second of a pair has its own arrival
    ready = float(timeline.arrival[row, slot] if away else timeline.end[needed])
    where = f"on device {schedule.device[needed]}" if away else "on this device"
    return f"no wait: {schedule.op(needed)} {where} was there at {number(ready)}"


def _partner(schedule: Schedule, op: int, slot: int) -> str:
    if not schedule.paired[slot]:
        return ""
    first = int(schedule.slot_op[slot])
    return f", overlapped with {schedule.op(first if op != first else first + 1)}"


def _slack(late: float, timeline: Timeline) -> str:
    if not late:
        return "no slack: a delay here delays the end"
    return f"slack {number(late)} {plain(timeline.costs.unit)}"
