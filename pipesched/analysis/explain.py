"""Why an op runs when it does: what it needed, what held it, what it unblocks. Plain data, no words.

Times are in the cost model's unit; positions are 0-based places in a device's list.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pipesched.analysis.critical import slack
from pipesched.analysis.journeys import Journey, Journeys
from pipesched.errors import ShapeError
from pipesched.ops import Kind, Op, Slot, slot_text
from pipesched.schedule import Schedule
from pipesched.timeline import Timeline
from pipesched.words import cell

#: Why one thing waits for another: the device's own list, the same stage, the stage before or after, a
#: SEND or RECV that holds the device.
TURN, OWN, NEIGHBOUR, TRANSFER = "turn", "own", "neighbour", "transfer"


class Input(NamedTuple):
    """What had to be there first. ``slack`` is how long before the start it was there.

    ``journey`` is how it got here from another device, where transfers were run.
    """

    op: str  # a whole slot where ``why`` is "turn"
    needed_by: str  # the op that needs it; the whole slot for "turn"
    why: str
    device: int
    end: float
    transfer: float
    arrival: float
    slack: float
    journey: Journey | None = None


class Held(NamedTuple):
    """The last input to be there: without it the slot would have started ``time`` earlier.

    ``transfer`` is the part of ``time`` that the result was on its way.
    """

    by: str
    why: str
    device: int
    time: float
    transfer: float


class Output(NamedTuple):
    """What had to wait. ``slack`` is how long before its start the result was there, 0 if it was held."""

    op: str
    why: str
    device: int
    start: float
    slack: float


class OpExplained(NamedTuple):
    """One op and the slot it runs in, a pair or itself. ``held`` is None where nothing had to be there.

    ``slack`` is how much later it could end at the same makespan, each transfer taking as long as it did;
    None where transfers hold devices, for then a delay moves others.
    """

    op: str
    slot: str
    device: int
    position: int
    flow: int
    flows: int
    start: float
    end: float
    needs: list[Input]
    held: Held | None
    unblocks: list[Output]
    slack: float | None
    runs_transfers: bool


def explain_op(timeline: Timeline, wanted: Slot) -> OpExplained:
    """Explain an op, or an overlapped pair; O(N).

    Raises :class:`ShapeError`, with the nearest ops, where the schedule lacks it.
    """
    schedule = timeline.schedule
    slot = _find_slot(schedule, wanted)
    journeys = Journeys(timeline)
    needs = list(_inputs(timeline, slot, journeys))
    return OpExplained(
        op=slot_text(wanted),
        slot=schedule.slot_text(slot),
        device=int(schedule.slot_device[slot]),
        position=schedule.position(slot),
        flow=flow_of(schedule, find_op(schedule, wanted[0])),
        flows=schedule.placement.n_flows,
        start=float(timeline.slot_start[slot]),
        end=float(timeline.slot_end[slot]),
        needs=needs,
        held=_held(timeline, needs),
        unblocks=list(_outputs(timeline, slot)),
        slack=None if journeys.hold_devices else float(slack(timeline)[slot]),
        runs_transfers=timeline.runs_transfers,
    )


def find_op(schedule: Schedule, wanted: Op) -> int:
    """Index of an op; :class:`ShapeError`, with the nearest ones, where the schedule lacks it."""
    columns = (schedule.kind, schedule.stage, schedule.microbatch)
    found = np.flatnonzero(np.logical_and.reduce([c == w for c, w in zip(columns, wanted, strict=True)]))
    if len(found):
        return int(found[0])
    kind, stage, microbatch = (column.astype(np.int64) for column in columns)
    # The other form of the same backward is nearest, then the next stage or micro-batch.
    away = 4 * (abs(stage - wanted.stage) + abs(microbatch - wanted.microbatch))
    away += np.where(kind == wanted.kind, 0, np.where((kind == Kind.F) == (wanted.kind == Kind.F), 1, 3))
    near = ", ".join(str(schedule.op(op)) for op in np.argsort(away, kind="stable")[:3].tolist())
    raise ShapeError(f"{schedule.called} has no {wanted}; nearest are {near} ({schedule.describe()})")


def flow_of(schedule: Schedule, op: int) -> int:
    """The way through the devices that an op's chunk serves."""
    device = int(schedule.device[op])
    return schedule.placement.flows[device][schedule.placement.stages[device].index(int(schedule.stage[op]))]


def slot_before(schedule: Schedule, slot: int) -> int | None:
    """The slot before on the same device."""
    return slot - 1 if slot > int(schedule.first_slot[schedule.slot_device[slot]]) else None


def less(timeline: Timeline, a: float, b: float) -> float:
    """``a - b`` without the noise of float subtraction: to 12 significant digits of the makespan."""
    scale = timeline.makespan
    return round(a - b, 11 - math.floor(math.log10(scale))) + 0.0 if scale else 0.0


