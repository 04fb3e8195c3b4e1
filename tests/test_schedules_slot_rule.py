"""Chimera, Hanayo and BitPipe: bubbles in units of micro-batches, placement, sizes."""

import pytest

from pipesched.analysis import analyze
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find
from pipesched.placement import bidirectional, bidirectional_zigzag, v_shape, zigzag
from pipesched.simulate import simulate
from pipesched.validate import validate

EQUAL = CostModel.of(F=1, B=1, W=0)
FAMILY = [
    ("chimera", {}),
    ("bitpipe", {}),
    ("hanayo", {}),
    ("hanayo", {"waves": 2}),
    ("hanayo", {"waves": 3}),
]


def base(name, devices):
    """Idle forwards at F = B."""
    return 2 * (devices - 1) if name == "hanayo" else devices - 2


@pytest.mark.parametrize(("name", "options"), FAMILY)
@pytest.mark.parametrize("devices", [2, 4, 6, 8])
def test_idle_time_for_any_number_of_units(name, options, devices):
    for units in (1, 2, 3):
        schedule = find(name).generate(devices, units * devices, **options)
        assert validate(schedule) == []
        report = analyze(schedule, EQUAL)
        assert report.bubble.idle == devices * [base(name, devices)]
        assert report.bubble.formula.exact
        for f, b in ((1, 2), (2, 1), (1, 1.5)):
            idle = analyze(schedule, CostModel.of(F=f, B=b, W=0)).bubble.idle
            assert idle == devices * [base(name, devices) * (min(f, b) + units * abs(b - f))]


def test_published_bubbles_of_chimera():
    assert analyze(find("chimera").generate(8, 32), EQUAL).bubble.idle == 8 * [6]
    unequal = analyze(find("chimera").generate(8, 32)).bubble
    assert unequal.idle == 8 * [6 * (32 / 8 + 1)]
    assert unequal.formula.why == "exact only if F = B; here F = 1 < B = 2"


def test_chimera_on_four_devices_in_full():
    schedule = find("chimera").generate(4, 4)
    assert [" ".join(row) for row in schedule.rows()] == [
        "0F0 0F1 3F2 3B2 3F3 3B3 0B0 0B1",
        "1F0 2F2 1F1 2F3 2B2 1B0 2B3 1B1",
        "1F2 2F0 1F3 2F1 2B0 1B2 2B1 1B3",
        "0F2 0F3 3F0 3B0 3F1 3B1 0B2 0B3",
    ]
    assert simulate(schedule, EQUAL).makespan == 10


@pytest.mark.parametrize("waves", [1, 2, 3])
def test_hanayo_keeps_neighbouring_stages_at_every_turn(waves):
    schedule = find("hanayo").generate(4, 4, waves=waves)
    assert schedule.stages == 8 * waves
    assert schedule.placement.copies == 1
    held = schedule.placement.stages
    for turn in range(4, 8 * waves, 4):
        assert any({turn - 1, turn} <= set(stages) for stages in held)


def test_zigzag_placements():
    assert zigzag(4) == v_shape(4)
    assert zigzag(3, 4).stages == ((0, 5, 6, 11), (1, 4, 7, 10), (2, 3, 8, 9))
    both = bidirectional_zigzag(2)
    assert both.stages == ((0, 1, 2, 3), (0, 1, 2, 3))
    assert both.flows == ((0, 1, 1, 0), (1, 0, 0, 1))
    assert (both.copies, both.n_flows, both.n_stages) == (2, 2, 4)


@pytest.mark.parametrize("devices", [2, 4, 6])
def test_two_flows_are_mirror_images(devices):
    for where in (bidirectional(devices), bidirectional_zigzag(devices)):
        for d in range(devices):
            mirrored = sorted(zip(where.stages[d], where.flows[d], strict=True))
            other = zip(where.stages[devices - 1 - d], where.flows[devices - 1 - d], strict=True)
            assert sorted((stage, 1 - flow) for stage, flow in other) == mirrored


@pytest.mark.parametrize(
    ("name", "devices", "microbatches", "sentence"),
    [
        (
            "chimera",
            3,
            6,
            r"chimera needs an even number of devices; got 3 devices; the next legal size is --pp 4",
        ),
        ("chimera", 4, 6, r"chimera needs a multiple of PP micro-batches; got 6 .* --mb 8"),
        ("bitpipe", 5, 5, r"bitpipe needs an even number of devices"),
        ("hanayo", 3, 4, r"hanayo needs a multiple of PP micro-batches; got 4 .* --mb 6"),
    ],
)
def test_sizes_that_cannot_run_are_refused(name, devices, microbatches, sentence):
    with pytest.raises(ShapeError, match=sentence):
        find(name).generate(devices, microbatches)
