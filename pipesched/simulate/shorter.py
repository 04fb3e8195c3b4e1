"""A schedule with fewer micro-batches, cut out of one whose lists repeat."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.schedule import Schedule
from pipesched.simulate.tracks import track_of, tracks

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Cutter:
    """Takes micro-batches out of the middle of every flow, and with them whole periods of every list.

    Nothing is taken for granted of the result but its shape: whoever uses it verifies.
    """

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self._track = track_of(schedule)
        self.tracks = tracks(schedule, self._track)
        self.per_flow = schedule.microbatches // schedule.placement.n_flows
        one = schedule.placement.n_flows == 1
        self._within = schedule.microbatch if one else schedule.microbatch % max(self.per_flow, 1)

    def cut(self, kept: int, step: int) -> Schedule | None:
        """The schedule with ``kept`` micro-batches in each flow, or None where the lists do not repeat so.

        A period is ``step`` micro-batches of each flow, and ``kept`` is short of all by whole periods.
        """
        schedule, taken = self.schedule, self.per_flow - kept
        middle = _Middle(kept // 2, taken, step)
        leave = (self._within < middle.first) | (self._within >= middle.first + taken)
        fewer = np.bincount(self._track[~leave], minlength=len(self.tracks.sizes))
        if not np.isin(fewer, (0, taken)).all():
            return None
        slots = self._without_periods(middle, fewer > 0)
        if slots is None:
            return None
        ops = slots[schedule.slot]
        if not np.array_equal(np.bincount(self._track[~ops], minlength=len(fewer)), fewer):
            return None
        microbatch = schedule.microbatch.astype(np.int64)
        in_order = self.tracks.ops
        microbatch[in_order[ops[in_order]]] = microbatch[in_order[leave[in_order]]]
        return self._rest(ops, microbatch[ops], middle)

    def _rest(self, ops: Bools, microbatch: Ints, middle: "_Middle") -> Schedule:
        schedule = self.schedule
        flow, within = np.divmod(microbatch, self.per_flow)
        within -= np.where(within < middle.first, 0, middle.taken)
        slot = schedule.slot[ops]
        return Schedule.from_columns(
            schedule.name,
            kind=schedule.kind[ops],
            stage=schedule.stage[ops],
            microbatch=flow * (self.per_flow - middle.taken) + within,
            slot=np.cumsum(np.diff(slot, prepend=slot[:1]) != 0),
            first=np.searchsorted(np.flatnonzero(ops), schedule.first),
            where=schedule.placement,
        )

    def _without_periods(self, middle: "_Middle", growing: Bools) -> Bools | None:
        """Which slots stay when every run of periods loses what was taken, bool[slots]."""
        schedule = self.schedule
        code = self._code
        stay = np.ones(schedule.n_slots, dtype=np.bool_)
        per_device = len(growing) // schedule.devices
        for d in range(schedule.devices):
            a, b = schedule.first_slot[d : d + 2].tolist()
            those = np.flatnonzero(growing[d * per_device : (d + 1) * per_device]) + d * per_device
            for start, stop in self._cuts(code[a:b], a, those, middle):
                if start < 0:
                    return None
                stay[a + start : a + stop] = False
        return stay

    @cached_property
    def _code(self) -> Ints:
        """What each slot does, as one number, whatever the micro-batches: int64[slots]."""
        schedule = self.schedule
        first, n_tracks = schedule.slot_op[:-1], len(self.tracks.sizes)
        code = self._track[first] + 1
        code[schedule.paired] += (self._track[first[schedule.paired] + 1] + 1) * (n_tracks + 1)
        return code

    def _cuts(self, code: Ints, offset: int, those: Ints, middle: "_Middle") -> Iterator[tuple[int, int]]:
        """What one device's list loses; (-1, -1) where it repeats for too short."""
        runs: list[tuple[int, int]] = []
        periods = middle.taken // middle.step
        for track in those.tolist():
            at = self._places(track, middle) - offset
            if any(start <= at[0] < stop for start, stop in runs):
                continue
            period = int(at[1] - at[0])
            start, stop = _run(code, int(at[0]), period)
            runs.append((start, stop))
            spare = stop - start - periods * period
            if period <= 0 or spare < 0:
                yield -1, -1
                return
            yield start + spare // 2, start + spare // 2 + periods * period

    def _places(self, track: int, middle: "_Middle") -> Ints:
        """The slots of the op in the middle of a track, and of the one a period later."""
        ops = self.tracks[track]
        at = len(ops) // 2
        return self.schedule.slot[ops[[at, min(at + middle.step, len(ops) - 1)]]].astype(np.int64)


class _Middle(NamedTuple):
    """Of each flow, ``taken`` micro-batches go, from its ``first`` on; ``step`` make a period."""

    first: int
    taken: int
    step: int


def _run(code: Ints, at: int, period: int) -> tuple[int, int]:
    """The longest stretch around ``at`` in which each entry comes again a period later."""
    if period <= 0:
        return at, at
    breaks = np.flatnonzero(code[:-period] != code[period:])
    place = int(np.searchsorted(breaks, at))
    start = int(breaks[place - 1]) + 1 if place else 0
    stop = int(breaks[place]) if place < len(breaks) else len(code) - period
    return start, stop + period
