"""What differs between two schedules, and what it does to time and memory. Plain data, no words.

Positions are 0-based places in a device's list, empty cells of a file not counted; times are in the cost
model's unit. Ops are compared, device by device; that two of them run as a pair is compared on its own.
Works on schedules that cannot run too: then their measures say why. O(N log N).
"""

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.actions import Actions
from pipesched.analysis.bubble import bubble
from pipesched.analysis.diff_lists import Others, compare_others
from pipesched.analysis.longest import longest_increasing
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError
from pipesched.loaded import Given, costs_of, plan_of
from pipesched.ops import Kind
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.transport import Transport

_Ints = npt.NDArray[np.int64]


class FirstDifference(NamedTuple):
    """The first position at which a device's two lists differ; None where one has ended."""

    device: int
    position: int
    a: str | None
    b: str | None


class Moved(NamedTuple):
    """An op that stands elsewhere in B: the fewest of a device, so that the others are in order."""

    op: str
    device: int
    position: int
    to_device: int
    to_position: int


class Stands(NamedTuple):
    """An op, or a pair, that only one of the two has."""

    op: str
    device: int
    position: int


class Measures(NamedTuple):
    """What a schedule takes; all None but ``error``, a sentence, if it cannot run.

    ``makespan`` and ``idle`` are in the cost model's unit, ``bubble_rate`` is a fraction of 1,
    ``peak_activations`` counts those of one micro-batch on one stage. Lists have one entry per device.
    """

    makespan: float | None
    bubble_rate: float | None
    idle: list[float] | None
    peak_activations: list[float] | None
    error: str | None


class Difference(NamedTuple):
    """Everything that differs: ``missing`` from B, ``added`` in B; ``parted`` are pairs of A alone.

    ``placement`` holds the devices that hold other stages, or serve other directions. ``others`` is what
    differs beside the compute, None where it was not compared because only one of them has any, or none;
    with it, ``first`` looks at the whole lists.
    """

    equal: bool
    devices: tuple[int, int]
    first: list[FirstDifference]
    moved: list[Moved]
    missing: list[Stands]
    added: list[Stands]
    parted: list[Stands]
    joined: list[Stands]
    placement: list[int]
    others: Others | None
    a: Measures
    b: Measures


def diff(
    a: Given,
    b: Given,
    costs: CostModel | None = None,
    free_at: str | float = "w",
    transport: Transport | None = None,
) -> Difference:
    """Compare two schedules, and run them, under one cost model; with ``transport``, their transfers too.

    Of files that were loaded, the first that gives costs gives them for both, where no others are given.
    Raises :class:`CostError` for costs that fit neither.
    """
    costs, a, b = costs_of(costs, a, b), plan_of(a), plan_of(b)
    others = compare_others(a, b)
    measured = [_measures(plan, costs, free_at, transport) for plan in (a, b)]
    wholes = (a, b) if others is not None else (_compute(a), _compute(b))
    a, b = _compute(a), _compute(b)
    both = _Both(a, b)
    parted, joined = both.pairs()
    rows = zip_longest(_held(a), _held(b))
    return Difference(
        equal=a == b and (others is None or not any(others)),
        devices=(a.devices, b.devices),
        first=_first_differences(*wholes),
        moved=both.moved(),
        missing=_stands(a, both.alone(0)),
        added=_stands(b, both.alone(1)),
        parted=parted,
        joined=joined,
        placement=[device for device, (mine, theirs) in enumerate(rows) if mine != theirs],
        others=others,
        a=measured[0],
        b=measured[1],
    )


def _held(schedule: Schedule) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return list(zip(schedule.placement.stages, schedule.placement.flows, strict=True))


def _compute(plan: Schedule | Actions) -> Schedule:
    return plan.schedule if isinstance(plan, Actions) else plan


def _measures(
    plan: Schedule | Actions, costs: CostModel, free_at: str | float, transport: Transport | None
) -> Measures:
    try:
        timeline = simulate(plan, costs, transport)
    except InvalidScheduleError as error:
        return Measures(None, None, None, None, str(error))
    measured = bubble(timeline)
    peak = memory(timeline.schedule, free_at).peak
    return Measures(timeline.makespan, measured.rate, measured.idle.tolist(), peak.tolist(), None)


