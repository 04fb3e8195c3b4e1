"""Orders, op for op, against the published programs and torch's classes."""

import re

import pytest
from conftest import DATA

from pipesched.errors import ShapeError, UnknownScheduleError
from pipesched.generators import find, recipes
from pipesched.ops import Kind

GOLDEN = sorted(
    path
    for pattern in (
        "deepseek/*.csv",
        "torch/ScheduleGPipe*",
        "torch/Schedule1F1B*",
        "torch/ScheduleDualPipeV*",
    )
    for path in (DATA / "orders").glob(pattern)
)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_order_equals_the_published_one(path):
    name, devices, microbatches = re.match(r"([A-Za-z0-9]+)_pp?(\d+)_mb?(\d+)", path.stem).groups()
    schedule = find(name).generate(int(devices), int(microbatches))
    assert [",".join(row) for row in schedule.rows()] == path.read_text().splitlines()


def test_there_is_golden_data():
    assert len(GOLDEN) == 31


@pytest.mark.parametrize(
    ("devices", "microbatches"), [(1, 1), (1, 5), (4, 2), (4, 3), (4, 8), (8, 7), (8, 32), (5, 11)]
)
def test_zb1p_follows_its_rule(devices, microbatches):
    """Warm up; then F while any is left, I, and the weight gradient d micro-batches behind."""
    rows = list(find("zb1p").generate(devices, microbatches).rows())
    for d, row in enumerate(rows):
        forward = min(microbatches, devices - 1 - d)
        expected = [f"{d}F{i}" for i in range(forward)]
        for i in range(microbatches):
            if forward < microbatches:
                expected.append(f"{d}F{forward}")
                forward += 1
            expected.append(f"{d}I{i}")
            if i >= d:
                expected.append(f"{d}W{i - d}")
        expected += [f"{d}W{i}" for i in range(max(microbatches - d, 0), microbatches)]
        assert row == expected


def test_dualpipe_list_lengths_are_the_published_ones():
    schedule = find("dualpipe").generate(8, 20)
    assert [len(row) for row in schedule.rows()] == [38, 36, 34, 33, 33, 34, 36, 38]


def test_dualpipe_device_mirrors_its_opposite():
    schedule = find("dualpipe").generate(8, 20)
    swap = {m: (m + 10) % 20 for m in range(20)}
    rows = list(schedule.rows())
    for d in range(4):
        swapped = [
            re.sub(r"(\d+)([FBIW])(\d+)", lambda m: f"{m[1]}{m[2]}{swap[int(m[3])]}", cell)
            for cell in rows[d]
        ]
        assert swapped == rows[7 - d]


@pytest.mark.parametrize(
    ("name", "devices", "microbatches", "sentence"),
    [
        (
            "dualpipe",
            7,
            20,
            r"dualpipe needs an even number of devices; got 7 devices; the next legal size is --pp 8",
        ),
        ("dualpipe", 8, 17, r"even number of micro-batches; got 17 micro-batches on 8 devices.* --mb 18"),
        (
            "dualpipe",
            8,
            14,
            r"at least 2 micro-batches per device; got 14 micro-batches on 8 devices.* --mb 16",
        ),
        ("dualpipev", 3, 5, r"dualpipev needs at least 2 micro-batches per device; got 5 .* --mb 6"),
        ("dualpipe", 1, 1, r"got 1 device; the next legal size is --pp 2"),
        ("chimera", 2, 1, r"got 1 micro-batch on 2 devices; the next legal size is --mb 2"),
        ("gpipe", 0, 1, r"gpipe needs a number of devices from 1 to \d+; got 0"),
        ("1f1b", 4, -1, r"1f1b needs a number of micro-batches from 1 to \d+; got -1"),
        ("1f1b", 4, 10**9, r"got 1000000000"),
    ],
)
def test_illegal_sizes_are_refused_with_the_way_out(name, devices, microbatches, sentence):
    with pytest.raises(ShapeError, match=sentence):
        find(name).generate(devices, microbatches)


def test_fixed_chunks_and_unknown_options_are_refused():
    with pytest.raises(ShapeError, match=r"hanayo runs 2 stages per device; got --chunks 4: give --waves 2$"):
        find("hanayo").generate(4, 8, 4)
    with pytest.raises(ShapeError, match=r"hanayo runs 2 stages per device; got --chunks 3$"):
        find("hanayo").generate(4, 8, 3)
    with pytest.raises(ShapeError, match=r"gpipe runs 1 stage per device; got --chunks 2"):
        find("gpipe").generate(4, 8, 2)
    with pytest.raises(ShapeError, match=r"gpipe has no option --group"):
        find("gpipe").generate(4, 8, group=2)


@pytest.mark.parametrize(
    ("devices", "microbatches"), [(2, 4), (2, 6), (4, 10), (6, 14), (8, 18), (10, 22), (8, 20)]
)
def test_any_even_number_of_microbatches_suits_dualpipe(devices, microbatches):
    schedule = find("dualpipe").generate(devices, microbatches)
    assert schedule.microbatches == microbatches
    assert int((schedule.kind == Kind.F).sum()) == devices * microbatches


def test_default_microbatches_are_legal():
    assert find("dualpipe").generate(8).microbatches == 16
    assert find("dualpipev").generate(3).microbatches == 6


def test_names_are_found_by_alias_case_and_torchs_class_name():
    assert find("ZB-H1") is find("zb1p")
    assert find("ScheduleDualPipeV") is find("dualpipev")
    assert find("Schedule1F1B") is find("pipedream_flush")


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownScheduleError, match=r"'dualpip'; did you mean dualpipe"):
        find("dualpip")
    with pytest.raises(UnknownScheduleError, match=r"known are gpipe, 1f1b"):
        find("zzzzzz")


def test_every_recipe_documents_itself():
    for recipe in recipes():
        assert recipe.summary.endswith(".")
        assert len(recipe.rule) > 40
        assert recipe.source
