"""How makespan and bubble spread when every slot's time varies, and whom the makespan depends on.

Each slot takes its time x max(0, 1 + jitter z), with z standard normal and independent; transfers do not
vary. Work is O(slots x samples), memory bounded.
"""

from typing import NamedTuple

import numpy as np

from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.progress import track
from pipesched.schedule import Schedule
from pipesched.simulate import slot_durations
from pipesched.simulate.batch import Batch
from pipesched.timeline import Floats

#: So many slots x samples are run at most: some ten minutes.
MOST = 10**10


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
    _check(jitter, samples, schedule.n_slots)
    batch, random = Batch(schedule), np.random.default_rng(seed)
    base = slot_durations(schedule, costs)
    sums = _Sums(batch)
    makespans: list[Floats] = []
    works: list[float] = []
    for first in track(range(0, samples, batch.at_once), "running samples"):
        count = min(batch.at_once, samples - first)
        latency = np.full(count, costs.latency)
        ends = batch.ends((_varied(base, jitter, random, works) for _ in range(count)), latency)
        makespans.append(sums.add(ends, latency))
    makespan = np.concatenate(makespans)
    whole = schedule.devices * makespan
    rates = np.divide(whole - np.array(works), whole, out=np.zeros_like(whole), where=whole > 0)
    return Jitter(
        jitter,
        samples,
        seed,
        _spread(makespan),
        _spread(rates),
        (sums.share / samples).tolist(),
        sums.crossings(samples),
    )


def _check(jitter: float, samples: int, slots: int) -> None:
    if not 0 <= jitter <= 1:
        raise CostError(f"jitter must be from 0 % to 100 %; got {100 * jitter:g} %")
    if samples < 1:
        raise CostError(f"samples must be 1 or more; got {samples}")
    most = max(MOST // max(slots, 1), 1)
    if samples > most:
        raise CostError(f"{samples} samples of {slots} slots take too long; give --samples {most} or fewer")


def _varied(base: Floats, jitter: float, random: np.random.Generator, works: list[float]) -> Floats:
    """The times of one scenario; their sum is added to ``works``."""
    times = random.standard_normal(len(base))
    times *= jitter
    times += 1
    np.maximum(times, 0, out=times)
    times *= base
    works.append(float(times.sum()))
    return times


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

    def add(self, ends: Floats, latency: Floats) -> Floats:
        """Walk back along every path at once, a step in numpy for all scenarios; return their makespans."""
        none, devices = len(ends) - 1, len(self.share)
        scenario = np.arange(len(latency))
        slot = self.batch.lasts[np.argmax(ends[self.batch.lasts], axis=0)]
        makespan: Floats = ends[slot, scenario]
        whole = np.maximum(makespan, 1e-300)
        while len(slot):
            here = self.device[slot]
            found, start, crossed = self.batch.waited_for(slot, scenario, ends, latency)
            share = (ends[slot, scenario] - start) / whole[scenario]
            self.share += np.bincount(here, share, devices)
            np.add.at(self.crossed, (self.device[found[crossed]], here[crossed]), 1)
            on = found < none
            slot, scenario = found[on], scenario[on]
        return makespan

    def crossings(self, samples: int) -> list[Crossing]:
        """Sorted, most first."""
        pairs = np.argwhere(self.crossed > 0)
        found = [Crossing(a, b, float(self.crossed[a, b]) / samples) for a, b in pairs.tolist()]
        return sorted(found, key=lambda each: -each.times)
