"""A timeline of any number of micro-batches, read where it is asked for: its lists are never built."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipesched.costs import CostModel
from pipesched.ops import Kind
from pipesched.schedule import Schedule
from pipesched.simulate.growth import Growth
from pipesched.simulate.tracks import Ints, Tracks, tracks
from pipesched.timeline import Floats, Timeline


class Part(NamedTuple):
    """What overlaps a stretch of time: a timeline of those slots alone, at their true times.

    ``ended`` int64[P, kinds]: how many ops of each kind every device has ended before. The lists are not
    whole, so nothing may be asked of the timeline that follows waits.
    """

    timeline: Timeline
    ended: Ints


class Steady(NamedTuple):
    """From ``start`` to ``end`` every device repeats itself, or idles.

    ``period`` is the time of a period, of several that differ the longest, of ``microbatches``; ``same``
    says that all devices have this one.
    """

    start: float
    end: float
    period: float
    microbatches: int
    same: bool


@dataclass(frozen=True, eq=False)
class LongTimeline:
    """The timeline of ``found.few`` with ``periods`` periods more; see :mod:`pipesched.simulate.growth`."""

    found: Growth
    periods: int

    @property
    def few(self) -> Schedule:
        """The shorter schedule: of the same name, devices, stages, placement and kinds."""
        return self.found.few.schedule

    @property
    def costs(self) -> CostModel:
        """The cost model."""
        return self.found.few.costs

    @property
    def microbatches(self) -> int:
        """Number of micro-batches."""
        return self.few.microbatches + self.periods * self._per_period

    @property
    def n_ops(self) -> int:
        """Number of ops."""
        return int(self._sizes.sum())

    @cached_property
    def makespan(self) -> float:
        """When the last op ends."""
        last = np.flatnonzero(self._sizes)
        return float(self._end(*self._place(last, self._sizes[last] - 1)).max()) / self.found.ticks

    def exact(self, time: float) -> float:
        """The time without rounding noise, where it is one at which ops may start or end."""
        return self._in_ticks(time) / self.found.ticks

    def count(self, t0: float, t1: float) -> int:
        """How many ops overlap t0..t1."""
        first, stop = self._ranks(t0, t1)
        return int((stop - first).sum())

    def part(self, t0: float, t1: float) -> Part:
        """What overlaps t0..t1."""
        first, stop = self._ranks(t0, t1)
        size = stop - first
        track = np.repeat(np.arange(len(size)), size)
        rank = np.arange(len(track)) - np.repeat(np.cumsum(size) - size - first, size)
        ended = first.reshape(self.few.devices, -1, len(Kind)).sum(axis=1)
        return Part(self._timeline(*self._place(track, rank)), ended)

    def steady(self) -> list[Steady]:
        """Where nothing new happens for two periods at least.

        New are ops whose times or gains do not repeat, and the first and the last period of those that do.
        """
        found, ops, slot = self.found, self.found.ops, self.few.slot
        after = (ops.rank >= found.high - ops.step) & (ops.step > 0)
        new = np.flatnonzero(after | (ops.rank < found.low + ops.step) | (ops.step == 0))
        shift = self.periods * np.where(after, found.finish[slot], found.begin[slot])
        start, end = ((times[slot] + shift)[new] for times in (found.end - self._duration, found.end))
        order = np.argsort(start, kind="stable")
        start, end = start[order], np.maximum.accumulate(end[order])
        gaps = np.flatnonzero(start[1:] > end[:-1])
        edges = zip(end[gaps].tolist(), start[gaps + 1].tolist(), strict=True)
        stretches = (self._steady(*each) for each in edges)
        return [each for each in stretches if each.end - each.start >= 2 * each.period > 0]

    def _steady(self, start: float, end: float) -> Steady:
        """With the periods of the tracks that run in it, times in ticks."""
        begins, ends, periods = self._repeating
        periods = periods[(begins < end) & (ends > start)]
        longest = float(periods.max(initial=0.0))
        start, end, period = (each / self.found.ticks for each in (start, end, longest))
        return Steady(start, end, period, self._per_period, bool((periods == longest).all()))

    @cached_property
    def _repeating(self) -> tuple[Floats, Floats, Floats]:
        """From when to when each track that grows repeats itself, and its period; in ticks."""
        found, lists, grown = self.found, self._tracks, np.flatnonzero(self._steps)
        first = lists.first[grown]
        some = lists.ops[first]
        low, middle, high = (
            self.few.slot[lists.ops[first + rank]]
            for rank in (found.low[some], self._halves[grown] - 1, found.high[some] - 1)
        )
        begins = found.end[low] - self._duration[low] + self.periods * found.begin[low]
        ends = found.end[high] + self.periods * found.finish[high]
        return begins, ends, (found.finish - found.begin)[middle]

    def _timeline(self, source: Ints, passed: Ints) -> Timeline:
        few, more = self.few, self.found.more.schedule
        turn = self._continued(_turns(few), _turns(more), source, passed)
        microbatch = self._continued(
            few.microbatch.astype(np.int64), more.microbatch.astype(np.int64), source, passed
        )
        second = few.slot_op[few.slot] != np.arange(few.n_ops)
        order = np.lexsort((second[source], turn, few.device[source]))
        turn, source, passed = turn[order], source[order], passed[order]
        device = few.device[source]
        opens = (np.diff(device, prepend=-1) != 0) | (np.diff(turn, prepend=-1) != 0)
        schedule = Schedule.from_columns(
            few.name,
            kind=few.kind[source],
            stage=few.stage[source],
            microbatch=microbatch[order],
            slot=np.cumsum(opens) - 1,
            first=np.searchsorted(device, np.arange(few.devices + 1)),
            where=few.placement,
        )
        end = self._end(source[opens], passed[opens])
        start = end - self._duration[few.slot[source[opens]]]
        ticks = self.found.ticks
        return Timeline(schedule, self.costs, start / ticks, end / ticks, np.zeros((2, len(end))))

    def _continued(self, here: Ints, there: Ints, source: Ints, passed: Ints) -> Ints:
        """A column of the shorter lists, and of the longer, as it goes on in the long ones."""
        ops = self.found.ops
        begin, finish = (there[ops.same] - here)[source], (there[ops.later] - here)[source]
        return here[source] + (self.periods - passed) * begin + passed * finish

    def _ranks(self, t0: float, t1: float) -> tuple[Ints, Ints]:
        """Of every track, which ranks overlap t0..t1: the first, and the one after the last."""
        first = self._counted(self._in_ticks(t0), ended=True)
        return first, np.maximum(self._counted(self._in_ticks(t1), ended=False), first)

    def _in_ticks(self, time: float) -> float:
        ticks = time * self.found.ticks
        return round(ticks) if abs(ticks - round(ticks)) < 1e-3 else ticks

    def _counted(self, ticks: float, *, ended: bool) -> Ints:
        """How many ops of every track have ended by then, or have started before."""
        low, high = np.zeros_like(self._sizes), self._sizes.copy()
        while len(open_ := np.flatnonzero(low < high)):
            middle = (low[open_] + high[open_]) // 2
            source, passed = self._place(open_, middle)
            end = self._end(source, passed)
            before = end <= ticks if ended else end - self._duration[self.few.slot[source]] < ticks
            low[open_] = np.where(before, middle + 1, low[open_])
            high[open_] = np.where(before, high[open_], middle)
        return low

    def _place(self, track: Ints, rank: Ints) -> tuple[Ints, Ints]:
        """Of ops of the long lists: which op of the shorter ones each repeats, and the periods before it."""
        step, half = self._steps[track], self._halves[track]
        passed = np.clip((rank - half) // np.maximum(step, 1) + 1, 0, self.periods) * (step > 0)
        return self._tracks.ops[self._tracks.first[track] + rank - passed * step], passed

    def _end(self, source: Ints, passed: Ints) -> Floats:
        """When such ops end, in ticks."""
        found, slot = self.found, self.few.slot[source]
        end: Floats = found.end[slot] + (self.periods - passed) * found.begin[slot]
        end += passed * found.finish[slot]
        return end

    @property
    def _per_period(self) -> int:
        """Micro-batches of a period."""
        return self.found.more.schedule.microbatches - self.few.microbatches

    @cached_property
    def _duration(self) -> Floats:
        """Of every slot of the shorter lists, in ticks."""
        duration: Floats = self.found.end - np.rint(self.found.few.slot_start * self.found.ticks)
        return duration

    @cached_property
    def _tracks(self) -> Tracks:
        return tracks(self.few)

    @cached_property
    def _halves(self) -> Ints:
        return self._tracks.sizes // 2

    @cached_property
    def _steps(self) -> Ints:
        """How many ops a period adds to each track."""
        steps = np.zeros_like(self._tracks.sizes)
        some = np.flatnonzero(self._tracks.sizes)
        steps[some] = self.found.ops.step[self._tracks.ops[self._tracks.first[some]]]
        return steps

    @cached_property
    def _sizes(self) -> Ints:
        return self._tracks.sizes + self.periods * self._steps


def _turns(schedule: Schedule) -> Ints:
    """The place of every op's slot in its device's list, int64[N]."""
    turns: Ints = schedule.slot - schedule.first_slot[schedule.device]
    return turns
