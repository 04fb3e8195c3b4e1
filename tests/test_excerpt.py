"""Excerpts: left of a break is the beginning of the full chart, right of it its end, bar for bar."""

from dataclasses import replace

import numpy as np
import pytest
from huge import built, long
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched.analysis import analyze
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find, recipes
from pipesched.render import annotate
from pipesched.render.chart import chart
from pipesched.render.excerpt import Memory, cut, excerpt, leave_out

NAMES = [recipe.name for recipe in recipes()]
#: A piece's edge is as exact as a float.
NOISE = 1e-6
UNEVEN = CostModel(F=1.1, I=0.9, W=0.7, latency=0.5)


def full_bars(drawn, start, end):
    """Every bar of a whole chart from start to end, cut there: lane, kind, ..., and its times."""
    keep = (drawn.end > start) & (drawn.start < end)
    texts = [
        column[keep] for column in (drawn.lane, drawn.kind, drawn.stage, drawn.label, drawn.shade, drawn.half)
    ]
    return [*texts, np.maximum(drawn.start[keep], start), np.minimum(drawn.end[keep], end)]


def shown_bars(drawn, piece):
    """Every bar of a piece of the axis, at its times."""
    keep = (drawn.start >= piece.t0 - NOISE) & (drawn.end <= piece.t1 + NOISE)
    texts = [
        column[keep] for column in (drawn.lane, drawn.kind, drawn.stage, drawn.label, drawn.shade, drawn.half)
    ]
    return [*texts, drawn.start[keep] + piece.shift, drawn.end[keep] + piece.shift]


def truthful(drawn, whole):
    """All pieces together are the whole without what the breaks leave out; returns how many there are."""
    pieces = drawn.pieces
    assert (pieces[0].t0 + pieces[0].shift, pieces[-1].t1 + pieces[-1].shift) == pytest.approx(
        (whole.t0, whole.t1)
    )
    for gap, before, after in zip(drawn.breaks, pieces, pieces[1:], strict=False):
        assert (before.t1 + before.shift, after.t0 + after.shift) == pytest.approx((gap.start, gap.end))
        assert after.t0 - before.t1 == pytest.approx(gap.width)
    shown = 0
    for piece in pieces:
        ours = shown_bars(drawn, piece)
        theirs = full_bars(whole, piece.t0 + piece.shift, piece.t1 + piece.shift)
        long_enough = theirs[-1] - theirs[-2] > NOISE
        for a, b in zip(ours, [column[long_enough] for column in theirs], strict=True):
            assert np.allclose(a, b)
        shown += len(ours[0])
    assert shown == len(drawn.lane)
    return len(pieces)