def _find_slot(schedule: Schedule, wanted: Slot) -> int:
    slots = [int(schedule.slot[find_op(schedule, op)]) for op in wanted]
    if len(set(slots)) > 1:
        where = " and ".join(
            f"{op} (device {schedule.slot_device[slot]}, {cell(schedule.position(slot))})"
            for op, slot in zip(wanted, slots, strict=True)
        )
        raise ShapeError(f"{schedule.called} has no {slot_text(wanted)}; it has {where}")
    return slots[0]


class _Edge(NamedTuple):
    """Op ``consumer`` waits for op ``needed``, which ended at ``end`` and took ``lag`` to arrive."""

    needed: int
    consumer: int
    why: str
    end: float
    lag: float


def _edges_into(timeline: Timeline, slot: int) -> Iterator[_Edge]:
    """The dependencies of a slot, those of the device's list excepted."""
    schedule = timeline.schedule
    first, stop = schedule.slot_op[slot : slot + 2].tolist()
    for consumer in range(first, stop):
        for why, column in zip((OWN, NEIGHBOUR), schedule.needs, strict=True):
            needed = int(column[consumer])
            if needed >= 0:
                row, source = consumer - first, int(schedule.slot[needed])
                remote = why == NEIGHBOUR and int(schedule.awaited[row, slot]) == source
                lag = float(timeline.lag[row, slot]) if remote else 0.0
                yield _Edge(needed, consumer, why, float(timeline.slot_end[source]), lag)


def _inputs(timeline: Timeline, slot: int, journeys: Journeys) -> Iterator[Input]:
    schedule, start = timeline.schedule, float(timeline.slot_start[slot])
    edges = list(_edges_into(timeline, slot))
    for edge in edges:
        arrival = edge.end + edge.lag
        yield Input(
            op=str(schedule.op(edge.needed)),
            needed_by=str(schedule.op(edge.consumer)),
            why=edge.why,
            device=int(schedule.device[edge.needed]),
            end=edge.end,
            transfer=edge.lag,
            arrival=arrival,
            slack=less(timeline, start, arrival),
            journey=journeys.to(edge.consumer) if edge.why == NEIGHBOUR else None,
        )
    yield from _holding(timeline, slot, journeys)
    before = slot_before(schedule, slot)
    if before is not None and before not in {int(schedule.slot[edge.needed]) for edge in edges}:
        device, end = int(schedule.slot_device[slot]), float(timeline.slot_end[before])
        names = schedule.slot_text(before), schedule.slot_text(slot)
        yield Input(*names, TURN, device, end, 0.0, end, less(timeline, start, end))


def _holding(timeline: Timeline, slot: int, journeys: Journeys) -> Iterator[Input]:
    """The last transfer that held the device before a slot, other than those that bring its own inputs."""
    schedule, start = timeline.schedule, float(timeline.slot_start[slot])
    device, ops = int(schedule.slot_device[slot]), range(*schedule.slot_op[slot : slot + 2].tolist())
    own = {journey.recv for op in ops if (journey := journeys.to(op))}
    holds = [hold for hold in journeys.holds(device, slot) if hold.action not in own]
    for hold in holds[-1:]:
        names = hold.action, schedule.slot_text(slot)
        yield Input(*names, TRANSFER, device, hold.end, 0.0, hold.end, less(timeline, start, hold.end))


def _held(timeline: Timeline, needs: list[Input]) -> Held | None:
    """Of equally late inputs, the device's own list: the device was not kept waiting then."""
    if not needs:
        return None
    last = min(needs, key=lambda each: (each.slack, each.why != TURN))
    ready = max((each.arrival for each in needs if each is not last), default=0.0)
    time = less(timeline, last.arrival, ready)
    return Held(last.op, last.why, last.device, time, min(last.transfer, time))


def _outputs(timeline: Timeline, slot: int) -> Iterator[Output]:
    """Who waits for a slot: first by dependency, then the slot after it on its device."""
    schedule = timeline.schedule
    produced = range(*schedule.slot_op[slot : slot + 2].tolist())
    consumers = {
        int(schedule.slot[op])
        for column in schedule.needs
        for op in np.flatnonzero(np.isin(column, produced))
    }
    for other in sorted(consumers, key=lambda k: (float(timeline.slot_start[k]), k)):
        start = float(timeline.slot_start[other])
        for edge in _edges_into(timeline, other):
            if edge.needed in produced:
                spare = less(timeline, start, edge.end + edge.lag)
                device = int(schedule.slot_device[other])
                yield Output(str(schedule.op(edge.consumer)), edge.why, device, start, spare)
    after, device = slot + 1, int(schedule.slot_device[slot])
    if after < int(schedule.first_slot[device + 1]) and after not in consumers:
        start = float(timeline.slot_start[after])
        spare = less(timeline, start, float(timeline.slot_end[slot]))
        yield Output(schedule.slot_text(after), TURN, device, start, spare)
