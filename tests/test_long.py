"""Any part of a timeline that was not built is that part of the one that was."""

import numpy as np
import pytest
from huge import built, long
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find, recipes
from pipesched.ops import Kind

NAMES = [recipe.name for recipe in recipes()]
FAST = CostModel(F=1.1, I=0.9, W=0.7, latency=0.5)


def columns(timeline, keep=slice(None)):
    """Everything that is known of every op, device by device in order."""
    schedule = timeline.schedule
    pair = schedule.paired[schedule.slot]
    return [
        column[keep]
        for column in (
            schedule.device, schedule.kind, schedule.stage, schedule.microbatch, schedule.chunk,
            timeline.start, timeline.end, pair,
        )
    ]  # fmt: skip


def same_part(short, full, t0, t1):
    """Op for op, and everything that ended before is counted."""
    part = short.part(t0, t1)
    overlaps = (full.end > t0) & (full.start < t1)
    for ours, theirs in zip(columns(part.timeline), columns(full, overlaps), strict=True):
        assert np.array_equal(ours, theirs)
    assert short.count(t0, t1) == overlaps.sum()
    schedule = full.schedule
    ended = np.zeros((schedule.devices, len(Kind)), dtype=int)
    np.add.at(ended, (schedule.device[full.end <= t0], schedule.kind[full.end <= t0]), 1)
    assert np.array_equal(part.ended, ended)


@pytest.mark.parametrize("costs", [CostModel(), FAST], ids=lambda costs: costs.describe())
@pytest.mark.parametrize("name", NAMES)
def test_all_of_every_schedule(name, costs):
    short, full = long(name, 4, 160, costs), built(name, 4, 160, costs)
    assert short is not None
    assert (short.makespan, short.n_ops) == (full.makespan, full.schedule.n_ops)
    assert short.microbatches == 160
    same_part(short, full, -1.0, full.makespan + 1)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.sampled_from([1, 2, 4, 6]),
    st.integers(8, 24),
    st.lists(st.sampled_from([0.5, 1.0, 1.25, 3.0]), min_size=24, max_size=24),
    st.sampled_from([None, 1.5, 3.0]),
    st.sampled_from([0.0, 0.1, 2.0]),
    st.integers(0, 100),
    st.integers(0, 100),
)
@pytest.mark.filterwarnings("ignore")
def test_any_part_whatever_the_times(name, devices, rounds, times, pair, latency, one, other):
    try:
        stages = find(name).generate(devices, rounds * devices).stages
    except ShapeError:
        return
    costs = CostModel(F=times[:stages], I=times[-stages:], W=times[3 : 3 + stages], FB=pair, latency=latency)
    short = long(name, devices, rounds * devices, costs)
    if short is None:
        return
    full = built(name, devices, rounds * devices, costs)
    edges = np.sort(np.concatenate((full.start, full.end)))
    t0, t1 = sorted(float(edges[each * (len(edges) - 1) // 100]) for each in (one, other))
    same_part(short, full, t0, t1)
    for stretch in short.steady():
        repeats(full, stretch)


def repeats(full, stretch):
    """Whatever starts in a steady stretch starts again a period later, if that is in it too."""
    if not stretch.same:
        return
    schedule = full.schedule
    inside = (full.start >= stretch.start) & (full.start < stretch.end)
    again = inside & (full.start + stretch.period < stretch.end - 1e-6)
    late = inside & (full.start >= stretch.start + stretch.period - 1e-6)
    assert again.sum() == late.sum()
    for column in (schedule.device, schedule.kind, schedule.stage):
        assert np.array_equal(column[again], column[late])
    assert np.allclose(full.start[again] + stretch.period, full.start[late])


@pytest.mark.parametrize("name", NAMES)
def test_most_of_a_large_one_is_steady(name):
    short = long(name, 4, 2**20, FAST)
    stretches = short.steady()
    assert sum(each.end - each.start for each in stretches) > 0.99 * short.makespan
    assert all(each.microbatches > 0 for each in stretches)


def test_a_part_of_a_billion_ops_takes_no_more_than_its_own():
    short = long("1f1b", 16, 2**24, CostModel())
    part = short.part(3e7, 3e7 + 30).timeline
    assert part.schedule.n_ops == short.count(3e7, 3e7 + 30) < 700
    assert part.schedule.microbatch.min() > 9_900_000
