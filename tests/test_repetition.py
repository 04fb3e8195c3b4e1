"""Times guessed by repetition are those of the plain loop, or are not used."""

import importlib
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched import _kernel
from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError
from pipesched.generators import find, recipes
from pipesched.schedule import Schedule

compute = importlib.import_module("pipesched.simulate.compute")
repetition = importlib.import_module("pipesched.simulate.repetition")


@pytest.fixture(autouse=True)
def small_pays(monkeypatch):
    monkeypatch.setattr(repetition, "WORTHWHILE", 400)


class Looped:
    """Counts the slots that the plain loop runs."""

    def __init__(self, monkeypatch):
        self.slots = 0
        monkeypatch.setattr(compute, "end_times", self._count)

    def _count(self, order, links, duration):
        self.slots += len(duration)
        return _kernel.end_times(order, links, duration)


@pytest.fixture
def looped(monkeypatch):
    return Looped(monkeypatch)


def plain(schedule, costs):
    """By the loop alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repetition, "WORTHWHILE", 10**9)
        return compute.compute(schedule, costs)


def same(schedule, costs):
    quick, slow = compute.compute(schedule, costs), plain(schedule, costs)
    assert np.array_equal(quick.slot_end, slow.slot_end)
    assert np.array_equal(quick.slot_start, slow.slot_start)


def generate(recipe, devices, microbatches):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return recipe.generate(devices, microbatches)


COSTS = [CostModel(), CostModel(latency=0.5), CostModel(F=1.3, I=0.7, W=0.4, FB=2, latency=0.25)]


@pytest.mark.parametrize("costs", COSTS, ids=lambda costs: costs.describe())
@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
def test_every_schedule_repeats(recipe, costs, looped):
    schedule = generate(recipe, 4, 768)
    quick = compute.compute(schedule, costs)
    assert looped.slots <= 0.5 * schedule.n_slots
    assert np.array_equal(quick.slot_end, plain(schedule, costs).slot_end)


def test_the_loop_runs_ever_fewer_of_the_slots(looped):
    counts = []
    for microbatches in (256, 512, 1024):
        looped.slots = 0
        compute.compute(find("1f1b").generate(4, microbatches), CostModel())
        counts.append(looped.slots)
    assert counts[0] == counts[1] == counts[2]


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([recipe.name for recipe in recipes()]),
    st.sampled_from([2, 4]),
    st.integers(20, 40),
    st.lists(st.sampled_from([0.5, 1.0, 1.25, 3.0]), min_size=8, max_size=8),
    st.sampled_from([0.0, 0.5, 2.0]),
)
def test_whatever_the_times(name, devices, rounds, times, latency):
    schedule = generate(find(name), devices, rounds * devices)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repetition, "WORTHWHILE", 400)
        same(schedule, CostModel(F=times[: schedule.stages], I=times[-schedule.stages :], latency=latency))


def test_nothing_is_taken_from_the_name(looped):
    same(find("dualpipe").generate(4, 200).renamed("unknown.csv"), CostModel())
    assert looped.slots
    option = find("interleaved-1f1b").generate(4, 192, group=8)
    same(option, CostModel(latency=0.5))


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_one_place_that_does_not_repeat_is_seen(at):
    schedule = find("gpipe").generate(4, 300)
    ops = np.arange(schedule.n_ops)
    a = int(at * 300)
    ops[[a, a + 1]] = ops[[a + 1, a]]  # two forwards of device 0
    swapped = Schedule.from_columns(
        "swapped",
        kind=schedule.kind[ops],
        stage=schedule.stage[ops],
        microbatch=schedule.microbatch[ops],
        slot=schedule.slot,
        first=schedule.first,
        where=schedule.placement,
    )
    same(swapped, CostModel())


def test_a_deadlock_is_explained_as_ever():
    schedule = find("1f1b").generate(2, 300)
    microbatch = schedule.microbatch.copy()
    second = np.flatnonzero((schedule.device == 1) & (schedule.kind == 0))
    microbatch[second] = microbatch[second[::-1]]
    third = np.flatnonzero((schedule.device == 1) & (schedule.kind == 1))
    microbatch[third] = microbatch[third[::-1]]
    stuck = Schedule.from_columns(
        "stuck",
        kind=schedule.kind,
        stage=schedule.stage,
        microbatch=microbatch,
        slot=schedule.slot,
        first=schedule.first,
        where=schedule.placement,
    )
    with pytest.raises(InvalidScheduleError, match=r"stuck cannot run: deadlock: 1F299 \(device 1\)"):
        compute.compute(stuck, CostModel())


def test_times_of_zero_are_left_to_the_loop(looped):
    """A circle of waits in which nothing takes time would satisfy all equations."""
    schedule = find("zb1p").generate(4, 200)
    compute.compute(schedule, CostModel(B=1, I=1, W=0))
    assert looped.slots == schedule.n_slots


def test_times_without_a_common_tick_are_left_to_the_loop(looped):
    schedule = find("1f1b").generate(4, 200)
    compute.compute(schedule, CostModel(F=1 / 3, I=2 / 7, W=1))
    assert looped.slots == schedule.n_slots