@pytest.mark.parametrize("costs", [CostModel(), UNEVEN], ids=lambda costs: costs.describe())
@pytest.mark.parametrize("name", NAMES)
def test_every_schedule(name, costs):
    short, full = long(name, 4, 240, costs), built(name, 4, 240, costs)
    drawn = excerpt(short, leave_out([short]))
    whole = chart(full)
    assert truthful(drawn, whole) >= 2
    assert truthful(drawn.opened(1.25), whole) == truthful(drawn, whole)
    assert (drawn.title, drawn.legend, drawn.caption) == (whole.title, whole.legend, whole.caption)
    assert len(drawn.lane) < 0.6 * len(whole.lane)
    assert truthful(cut(whole, leave_out([short])), whole) == truthful(drawn, whole)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.sampled_from([1, 2, 3, 4]),
    st.integers(10, 60),
    st.lists(st.sampled_from([0.5, 1.0, 1.25, 3.0]), min_size=16, max_size=16),
    st.sampled_from([None, 1.5, 3.0]),
    st.sampled_from([0.0, 0.1, 2.0]),
    st.tuples(st.integers(0, 100), st.integers(0, 100)),
)
@pytest.mark.filterwarnings("ignore")
def test_whatever_the_times_and_the_window(name, devices, rounds, times, pair, latency, window):
    try:
        stages = find(name).generate(devices, rounds * devices).stages
    except ShapeError:
        return
    costs = CostModel(F=times[:stages], I=times[-stages:], W=times[1 : 1 + stages], FB=pair, latency=latency)
    short = long(name, devices, rounds * devices, costs)
    if short is None:
        return
    whole = chart(built(name, devices, rounds * devices, costs))
    t0, t1 = (each / 100 * whole.t1 for each in sorted(window))
    if t0 < t1:
        drawn = excerpt(short, leave_out([short], t0, t1), (t0, t1))
        truthful(drawn, whole.window(t0, t1))
        truthful(drawn.opened(0.3), whole.window(t0, t1))


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("1f1b", ["999,984 micro-batches, 2,999,952 F"]),
        ("gpipe", ["999,985 micro-batches, 999,985 F", "999,985 micro-batches, 1,999,970 F"]),
        ("dualpipe", ["999,976 micro-batches, 2,999,928 F"]),
    ],
)
def test_what_a_break_says(name, texts):
    short = long(name, 8, 10**6, CostModel())
    drawn = excerpt(short, leave_out([short]))
    assert [each.text for each in drawn.breaks] == texts
    assert len(drawn.lane) < 2000
    for each in drawn.breaks:
        assert each.text.endswith(f"{each.end - each.start:,.0f} F")


@pytest.mark.parametrize("free_at", ["w", "i", 0.3])
@pytest.mark.parametrize("name", ["1f1b", "gpipe", "zb1p", "dualpipe"])
def test_activations_are_those_of_the_whole(name, free_at):
    short, full = long(name, 4, 240, UNEVEN), built(name, 4, 240, UNEVEN)
    peak = analyze(full.schedule, UNEVEN, free_at=free_at).memory.peak_activations
    drawn = excerpt(short, leave_out([short]), memory_of=Memory(free_at, peak, [3])).opened(2.0)
    whole = annotate.with_activations(chart(full), full, free_at, [3])
    assert np.array_equal(drawn.held.peak, whole.held.peak)
    assert np.array_equal(drawn.held.cap, whole.held.cap)
    assert drawn.held.freed_at == whole.held.freed_at
    for (times, levels), (all_times, all_levels) in zip(drawn.held.steps, whole.held.steps, strict=True):
        assert (np.diff(times) >= 0).all()
        for piece in drawn.pieces:
            at = np.linspace(piece.t0, piece.t1, 97)[1:-1] + 1e-4
            ours = levels[np.searchsorted(times, at, side="right") - 1]
            theirs = all_levels[np.searchsorted(all_times, at + piece.shift, side="right") - 1]
            assert np.allclose(ours, theirs)


def test_several_share_their_breaks():
    """And one that ends earlier has none after its end."""
    shorts = [long(name, 4, 10**6, CostModel()) for name in ("1f1b", "gpipe", "dualpipe")]
    common = leave_out(shorts)
    assert len(common) == 2
    for short in shorts:
        drawn = excerpt(short, common)
        assert [(each.start, each.end) for each in drawn.breaks] == [pytest.approx(gap) for gap in common]


def test_beside_one_that_was_built_only_what_comes_after_it_is_left_out():
    short, full = long("1f1b", 4, 10**5, CostModel()), built("1f1b", 4, 8, CostModel())
    common = leave_out([short, full])
    assert len(common) == 1
    assert common[0].start > full.makespan
    assert cut(chart(full), common).breaks == ()


def test_lanes_and_marks_of_parts():
    short = long("1f1b", 4, 10**5, CostModel())
    drawn = excerpt(short, leave_out([short]), lanes=range(1, 3))
    assert drawn.lanes == (1, 2)
    assert set(drawn.lane.tolist()) == {0, 1}
    assert replace(drawn, breaks=()).pieces == [(0.0, drawn.t1, 0.0)]
