"""Interleaved 1F1B: group sizes, deadlocks and what slow ones cost; looped BFS."""

import random
import warnings

import pytest

from pipesched.analysis import analyze
from pipesched.analysis.bubble import bubble
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.errors import PipeschedWarning, ShapeError
from pipesched.generators import find
from pipesched.generators._groups import deadlocks
from pipesched.generators._pace import idle
from pipesched.generators.interleaved_1f1b import _with_groups
from pipesched.program import Pipeline
from pipesched.simulate import simulate
from pipesched.validate import validate

VPP = find("interleaved-1f1b")


def idle_chunks(devices, microbatches, chunks, group):
    """Idle time in chunk-forwards at F=1, B=2, the same on every device; None for a deadlock."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeschedWarning)
        try:
            schedule = VPP.generate(devices, microbatches, chunks, group=group)
        except ShapeError:
            return None
    (each,) = set(bubble(simulate(schedule)).idle.tolist())
    return each


def test_idle_by_group_size():
    assert [idle_chunks(4, 8, 2, g) for g in range(1, 9)] == [None, None, None, 9, 11, 14, 19, 9]
    sixteen = [None, None, 59, 9, 19, 9, 14, 9, 9, 9, 9, 9, 11, 14, 19, 9]
    assert [idle_chunks(4, 16, 2, g) for g in range(1, 17)] == sixteen
    assert idle_chunks(8, 32, 3, 10) is None


@pytest.mark.parametrize("devices", range(1, 7))
@pytest.mark.parametrize("chunks", [1, 2, 3])
def test_the_criterion_for_deadlock_is_that_of_the_validator(devices, chunks):
    """Every group size of every number of micro-batches up to 13."""
    for microbatches in range(1, 14):
        pipeline = Pipeline(devices, microbatches, chunks)
        for group in range(1, microbatches + 1):
            codes = {violation.code for violation in validate(_with_groups(pipeline, group))}
            assert codes == ({"deadlock"} if deadlocks(pipeline, group) else set()), (pipeline, group)


def test_the_criterion_holds_for_random_larger_shapes():
    draw = random.Random(1)  # noqa: S311  shapes, not secrets
    for _ in range(60):
        pipeline = Pipeline(draw.randint(2, 10), draw.randint(10, 40), draw.randint(1, 4))
        group = draw.randint(1, min(pipeline.microbatches, 2 * pipeline.devices))
        assert deadlocks(pipeline, group) == bool(validate(_with_groups(pipeline, group))), (pipeline, group)


def test_the_nominal_idle_time_is_the_simulated_one():
    draw = random.Random(2)  # noqa: S311  shapes, not secrets
    for _ in range(30):
        pipeline = Pipeline(draw.randint(1, 6), draw.randint(1, 20), draw.randint(1, 3))
        group = draw.randint(1, pipeline.microbatches)
        if not deadlocks(pipeline, group):
            schedule = _with_groups(pipeline, group)
            assert idle(schedule) == max(bubble(simulate(schedule)).idle)


@pytest.mark.parametrize(
    ("sizes", "group", "sentence"),
    [
        (
            (4, 8, 2),
            1,
            r"deadlocks with --group 1: two groups in a row must hold .* 2\(PP-1\) = 6 .* devices are 4\.\.8",
        ),
        ((8, 32, 3), 10, r"--group 10 and 2 in the last group: .* are 8\.\.9, 11\.\.32"),
        ((4, 8, 2), 9, r"interleaved-1f1b needs --group of at most 8, the number of micro-batches; got 9"),
        ((4, 8, 2), 0, r"interleaved-1f1b needs --group from 1"),
    ],
)
def test_group_sizes_that_cannot_run_are_refused(sizes, group, sentence):
    with pytest.raises(ShapeError, match=sentence):
        VPP.generate(*sizes, group=group)


def test_many_legal_sizes_are_abridged():
    with pytest.raises(ShapeError, match=r"are 138, 143\.\.144, .*, \.\.\., .*, 236\.\.4000"):
        VPP.generate(128, 4000, 3, group=2)


@pytest.mark.parametrize(
    ("sizes", "group", "sentence"),
    [
        (
            (4, 8, 2),
            7,
            r"--group 7 has a group of 1, fewer than the 4 devices: 19 idle chunk-forwards .* of 9",
        ),
        (
            (4, 16, 2),
            3,
            r"--group 3 has a group of 1, .*: 59 idle chunk-forwards .* instead of 9 \(at F=1, B=2\)",
        ),
        ((4, 9, 2), 3, r"--group 3 has a group of 3, "),
    ],
)
def test_slow_group_sizes_are_run_with_a_warning(sizes, group, sentence):
    with pytest.warns(PipeschedWarning, match=sentence) as caught:
        VPP.generate(*sizes, group=group)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("sizes", "group"), [((4, 16, 2), 6), ((4, 3, 2), 3), ((4, 8, 1), 4), ((1, 5, 2), 2)]
)
def test_groups_that_cost_nothing_are_silent(sizes, group):
    VPP.generate(*sizes, group=group)  # warnings are errors


def test_the_default_group_needs_equal_rounds():
    with pytest.raises(
        ShapeError, match=r"split into MB//PP equal groups; got 11 .* --mb 12, or give --group"
    ):
        VPP.generate(4, 11)
    assert VPP.generate(4, 11, group=6).microbatches == 11
    with pytest.raises(
        ShapeError, match=r"got 11 micro-batches on 4 devices; the next legal size is --mb 12$"
    ):
        find("interleaved-zb").generate(4, 11)


@pytest.mark.parametrize(("latency", "makespan"), [(0, 57), (0.1, 58.4), (1, 71)])
def test_latency_is_paid_a_fixed_number_of_times(latency, makespan):
    assert analyze(VPP.generate(4, 8, 2), CostModel.of(latency=latency)).makespan == makespan
    for microbatches in (16, 32):
        costs = CostModel.of(latency=latency)
        extra = analyze(VPP.generate(4, microbatches, 2), costs).makespan - 6 * microbatches - 9
        assert extra == pytest.approx(makespan - 57)


def test_two_devices():
    report = analyze(VPP.generate(2, 8, 2))
    assert (report.makespan, report.bubble.idle) == (51, [3, 3])


@pytest.mark.parametrize(("devices", "peaks"), [(4, [11, 9, 7, 5]), (8, [23, 21, 19, 17, 15, 13, 11, 9])])
def test_peaks_and_warm_ups(devices, peaks):
    schedule = VPP.generate(devices, 4 * devices, 2)
    assert memory(schedule).peak.tolist() == peaks
    warm_ups = [" ".join(row).split("B")[0].count("F") - 1 for row in schedule.rows()]
    assert warm_ups == [peak - 1 for peak in peaks]


@pytest.mark.parametrize("microbatches", [1, 2, 4, 8])
def test_peaks_never_exceed_what_there_is(microbatches):
    schedule = VPP.generate(4, microbatches, 3)
    group = min(4, microbatches)
    expected = [min(3 * microbatches, 2 * (3 - d) + 2 * group + 1) for d in range(4)]
    assert memory(schedule).peak.tolist() == expected


@pytest.mark.parametrize("name", ["interleaved-1f1b", "looped-bfs"])
@pytest.mark.parametrize(("f", "b"), [(1, 2), (1, 1), (2, 1), (0.7, 3.1)])
def test_the_formula_is_exact_from_one_microbatch_per_device_on(name, f, b):
    for devices, microbatches, chunks in [(1, 1, 2), (2, 2, 1), (4, 4, 2), (4, 7, 3), (5, 10, 4), (8, 16, 2)]:
        if find(name) is VPP and microbatches % (microbatches // devices):
            continue
        report = analyze(find(name).generate(devices, microbatches, chunks), CostModel.of(F=f, B=b, W=0))
        assert report.bubble.formula.exact
        assert report.bubble.formula.value == pytest.approx((devices - 1) * (f + b))


def test_the_formula_tells_why_it_is_not_exact():
    why = analyze(VPP.generate(4, 3)).bubble.formula.why
    assert why == "exact only if MB >= PP; here MB = 3 < PP = 4"


@pytest.mark.parametrize(("devices", "microbatches", "chunks"), [(4, 3, 2), (4, 8, 2), (2, 5, 3), (1, 3, 2)])
def test_looped_bfs_holds_everything(devices, microbatches, chunks):
    schedule = find("looped-bfs").generate(devices, microbatches, chunks)
    assert memory(schedule).peak.tolist() == devices * [microbatches * chunks]


@pytest.mark.parametrize(
    ("name", "chunks", "idle_time"),
    [("interleaved-1f1b", 2, 10.5), ("interleaved-1f1b", 4, 5.25), ("zb1p", 1, 7), ("zbv", 2, 3.5)],
)
def test_the_same_model_on_the_same_devices(name, chunks, idle_time):
    """F = I = W = 1 per eighth of the model, on 8 devices with 32 micro-batches."""
    costs = CostModel.of(F=1 / chunks, I=1 / chunks, W=1 / chunks)
    report = analyze(find(name).generate(8, 32, chunks), costs)
    assert report.bubble.idle == pytest.approx(8 * [idle_time])
