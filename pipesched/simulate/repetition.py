"""Times of many micro-batches from those of few: guess by repeating a period, then verify every slot.

The equations ``end = max(end of the slot before, arrivals) + duration`` have one solution where every slot
takes some time: then no chain of waits comes round to where it began. So a guess that satisfies all of them
is the answer, and proves besides that the lists run to their end.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pipesched._kernel import Links
from pipesched.errors import InvalidScheduleError
from pipesched.schedule import Schedule
from pipesched.simulate.shorter import Cutter
from pipesched.simulate.tracks import Tracks, tracks
from pipesched.timeline import Floats

#: Below so many slots the plain loop is as fast.
WORTHWHILE = 16_384
#: All guesses together run at most this share of the slots that the plain loop would.
_SHARE = 0.5


def repeated(
    schedule: Schedule, graph: Links, duration: Floats, solve: Callable[[Schedule], Floats]
) -> Floats | None:
    """End of every slot in ticks, float64[slots], or None where no repetition was found that holds.

    ``graph`` and ``duration`` are in ticks, whole numbers; ``solve`` gives the ends of a shorter schedule
    in the same. At most six guesses are made, each O(N) in numpy.
    """
    if schedule.n_slots < WORTHWHILE or duration.min() <= 0:
        return None
    sizes = _sizes(schedule)
    cutter = Cutter(schedule) if sizes else None
    for kept, step in sizes:
        ends = _guess(cutter, kept, step, solve) if cutter else None
        if ends is not None and np.array_equal(graph.starts(ends) + duration, ends):
            return ends
    return None


def _sizes(schedule: Schedule) -> list[tuple[int, int]]:
    """Micro-batches of each flow to keep, and of a period: one often suffices, with latency PP.

    The way down the devices, and back up if it leads there, is filled and emptied once in three.
    """
    flows = schedule.placement.n_flows
    per_flow, devices = schedule.microbatches // flows, schedule.devices
    way = max(min(schedule.stages, 2 * devices), 4)
    sizes, spent = [], 0
    for rounds in (3, 6):
        for step in dict.fromkeys((1, max(devices // flows, 1), devices)):
            least = rounds * way + 4 * step
            kept = least + (per_flow - least) % step
            if spent + 2 * kept + step <= _SHARE * per_flow:
                spent += kept + step  # where nothing repeats, the longer one alone is run
                sizes.append((kept, step))
    return sizes


def _guess(cutter: Cutter, kept: int, step: int, solve: Callable[[Schedule], Floats]) -> Floats | None:
    """The ends of all slots, as they are if two shorter schedules show how every track goes on."""
    more = cutter.cut(kept + step, step)
    few = None if more is None else Cutter(more).cut(kept, step)
    if more is None or few is None:
        return None
    a, b = tracks(few), tracks(more)
    try:
        longer = solve(more)[more.slot]
        if not _repeats(a, b, longer):
            return None
        grown = grow(a, b, solve(few)[few.slot], longer)
    except InvalidScheduleError:
        return None
    schedule, periods = cutter.schedule, (cutter.per_flow - kept) // step
    ends = np.empty(schedule.n_slots)
    for track in np.flatnonzero(cutter.tracks.sizes).tolist():
        ops = cutter.tracks[track]
        ends[schedule.slot[ops]] = grown[track].at(len(ops), periods)
    return ends


class Grown(NamedTuple):
    """How a track's times go on: ``end`` int64[n] with few micro-batches, and what a period more adds.

    ``begin`` to the ops before the middle, counted from the start, ``finish`` to those after it, counted
    from the end; both float64[n]. ``step`` is how many ops a period adds.
    """

    end: Floats
    begin: Floats
    finish: Floats
    step: int

    def at(self, size: int, periods: int) -> Floats:
        """The ends of the track's ops, ``size`` of them, after so many periods more: float64[size]."""
        if not self.step:
            return self.end + periods * self.begin
        half = len(self.end) // 2
        rank = np.arange(size)
        passed = np.clip((rank - half) // self.step + 1, 0, periods)
        source = rank - passed * self.step
        ends: Floats = self.end[source] + (periods - passed) * self.begin[source]
        ends += passed * self.finish[source]
        return ends


def grow(few: Tracks, more: Tracks, end: Floats, longer: Floats) -> dict[int, Grown]:
    """How every track goes on, from the ends of two schedules' ops."""
    found = {}
    for track in np.flatnonzero(more.sizes).tolist():
        a, b = end[few[track]], longer[more[track]]
        step = len(b) - len(a)
        finish = b[step:] - a if step else np.zeros_like(a)
        found[track] = Grown(a, b[: len(a)] - a, finish, step)
    return found


def _repeats(few: Tracks, more: Tracks, longer: Floats) -> bool:
    """Whether in every track the periods around the middle are alike."""
    steps, halves = more.sizes - few.sizes, few.sizes // 2
    if (steps < 0).any() or (halves < 2 * steps).any():
        return False
    for track in np.flatnonzero(steps).tolist():
        step, half = int(steps[track]), int(halves[track])
        periods = longer[more[track][half - 2 * step : half + step]].reshape(3, step)
        if not np.array_equal(periods[1] - periods[0], periods[2] - periods[1]):
            return False
    return True
