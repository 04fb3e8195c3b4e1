"""How all times go on as micro-batches are added, proved on a few: no list of the larger schedule is built.

Two schedules of one family differ by one period, ``step`` ops in the middle of every track. Counted from
the start (before the middle) or from the end (after it), an op stands where it stood, and so does all it
waits for. Its end is then ``e + (K - t) begin + t finish`` after K periods, t of them before the op, for
every K and t at once, if

- ``begin`` and ``finish`` are what one period adds, measured on the two;
- nothing that it waits for gains more, along either;
- one thing that it waits for sets its start now and gains as much along both.

For ``max`` of terms linear in K and t is then the term that it is at K = 0. Around the middle, where ops
are counted from both ends, times and gains must repeat with the period, as far as waits reach across.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.schedule import Schedule
from pipesched.simulate.tracks import Ints, track_of, tracks
from pipesched.timeline import Floats, Timeline

Bools = npt.NDArray[np.bool_]


class Ops(NamedTuple):
    """Each op of the shorter schedule, int64[N]: its track, rank and the track's middle and step.

    ``same`` and ``later`` are its ops in the longer one, counted from the start and from the end.
    """

    rank: Ints
    half: Ints
    step: Ints
    same: Ints
    later: Ints

    @property
    def starting(self) -> Bools:
        """Counted from the start: before the middle, or of a track that does not grow."""
        starting: Bools = (self.rank < self.half) | (self.step == 0)
        return starting

    @property
    def finishing(self) -> Bools:
        """Counted from the end: from one period before the middle on."""
        finishing: Bools = (self.rank >= self.half - self.step) & (self.step > 0)
        return finishing


def aligned(few: Schedule, more: Schedule) -> Ops | None:
    """How the ops of two schedules correspond; None where a track shrinks or is too short to tell."""
    a, b = tracks(few), tracks(more)
    steps, halves = b.sizes - a.sizes, a.sizes // 2
    if (steps < 0).any() or (halves[steps > 0] < 2 * steps[steps > 0]).any():
        return None
    track = track_of(few)
    rank = np.empty(few.n_ops, dtype=np.int64)
    rank[a.ops] = np.arange(few.n_ops) - np.repeat(a.first[:-1], a.sizes)
    place = b.first[track] + rank
    return Ops(rank, halves[track], steps[track], b.ops[place], b.ops[place + steps[track]])


@dataclass(frozen=True, eq=False)
class Growth:
    """A schedule and what one period more adds. ``few``, ``more`` are timelines, times below in ticks.

    ``begin`` and ``finish`` float64[slots]: what a period adds to a slot's start and end, counted from the
    start and from the end of the lists. ``ops`` says which slots are counted how; ``low`` and ``high``
    int64[N] between which ranks of its track times and gains repeat with the period.
    """

    few: Timeline
    more: Timeline
    ticks: int
    ops: Ops
    end: Floats
    begin: Floats
    finish: Floats
    low: Ints
    high: Ints

    @property
    def lead(self) -> Ints:
        """The first op of every slot."""
        return self.few.schedule.slot_op[:-1]

    def edges(self) -> tuple[Floats, Floats] | None:
        """What a period adds to each device's first start and last end: float64[P] twice.

        None where another slot comes to stand there.
        """
        few, more = self.few.schedule, self.more.schedule
        first, last = few.first_slot[:-1], few.first_slot[1:] - 1
        starts = more.slot[self.ops.same[self.lead[first]]]
        stops = more.slot[self.ops.later[self.lead[last]]]
        if (starts == more.first_slot[:-1]).all() and (stops == more.first_slot[1:] - 1).all():
            return self.begin[first], self.finish[last]
        return None


def growth(few: Timeline, more: Timeline, ticks: int) -> Growth | None:
    """Prove it, or return None: see above. All times are whole numbers of ticks."""
    ops = aligned(few.schedule, more.schedule)
    if ops is None:
        return None
    end, longer = np.rint(few.slot_end * ticks), np.rint(more.slot_end * ticks)
    lead = few.schedule.slot_op[:-1]
    same, later = (more.schedule.slot[column[lead]].astype(np.int64) for column in (ops.same, ops.later))
    begin, finish = longer[same] - end, longer[later] - end
    low, high = _repeating(few.schedule, ops, end, begin, finish)
    found = Growth(few, more, ticks, ops, end, begin, finish, low, high)
    return found if _Proof(found, same, later).holds() else None


def _repeating(few: Schedule, all_ops: Ops, end: Floats, begin: Floats, finish: Floats) -> tuple[Ints, Ints]:
    """Per op, the ranks of its track, low to high, in which times and gains repeat."""
    low, high = np.zeros(few.n_ops, dtype=np.int64), np.zeros(few.n_ops, dtype=np.int64)
    of = tracks(few)
    for track in np.flatnonzero(of.sizes).tolist():
        ops = of[track]
        step, half = int(all_ops.step[ops[0]]), int(all_ops.half[ops[0]])
        if not step:
            high[ops] = len(ops)
            continue
        slots = few.slot[ops]
        ends, begins, finishes = (column[slots] for column in (end, begin, finish))
        gain = ends[step:] - ends[:-step] != (finishes - begins)[:-step]
        for column in (begins, finishes):
            gain |= column[step:] != column[:-step]
        breaks = np.flatnonzero(gain)
        place = int(np.searchsorted(breaks, half - step))
        low[ops] = breaks[place - 1] + 1 if place else 0
        high[ops] = max(half, (int(breaks[place]) if place < len(breaks) else len(ops) - step) + step)
    return low, high


class _Proof:
    """Columns by slot of the shorter schedule; where refs are indexed, one entry more for "nothing"."""

    def __init__(self, found: Growth, same: Ints, later: Ints) -> None:
        self.found, self.same, self.later = found, same, later
        lead, ops = found.lead, found.ops
        self.starting, self.finishing = ops.starting[lead], ops.finishing[lead]
        rank = ops.rank[lead]
        self.from_start, self.from_end = rank < found.high[lead], rank >= found.low[lead]
        self.refs = tuple(_refs(timeline, found.ticks) for timeline in (found.few, found.more))
        self.more_lead = found.more.schedule.slot_op[:-1]

    def holds(self) -> bool:
        """Whether every slot's equation is the same for any number of periods."""
        by_start = self._dominant(self.starting, self.same, self.found.ops.same, self.found.begin)
        by_end = self._dominant(self.finishing, self.later, self.found.ops.later, self.found.finish)
        if by_start is None or by_end is None:
            return False
        by_start[:, ~self.starting], by_end[:, ~self.finishing] = True, True
        return bool((by_start & by_end).any(axis=0).all())

    def _dominant(self, those: Bools, to: Ints, op_to: Ints, gain: Floats) -> Bools | None:
        """Which of the things waited for sets each slot's start and gains as much: bool[4, slots].

        None where lists differ from what was to be repeated, or something waited for gains more.
        """
        n, slots = len(to), np.flatnonzero(those)
        ours, theirs = self.refs
        if not self._alike(slots, to, op_to):
            return None
        ref, other = ours.slot[:, slots], theirs.slot[:, to[slots]]
        nothing = ref == n
        same, later = np.append(self.same, -1), np.append(self.later, -1)
        by_start = (other == same[ref]) & np.append(self.from_start, False)[ref]
        by_end = (other == later[ref]) & np.append(self.from_end, False)[ref]
        middle = (self.starting & self.finishing)[slots]  # what these wait for moves along with them
        follows = np.where(middle, by_start if to is self.same else by_end, by_start | by_end)
        if not np.where(nothing, other == len(self.more_lead), follows).all():
            return None
        gains = np.where(by_start, np.append(self.found.begin, 0)[ref], np.append(self.found.finish, 0)[ref])
        gains[nothing] = 0
        if (gains > gain[slots]).any() or (gain[slots] < 0).any():
            return None
        sets = np.zeros((4, n), dtype=np.bool_)
        sets[:3, slots] = (ours.arrival[:, slots] == ours.start[slots]) & (gains == gain[slots])
        sets[3, slots] = (ours.start[slots] == 0) & (gain[slots] == 0)
        return sets

    def _alike(self, slots: Ints, to: Ints, op_to: Ints) -> bool:
        """Whether slots hold corresponding ops, and take as long."""
        few, more = self.found.few.schedule, self.found.more.schedule
        lead, paired = self.found.lead[slots], few.paired[slots]
        seconds = lead[paired] + 1
        return (
            np.array_equal(self.more_lead[to[slots]], op_to[lead])
            and np.array_equal(more.paired[to[slots]], paired)
            and np.array_equal(op_to[seconds], op_to[lead[paired]] + 1)
            and np.array_equal(self.refs[0].duration[slots], self.refs[1].duration[to[slots]])
        )


class _Refs(NamedTuple):
    """What each slot waits for: the slot before, and two results; int64[3, slots], ``slots`` for nothing."""

    slot: Ints
    arrival: Floats
    start: Floats
    duration: Floats


def _refs(timeline: Timeline, ticks: int) -> _Refs:
    schedule = timeline.schedule
    n = schedule.n_slots
    before = np.arange(-1, n - 1)
    before[schedule.first_slot[:-1]] = n
    slot = np.vstack((before, schedule.awaited))
    start, end = np.rint(timeline.slot_start * ticks), np.rint(timeline.slot_end * ticks)
    lag = np.vstack((np.zeros(n), np.rint(timeline.lag * ticks)))
    return _Refs(slot, np.append(end, 0.0)[slot] + lag, start, end - start)
