"""Many scenarios of one schedule at once: the same lists under K sets of times.

Slots are sorted into levels once: each waits for slots of lower levels only. A level is then one step in
numpy for all scenarios, and work grows with slots x K plus levels.
"""

from collections.abc import Iterable, Iterator, Sequence

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
CELLS = 16_000_000


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
        self.lasts = place[schedule.first_slot[1:] - 1]
        graph = links(schedule, none)
        self._before = place[graph.before[self.by_level]]
        rows = graph.need if (graph.need[1] < n).any() else graph.need[:1]  # without pairs, one is awaited
        self._need = place[rows[:, self.by_level]]
        self._crosses = self._need < n

    @property
    def at_once(self) -> int:
        """So many scenarios fit in bounded memory."""
        return max(1, CELLS // max(self.schedule.n_slots, 1))

    def ends(self, durations: Iterable[Floats], latency: Floats) -> Floats:
        """End of every slot in K scenarios, in the order of ``by_level``: float64[slots + 1, K].

        The last row is 0, of no slot. ``durations`` float64[slots] of each scenario, ``latency`` float64[K].
        """
        end = np.zeros((self.schedule.n_slots + 1, len(latency)))
        for scenario, times in enumerate(durations):
            end[:-1, scenario] = times[self.by_level]
        for a, b in zip(self._bounds[:-1].tolist(), self._bounds[1:].tolist(), strict=True):
            start = end[self._before[a:b]]
            for need, crosses in zip(self._need[:, a:b], self._crosses[:, a:b], strict=True):
                np.maximum(start, end[need] + crosses[:, None] * latency, out=start)
            end[a:b] += start
        return end

    def waited_for(
        self, slot: Ints, scenario: Ints, ends: Floats, latency: Floats
    ) -> tuple[Ints, Floats, Bools]:
        """What set the start of some slots, each in a scenario: a slot, ``slots`` for none; and that start.

        And whether it stands on another device. Slots are in the order of ``by_level``, ``ends`` as of
        :meth:`ends`. Of two equally late it is the slot before on the same device.
        """
        found = self._before[slot]
        start = ends[found, scenario]
        crossed = np.zeros(len(slot), dtype=np.bool_)
        for need, crosses in zip(self._need[:, slot], self._crosses[:, slot], strict=True):
            arrival = ends[need, scenario] + crosses * latency[scenario]
            later = arrival > start
            found, start = np.where(later, need, found), np.maximum(start, arrival)
            crossed |= later
        return found, start, crossed


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
        ends = batch.ends(columns, np.array(delays))[:-1] / np.array(scales)
        in_order = np.empty_like(ends)
        in_order[batch.by_level] = ends
        yield from in_order.T
