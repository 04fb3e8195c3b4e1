"""What a device does at one moment, and if nothing, what it waits for: from device to device, to the root.

Times are in the cost model's unit; positions are 0-based places in a device's list.
"""

from typing import NamedTuple

import numpy as np

from pipesched.analysis.bubble import Cause
from pipesched.analysis.journeys import Hold, Journeys
from pipesched.errors import ShapeError
from pipesched.timeline import Timeline

BUSY = "busy"


class Link(NamedTuple):
    """An idle device, whose next slot waits for an op of another device, until ``until``.

    Or a device that is held by its SEND or RECV, ``next_slot``, of which the other end is ``waits_for``.
    """

    device: int
    next_slot: str
    waits_for: str
    on_device: int
    until: float


class Root(NamedTuple):
    """Where a chain of waits ends: a slot that runs, or a result on its way to the last device of the chain.

    ``slot`` is what runs, or what was made there, or the SEND or RECV that a device came to at ``start``.

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
        raise ShapeError(f"{schedule.called} has no device {device}; it has 0..{schedule.devices - 1}")
    if not 0 <= time <= timeline.makespan:
        raise ShapeError(f"{schedule.called} runs from 0 to {timeline.makespan:g}; nothing is at {time:g}")
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
    chain: list[Link] = []
    journeys = Journeys(timeline)
    while True:
        _, head = _at(timeline, device, time)
        hold = journeys.hold_at(device, head, time)
        link, root = (
            _computing(timeline, device, head, time)
            if hold is None
            else _holding(timeline, hold, device, time)
        )
        chain.append(link)
        if root is not None:
            return chain, root
        device = link.on_device


def _computing(timeline: Timeline, device: int, head: int, time: float) -> tuple[Link, Root | None]:
    """A device that waits for a result, and what is under way, unless the other device waits too."""
    schedule = timeline.schedule
    row = int(np.argmax(timeline.arrival[:, head]))
    awaited = int(schedule.needs.neighbour[schedule.slot_op[head] + row])
    source, other = int(schedule.slot[awaited]), int(schedule.device[awaited])
    texts = schedule.slot_text(head), str(schedule.op(awaited))
    link = Link(device, *texts, other, float(timeline.slot_start[head]))
    if float(timeline.slot_end[source]) <= time:
        times = float(timeline.slot_end[source]), float(timeline.arrival[row, head])
        return link, Root(True, other, schedule.slot_text(source), *times, 0)
    return link, _running(timeline, other, time, source + 1)


def _holding(timeline: Timeline, hold: Hold, device: int, time: float) -> tuple[Link, Root | None]:
    """A device that its SEND or RECV holds, and what is under way, unless the other device waits too."""
    link = Link(device, hold.action, hold.counterpart, hold.peer, hold.end)
    if hold.ready <= time:
        return link, Root(True, hold.peer, hold.counterpart, max(hold.start, hold.ready), hold.end, 0)
    return link, _running(timeline, hold.peer, time, hold.slots_before)


def _running(timeline: Timeline, device: int, time: float, stop: int) -> Root | None:
    """What a device runs, and how many slots before ``stop`` it has yet to start; None if it is idle."""
    running, head = _at(timeline, device, time)
    if running is None:
        return None
    times = float(timeline.slot_start[running]), float(timeline.slot_end[running])
    return Root(False, device, timeline.schedule.slot_text(running), *times, max(stop - head, 0))
