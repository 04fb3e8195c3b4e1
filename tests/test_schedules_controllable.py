"""V-Half, V-Min and 1F1B-V: bubbles and peaks for every number of devices, times that differ, growth."""

import time

import numpy as np
import pytest

from pipesched.analysis.bubble import bubble
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.generators._building_block import PERIOD
from pipesched.generators.one_f_one_b_v import _blocks
from pipesched.simulate import simulate
from pipesched.validate import validate

EVEN = CostModel.of(F=1, I=1, W=1)
DEVICES = range(2, 17)


def idle(name, devices, microbatches, costs=EVEN):
    """Idle time, the same on every device, of a schedule that can run."""
    schedule = find(name).generate(devices, microbatches)
    assert validate(schedule) == []
    (each,) = set(bubble(simulate(schedule, costs)).idle.tolist())
    return each


def peak(name, devices, microbatches):
    return memory(find(name).generate(devices, microbatches)).peak.max()


@pytest.mark.parametrize("devices", DEVICES)
def test_v_half(devices):
    expected = 1 if devices == 2 else 3 * devices - (7 if devices % 2 == 0 else 4)
    for microbatches in (devices, devices + 1, 2 * devices, 3 * devices):
        assert idle("v-half", devices, microbatches) == expected
        assert peak("v-half", devices, microbatches) == 2 * ((devices + 2) // 2)


@pytest.mark.parametrize("devices", DEVICES)
def test_v_min(devices):
    for microbatches in (devices, devices + 1, 2 * devices, 3 * devices):
        assert idle("v-min", devices, microbatches) == 4 * devices - (5 if devices % 3 == 1 else 7)
        assert peak("v-min", devices, microbatches) <= 2 * ((devices + 4) // 3)


@pytest.mark.parametrize("devices", DEVICES)
def test_1f1b_v(devices):
    most = 2 * -(-(2 * devices + 1) // 3)
    for microbatches in (2 * devices, 3 * devices):
        found = idle("1f1b-v", devices, microbatches)
        assert found <= 5 * (devices - 1)
        assert found == 5 * (devices - 1) or devices % 3 != 1
        assert peak("1f1b-v", devices, microbatches) == most
    assert idle("1f1b-v", devices, 2 * devices) < 2 * idle("1f1b", devices, 2 * devices)  # of half the stage


@pytest.mark.parametrize("name", ["v-half", "v-min", "1f1b-v"])
@pytest.mark.parametrize("devices", [1, 2, 3, 4, 7, 8])
def test_any_number_of_microbatches_runs_within_the_peak(name, devices):
    full = peak(name, devices, 4 * devices)
    for microbatches in (1, 2, 3, devices, devices + 1):
        assert idle(name, devices, microbatches) >= devices - 1
        assert peak(name, devices, microbatches) <= min(full, 2 * microbatches)


@pytest.mark.parametrize("name", ["v-half", "v-min", "1f1b-v"])
def test_one_device_never_waits(name):
    assert [idle(name, 1, m) for m in (1, 2, 5)] == [0, 0, 0]


@pytest.mark.parametrize("devices", [2, 3, 4, 6, 7, 8])
@pytest.mark.parametrize("times", [(1, 1.5, 1.25), (0.75, 1.25, 1.25), (1.25, 1, 0.5), (2, 2, 1), (2, 1, 2)])
def test_v_half_repeats_no_bubble_where_w_makes_up_for_what_f_and_i_differ(devices, times):
    f, i, w = times
    assert w + 2 * i >= 2 * f
    assert w + 2 * f >= 2 * i
    costs = CostModel.of(F=f, I=i, W=w)
    assert idle("v-half", devices, 3 * devices, costs) == idle("v-half", devices, 6 * devices, costs)


def test_v_half_repeats_a_bubble_elsewhere_and_v_min_with_most_times():
    costs = CostModel.of(F=1, I=2, W=0.5)
    assert idle("v-half", 4, 24, costs) > idle("v-half", 4, 12, costs)
    costs = CostModel.of(F=1, I=1.25, W=0.75)
    assert idle("v-min", 4, 24, costs) > idle("v-min", 4, 12, costs)


def test_squeezing_alone_would_not_do():
    """The block's own order, as soon as possible, leaves 26 instead of 17 idle at 8 devices."""
    assert idle("v-half", 8, 24) == 17


@pytest.mark.parametrize("devices", range(1, 20))
def test_the_block_of_1f1b_v_uses_every_slot_once_and_follows_the_model(devices):
    blocks = _blocks(devices)
    for block in blocks:
        slots = [block[0], block[1], block[2], block[2] + 1, block[3], block[3] + 1]
        assert sorted(slot % PERIOD for slot in slots) == list(range(PERIOD))
    down, up = np.array([b[:2] for b in blocks]).T
    ends = np.array([b[2:] for b in blocks]) + 2
    forward, backward = np.append(down, up[::-1]), np.append(ends[:, 0], ends[::-1, 1])
    assert (np.diff(forward) >= 1).all()
    assert backward[0] - 2 >= forward[-1] + 1
    assert (np.diff(backward) >= 2).all()


def test_building_is_fast_and_linear():
    find("v-half").generate(8, 24)  # not the first time, which imports
    for name in ("v-half", "v-min", "1f1b-v"):
        start = time.perf_counter()
        find(name).generate(8, 24)
        assert time.perf_counter() - start < 0.5
        start = time.perf_counter()
        find(name).generate(8, 1000)
        assert time.perf_counter() - start < 3  # 48,000 ops; quadratic growth would take a minute
