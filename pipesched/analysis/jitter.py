"""How makespan and bubble spread when every slot's time varies, and whom the makespan depends on.

Each slot takes its time x max(0, 1 + jitter z), with z standard normal and independent; transfers do not
vary. Work is O(slots x samples), memory bounded.
"""

from typing import NamedTuple

import numpy as np

from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.schedule import Schedule
from pipesched.simulate import slot_durations
from pipesched.simulate.batch import Batch
from pipesched.timeline import Floats


class Spread(NamedTuple):
    """A distribution: mean, median, 95th percentile, largest."""

    mean: float
    p50: float
    p95: float
    worst: float


class Crossing(NamedTuple):
    """How often the critical path goes from one device to another, on average: its gain per latency."""

    from_device: int
    to_device: int
    times: float


class Jitter(NamedTuple):
    """``share`` float64[P]: the part of the makespan that the critical path works on each device.

    If all of a device's times grow by 1 %, the makespan grows by its share of 1 %. ``crossings`` are sorted,
    most first; if latency between two devices grows by 1, the makespan grows by as much as they are times.
    """

    jitter: float
    samples: int
    seed: int
    makespan: Spread
    bubble_rate: Spread
    device_share: list[float]
    crossings: list[Crossing]


def jittered(schedule: Schedule, costs: CostModel, jitter: float, samples: int, seed: int = 0) -> Jitter:
    """Run it so many times; ``jitter`` is a standard deviation as a fraction of each slot's time.

    Raises :class:`CostError` for numbers that make no sense.
    """
    if not 0 <= jitter <= 1:
        raise CostError(f"jitter must be from 0 % to 100 %; got {100 * jitter:g} %")
    if samples < 1:
        raise CostError(f"samples must be 1 or more; got {samples}")
    batch, random = Batch(schedule), np.random.default_rng(seed)
    base = slot_durations(schedule, costs)
    sums = _Sums(batch)
    makespans, rates = [], []
    for first in range(0, samples, batch.at_once):
        factor = random.standard_normal((min(batch.at_once, samples - first), len(base)))
        factor *= jitter
        factor += 1
        durations = np.ascontiguousarray((base * np.maximum(factor, 0, out=factor)).T[batch.by_level])
        latency = np.full(durations.shape[1], costs.latency)
        ends = batch.ends(durations, latency)
        makespan = ends.max(axis=0, initial=0.0)
        work = schedule.devices * makespan
        makespans.append(makespan)
        idle = work - durations.sum(axis=0)
        rates.append(np.divide(idle, work, out=np.zeros_like(work), where=work > 0))
        sums.add(ends, durations, latency)
    return Jitter(
        jitter,
        samples,
        seed,
        _spread(np.concatenate(makespans)),
        _spread(np.concatenate(rates)),
        (sums.share / samples).tolist(),
        sums.crossings(samples),
    )


def _spread(values: Floats) -> Spread:
    p50, p95 = np.quantile(values, (0.5, 0.95)).tolist()
    return Spread(float(values.mean()), p50, p95, float(values.max()))


class _Sums:
    """What the critical paths of all scenarios consist of."""

    def __init__(self, batch: Batch) -> None:
        devices = batch.schedule.devices
        self.batch = batch
        self.device = batch.schedule.slot_device[batch.by_level].astype(np.int64)
        self.share = np.zeros(devices)
        self.crossed = np.zeros((devices, devices))

    def add(self, ends: Floats, durations: Floats, latency: Floats) -> None:
        """Walk back along every path at once, a step in numpy for all scenarios."""
        n, devices = len(ends), len(self.share)
        slot = np.argmax(ends, axis=0)
        scenario = np.arange(len(slot))
        makespan = np.maximum(ends[slot, scenario], 1e-300)
        while len(slot):
            here = self.device[slot]
            self.share += np.bincount(here, durations[slot, scenario] / makespan[scenario], devices)
            found, crossed = self.batch.waited_for(slot, scenario, ends, latency)
            np.add.at(self.crossed, (self.device[found[crossed]], here[crossed]), 1)
            on = found < n
            slot, scenario = found[on], scenario[on]

    def crossings(self, samples: int) -> list[Crossing]:
        """Sorted, most first."""
        pairs = np.argwhere(self.crossed > 0)
        found = [Crossing(a, b, float(self.crossed[a, b]) / samples) for a, b in pairs.tolist()]
        return sorted(found, key=lambda each: -each.times)
