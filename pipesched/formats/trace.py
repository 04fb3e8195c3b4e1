"""Chrome trace, for Perfetto (ui.perfetto.dev) and chrome://tracing.

A process per device, with a thread of compute and, where transfers take time, one or more of transfers
that are received (they occupy nobody, so several may be under way); a counter of the activations held;
arrows along the dependencies between devices. Where transfers were run, each lasts from its SEND to its
arrival, with the time on its channel inside; one that holds a device is on that one's compute thread too.

A trace is in microseconds, to the nanosecond. One unit of time is a millisecond, unless the cost model's
unit is itself s, ms, us or ns.
"""

import json
import zlib
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt

from pipesched.analysis.journeys import Journeys
from pipesched.analysis.memory import Memory, memory, steps
from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.formats import trace_events as e
from pipesched.formats.trace_turns import JOIN, Turns, filled, microseconds
from pipesched.ops import Kind
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.simulate.transfers import TransferTimeline
from pipesched.timeline import Floats, Timeline

_Ints = npt.NDArray[np.int64]

_NANOSECONDS = {"s": 1e9, "ms": 1e6, "us": 1e3, "µs": 1e3, "μs": 1e3, "ns": 1.0}
#: Beyond this, ts is not exact in the float64 that viewers hold it in.
_LONGEST = 2**53

#: So many slots are turned to text at a time.
_BLOCK = 4096


def write(schedule: Schedule, costs: CostModel, free_at: str | float = "w") -> Iterator[str]:
    """The file, some thousand events at a time, one event a line.

    Raises what :func:`pipesched.simulate.simulate` does, and :class:`CostError` for a timeline too long
    for the format.
    """
    return write_timeline(simulate(schedule, costs), free_at)


def write_timeline(timeline: Timeline, free_at: str | float = "w") -> Iterator[str]:
    """The same for any timeline; what its transfers take is drawn from the end of the op to the arrival."""
    return _Writer(timeline, memory(timeline.schedule, free_at)).parts()


def compressed(parts: Iterable[str]) -> Iterator[bytes]:
    """The same as gzip, as a stream; equal input gives equal output."""
    squeeze = zlib.compressobj(6, zlib.DEFLATED, 31)  # 31: a gzip header, without time and name
    for part in parts:
        yield squeeze.compress(part.encode())
    yield squeeze.flush()


def write_compressed(schedule: Schedule, costs: CostModel) -> Iterator[bytes]:
    """What :func:`write` gives, as gzip."""
    return compressed(write(schedule, costs))