def _first_differences(a: Schedule | Actions, b: Schedule | Actions) -> list[FirstDifference]:
    found = []
    none: list[str] = []
    for device, (mine, theirs) in enumerate(zip_longest(a.rows(), b.rows(), fillvalue=none)):
        for position, (left, right) in enumerate(zip_longest(mine, theirs)):
            if left != right:
                found.append(FirstDifference(device, position, left, right))
                break
    return found


def _stands(schedule: Schedule, ops: _Ints) -> list[Stands]:
    return [Stands(*each) for each in _places(schedule, ops)]


def _places(schedule: Schedule, ops: _Ints) -> Iterator[tuple[str, int, int]]:
    """Each op's text, device, and place among the device's slots (whatever empty cells its file had)."""
    device = schedule.device[ops]
    position = schedule.slot[ops] - schedule.first_slot[device]
    columns = schedule.stage[ops], schedule.kind[ops], schedule.microbatch[ops], device, position
    letters = [kind.name for kind in Kind]
    for s, k, m, d, at in zip(*(column.tolist() for column in columns), strict=True):
        yield f"{s}{letters[k]}{m}", d, at


class _Both:
    """The ops of both schedules, matched: ``common[0]`` of A and ``common[1]`` of B are the same ops."""

    def __init__(self, a: Schedule, b: Schedule) -> None:
        self.schedules = a, b
        keys = _keys(a, b)
        _, *common = np.intersect1d(*keys, assume_unique=True, return_indices=True)
        self.common: tuple[_Ints, _Ints] = (common[0], common[1])

    def alone(self, which: int) -> _Ints:
        """Ops that only one of the two has."""
        alone = np.ones(self.schedules[which].n_ops, dtype=np.bool_)
        alone[self.common[which]] = False
        return np.flatnonzero(alone)

    def moved(self) -> list[Moved]:
        """Ops on another device, and the fewest on each device without which the rest is in order."""
        a, b = self.schedules
        order = np.argsort(self.common[0])
        here, there = self.common[0][order], self.common[1][order]
        same = a.device[here] == b.device[there]
        stays = np.zeros(len(here), dtype=np.bool_)
        on_same = np.flatnonzero(same)
        cuts = np.flatnonzero(np.diff(a.device[here[on_same]])) + 1
        for run in np.split(on_same, cuts):
            stays[run[longest_increasing(there[run].tolist())]] = True
        before, after = _places(a, here[~stays]), _places(b, there[~stays])
        return [Moved(*mine, *theirs[1:]) for mine, theirs in zip(before, after, strict=True)]

    def pairs(self) -> tuple[list[Stands], list[Stands]]:
        """Pairs of A that are none in B, though B has both ops; and the other way round."""
        a, b = self.schedules
        in_b, in_a = np.full(a.n_ops, -1, dtype=np.int64), np.full(b.n_ops, -1, dtype=np.int64)
        in_b[self.common[0]], in_a[self.common[1]] = self.common[1], self.common[0]
        return _lone_pairs(a, b, in_b), _lone_pairs(b, a, in_a)


def _lone_pairs(one: Schedule, other: Schedule, match: _Ints) -> list[Stands]:
    slots = np.flatnonzero(one.paired)
    first, second = match[one.slot_op[slots]], match[one.slot_op[slots] + 1]
    known = (first >= 0) & (second >= 0)
    alone = slots[known][other.slot[first[known]] != other.slot[second[known]]]
    return [
        Stands(one.slot_text(k), int(one.slot_device[k]), k - int(one.first_slot[one.slot_device[k]]))
        for k in alone.tolist()
    ]


def _keys(a: Schedule, b: Schedule) -> tuple[_Ints, _Ints]:
    """A number for each op: equal where kind, stage and micro-batch are, and it is the n-th such op."""
    key = np.concatenate((a.kind, b.kind)).astype(np.int64)
    for mine, theirs in ((a.stage, b.stage), (a.microbatch, b.microbatch)):
        known, dense = np.unique(np.concatenate((mine, theirs)), return_inverse=True)
        key = key * len(known) + dense
    return _with_count(key[: a.n_ops], a.n_ops + b.n_ops), _with_count(key[a.n_ops :], a.n_ops + b.n_ops)


def _with_count(key: _Ints, most: int) -> _Ints:
    """The key, made different for the second and later of equal ones."""
    order = np.argsort(key, kind="stable")
    new = np.flatnonzero(np.diff(key[order], prepend=-1))
    count = np.empty(len(key), dtype=np.int64)
    count[order] = np.arange(len(key)) - np.repeat(new, np.diff(np.append(new, len(key))))
    return key * (most + 1) + count
