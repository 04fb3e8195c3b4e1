"""Many scenarios of one schedule at once: the same lists under K sets of times.

Slots are sorted into levels once: each waits for slots of lower levels only. A level is then one step in
numpy for all scenarios, and work grows with slots x K plus levels.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pipesched._kernel import end_times
from pipesched.costs import CostModel
from pipesched.schedule import Schedule
from pipesched.simulate.compute import check_runs, links, slot_durations, ticks_per_unit
from pipesched.simulate.tracks import Ints
from pipesched.timeline import Floats

Bools = npt.NDArray[np.bool_]

#: So many times are held at once at most, slots x scenarios.
CELLS = 8_000_000


class Batch:
    """A schedule ready to run under many times. Raises :class:`InvalidScheduleError` if it cannot run."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        order = check_runs(schedule)
        n = schedule.n_slots
        none = np.zeros((2, n))
        level = end_times(order, links(schedule, none), np.ones(n)).astype(np.int64)
        self.by_level = np.argsort(level, kind="stable")
        self._bounds = np.searchsorted(level[self.by_level], np.arange(1, int(level.max(initial=0)) + 2))
        place = np.empty(n + 1, dtype=np.int64)
        place[self.by_level], place[n] = np.arange(n), n
        graph = links(schedule, none)
        self._before = place[graph.before[self.by_level]]
        self._need = place[graph.need[:, self.by_level]]
        self._pairs = bool((graph.need[1] < n).any())

    @property
    def at_once(self) -> int:
        """So many scenarios fit in bounded memory."""
        return max(1, CELLS // max(self.schedule.n_slots, 1))

    def ends(self, durations: Floats, latency: Floats) -> Floats:
        """End of every slot in K scenarios, float64[slots, K], in the order of ``by_level``.

        ``durations`` float64[slots, K] in the same order, ``latency`` float64[K].
        """
        n, k = durations.shape
        end = np.zeros((n + 1, k))  # the last row stands for "no such slot"
        lag = np.append(np.ones(n), 0.0)[self._need][:, :, None]
        rows = (0, 1) if self._pairs else (0,)
        for a, b in zip(self._bounds[:-1].tolist(), self._bounds[1:].tolist(), strict=True):
            start = end[self._before[a:b]]
            for row in rows:
                np.maximum(start, end[self._need[row, a:b]] + lag[row, a:b] * latency, out=start)
            np.add(start, durations[a:b], out=end[a:b])
        return end[:n]

    def waited_for(self, slot: Ints, scenario: Ints, ends: Floats, latency: Floats) -> tuple[Ints, Bools]:
        """What set the start of some slots, each in a scenario: a slot, ``slots`` for none; int64[len(slot)].

        And whether it stands on another device. Slots are in the order of ``by_level``, ``ends`` as of
        :meth:`ends`. Of two equally late it is the slot before on the same device.
        """
        n = len(ends)
        found = self._before[slot]
        latest = np.where(found < n, ends[np.minimum(found, n - 1), scenario], 0.0)
        crossed = np.zeros(len(slot), dtype=np.bool_)
        for row in (0, 1):
            need = self._need[row, slot]
            arrival = ends[np.minimum(need, n - 1), scenario] + latency[scenario]
            later = (need < n) & (arrival > latest)
            found, latest = np.where(later, need, found), np.where(later, arrival, latest)
            crossed |= later
        return found, crossed


def simulate_batch(schedule: Schedule, models: Sequence[CostModel]) -> Iterator[Floats]:
    """End of every slot under each cost model, float64[slots] each, equal to :func:`simulate`'s."""
    batch = Batch(schedule)
    for first in range(0, len(models), batch.at_once):
        chosen = models[first : first + batch.at_once]
        columns, delays, scales = [], [], []
        for costs in chosen:
            durations = slot_durations(schedule, costs)
            ticks = ticks_per_unit(durations, costs.latency)
            scale = ticks or 1
            columns.append(np.rint(durations * scale) if ticks else durations)
            delays.append(float(np.rint(costs.latency * scale)) if ticks else costs.latency)
            scales.append(float(scale))
        ends = batch.ends(np.stack(columns, axis=1)[batch.by_level], np.array(delays)) / np.array(scales)
        in_order = np.empty_like(ends)
        in_order[batch.by_level] = ends
        yield from in_order.T