class _Writer:
    """Device by device; within a thread, events come in order of time.

    The dependencies between devices are numbered: ``consumer``, ``producer`` int64[flows] are slots,
    ordered by producer; ``sent``, ``arrives`` their times in ns.
    """

    def __init__(self, timeline: Timeline, held: Memory) -> None:
        self.timeline, self.schedule, self.held = timeline, timeline.schedule, held
        self.scale = _NANOSECONDS.get(timeline.costs.unit, 1e6)
        if timeline.makespan * self.scale > _LONGEST:
            unit = timeline.costs.unit
            raise CostError(
                f"a trace cannot be as long as {timeline.makespan:g} {unit}: that is more than "
                f"{_LONGEST / 1e9:.0f} s; give smaller times, or another --unit"
            )
        start, end = self._ns(timeline.slot_start), self._ns(timeline.slot_end)
        row, consumer = np.nonzero(self.schedule.awaited < self.schedule.n_slots)
        producer = self.schedule.awaited[row, consumer]
        order = np.argsort(producer, kind="stable")
        self.row, self.consumer, self.producer = row[order], consumer[order], producer[order]
        self.turns = Turns(self.schedule, start, end, self.producer, self.consumer)
        self.sent = end[self.producer]
        self.arrives = self._ns(timeline.arrival[self.row, self.consumer])
        self.channel: tuple[_Ints, _Ints] | None = None  # from when, until when each holds its channel
        if isinstance(timeline, TransferTimeline):
            ops = self.schedule.slot_op[self.consumer] + self.row
            edges = np.searchsorted(timeline.across.consumer, ops)
            self.sent, self.arrives = self._ns(timeline.issued[edges]), self._ns(timeline.arrived[edges])
            self.channel = self._ns(timeline.begun[edges]), self._ns(timeline.sent[edges])
        self.journeys = Journeys(timeline)
        self.with_transfers = bool((self.arrives > self.sent).any())

    def _ns(self, times: Floats) -> _Ints:
        return np.rint(times * self.scale).astype(np.int64)

    def parts(self) -> Iterator[str]:
        about = {"schedule": self.schedule.name, "costs": self.timeline.costs.describe()}
        yield f'{{"displayTimeUnit":"ms","otherData":{json.dumps(about)},"traceEvents":[\n'
        separator = ""
        for events in self._events():
            if events:
                yield separator + JOIN.join(events)
                separator = JOIN
        yield "\n]}\n"

    def _events(self) -> Iterator[list[str]]:
        arriving = np.lexsort((self.sent, self.schedule.slot_device[self.consumer]))
        bounds = np.searchsorted(
            self.schedule.slot_device[self.consumer][arriving], np.arange(self.schedule.devices + 1)
        )
        for device in range(self.schedule.devices):
            incoming = arriving[bounds[device] : bounds[device + 1]]
            lanes = self._lanes(incoming) if self.with_transfers else np.zeros(0, dtype=np.int64)
            stages = self.schedule.placement.stages[device]
            yield list(e.named(device, stages, int(lanes.max(initial=-1)) + 1))
            yield from self._compute(device)
            for block in _blocks(0, len(lanes)):
                yield self._transfers(device, incoming[block], lanes[block])
            yield from self._counters(device)

    def _lanes(self, incoming: _Ints) -> _Ints:
        """A lane for each transfer, in which it overlaps no other; as few lanes as there can be."""
        busy: list[tuple[int, int]] = []  # (until, lane)
        lanes = []
        for sent, arrives in zip(self.sent[incoming].tolist(), self.arrives[incoming].tolist(), strict=True):
            lane = heappop(busy)[1] if busy and busy[0][0] <= sent else len(busy)
            heappush(busy, (arrives, lane))
            lanes.append(lane)
        return np.array(lanes, dtype=np.int64)

    def _compute(self, device: int) -> Iterator[list[str]]:
        """Every slot of a device as a slice, with the ends of the arrows that it takes part in."""
        first, stop = self.schedule.first_slot[device : device + 2].tolist()
        for block in _blocks(first, stop):
            turns = self.turns.texts(device, block)
            if self.journeys.hold_devices:
                slots = enumerate(turns, start=block.start)
                turns = [event for slot, turn in slots for event in (*self._holds(device, slot), turn)]
            yield turns
        yield self._holds(device, stop)

    def _holds(self, device: int, slot: int) -> list[str]:
        """The transfers that hold a device before a slot."""
        pattern, events = e.slice_(device, e.COMPUTE, e.HOLDING), []
        for hold in self.journeys.holds(device, slot):
            start, end = self._ns(np.array((hold.start, hold.end)))
            times = microseconds(np.array((start, end - start)))
            events.append(pattern % (*times, e.spaced(hold.action), hold.action, hold.peer))
        return events

    def _transfers(self, device: int, flows: _Ints, lanes: _Ints) -> list[str]:
        """Transfers that a device receives, each with the step of its arrow."""
        schedule = self.schedule
        ops = schedule.slot_op[self.consumer[flows]] + self.row[flows]
        stage, microbatch = (column[ops].tolist() for column in (schedule.stage, schedule.microbatch))
        way = np.where(schedule.kind[ops] == Kind.F, "F", "B").tolist()
        source = schedule.slot_device[self.producer[flows]].tolist()
        lane = (e.TRANSFER + lanes).tolist()
        sent, lasts = self.sent[flows], self.arrives[flows] - self.sent[flows]
        start = microseconds(sent)
        slices = (lane, start, microseconds(lasts), way, microbatch, stage, way, microbatch, source)
        pattern = e.slice_(device, "%s", e.RECEIVED) + JOIN + e.arrow("t", device, "%s")
        events = filled(pattern, (*slices, flows.tolist(), lane, start))
        if self.channel is not None:
            begun, gone = (column[flows] for column in self.channel)
            part = np.flatnonzero((gone > begun) & ((begun > sent) | (gone - sent < lasts)))
            columns = (
                [lane[k] for k in part.tolist()],
                microseconds(begun[part]),
                microseconds((gone - begun)[part]),
            )
            inside = filled(e.slice_(device, "%s", e.CHANNEL), columns)
            for k, event in zip(part.tolist(), inside, strict=True):
                events[k] += JOIN + event
        return events

    def _counters(self, device: int) -> Iterator[list[str]]:
        """The activations that a device holds, wherever their number changes."""
        times, levels = steps(self.timeline, self.held, device)
        at = self._ns(times)
        last = np.append(np.diff(at) > 0, [True])  # of several levels at one time
        at, levels = at[last], levels[last]
        changes = np.append([True], np.diff(levels) != 0)
        at, levels = at[changes], levels[changes]
        for block in _blocks(0, len(at)):
            yield filled(e.held(device), (microseconds(at[block]), levels[block].tolist()))


def _blocks(first: int, stop: int) -> Iterator[slice]:
    return (slice(at, min(at + _BLOCK, stop)) for at in range(first, stop, _BLOCK))
