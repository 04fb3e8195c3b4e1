"""What a device does at one moment, and if nothing, what it waits for: from device to device, to the root."""

from typing import NamedTuple

import numpy as np

from pipesched.analysis.bubble import Cause
from pipesched.errors import ShapeError
from pipesched.timeline import Timeline

BUSY = "busy"


class Link(NamedTuple):
    """An idle device, whose next slot waits for an op of another device, until ``until``."""

    device: int
    next_slot: str
    waits_for: str
    on_device: int
    until: float


class Root(NamedTuple):
    """Where a chain of waits ends: a slot that runs, or a result on its way to the last device of the chain.

    ``slots_ahead`` is how many slots the device has yet to start until the awaited op, that one included;
    0 where the awaited op runs already or is on its way.
    """

    transfer: bool
    device: int
    slot: str
    start: float
    end: float
    slots_ahead: int


class DeviceExplained(NamedTuple):
    """What a device does at ``time``: busy, or idle: startup, inside or drain (:class:`Cause`).

    From ``start`` to ``end`` it runs ``slot``, or is idle; then ``slot`` is the one that comes next, None
    in the drain. ``chain`` is empty and ``root`` None unless it waits.
    """

    device: int
    time: float
    state: str
    slot: str | None
    position: int | None
    start: float
    end: float
    chain: list[Link]
    root: Root | None


def explain_device(timeline: Timeline, device: int, time: float) -> DeviceExplained:
    """Explain a device at a time. Raises :class:`ShapeError` for one that is not in the timeline."""
    schedule = timeline.schedule
    if not 0 <= device < schedule.devices:
        raise ShapeError(f"{schedule.name} has no device {device}; it has 0..{schedule.devices - 1}")
    if not 0 <= time <= timeline.makespan:
        raise ShapeError(f"{schedule.name} runs from 0 to {timeline.makespan:g}; nothing is at {time:g}")
    running, head = _at(timeline, device, time)
    if running is not None:
        slot, state = running, BUSY
        start, end = float(timeline.slot_start[slot]), float(timeline.slot_end[slot])
        return DeviceExplained(
            device, time, state, schedule.slot_text(slot), schedule.position(slot), start, end, [], None
        )
    first, stop = schedule.first_slot[device : device + 2].tolist()
    start = float(timeline.slot_end[head - 1]) if head > first else 0.0
    if head == stop:
        drain = Cause.DRAIN.name.lower()
        return DeviceExplained(device, time, drain, None, None, start, timeline.makespan, [], None)
    cause = Cause.STARTUP if head == first else Cause.INSIDE
    chain, root = _chain(timeline, device, time)
    return DeviceExplained(
        device=device,
        time=time,
        state=cause.name.lower(),
        slot=schedule.slot_text(head),
        position=schedule.position(head),
        start=start,
        end=float(timeline.slot_start[head]),
        chain=chain,
        root=root,
    )


def _at(timeline: Timeline, device: int, time: float) -> tuple[int | None, int]:
    """The slot that a device runs at a time, or None; and its first slot that has not started by then."""
    first, stop = timeline.schedule.first_slot[device : device + 2].tolist()
    head = first + int(np.searchsorted(timeline.slot_start[first:stop], time, side="right"))
    running = head - 1 if head > first and time < float(timeline.slot_end[head - 1]) else None
    return running, head


def _chain(timeline: Timeline, device: int, time: float) -> tuple[list[Link], Root]:
    """From an idle device to what it waits for, which may wait itself, to something that is under way.

    No device comes twice: a schedule that has times has no cycle.
    """
    schedule, chain = timeline.schedule, []
    while True:
        _, head = _at(timeline, device, time)
        row = int(np.argmax(timeline.arrival[:, head]))
        awaited = int(schedule.needs.neighbour[schedule.slot_op[head] + row])
        source = int(schedule.slot[awaited])
        other = int(schedule.device[awaited])
        chain.append(
            Link(
                device,
                schedule.slot_text(head),
                str(schedule.op(awaited)),
                other,
                float(timeline.slot_start[head]),
            )
        )
        running, next_there = _at(timeline, other, time)
        transfer = float(timeline.slot_end[source]) <= time
        if transfer or running is not None:
            under_way = source if transfer or running is None else running
            start, end = float(timeline.slot_start[under_way]), float(timeline.slot_end[under_way])
            if transfer:
                start, end = end, float(timeline.arrival[row, head])
            ahead = max(source - next_there + 1, 0)
            return chain, Root(transfer, other, schedule.slot_text(under_way), start, end, ahead)
        device = other
