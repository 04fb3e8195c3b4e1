"""Every rule, by published mistakes and by mutating schedules that can run."""

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.errors import FormatError
from pipesched.formats import load, loads
from pipesched.generators import find, recipes
from pipesched.ops import Kind, Op
from pipesched.schedule import Schedule
from pipesched.validate import rules, validate


def told(text, limit=100):
    return [
        (v.code, v.op, v.device, v.position, v.message) for v in validate(loads(text, "x").schedule, limit)
    ]


BROKEN = {
    "deadlock_cross_rank": [
        ("deadlock", "1F1", 1, 0, "deadlock: 1F1 (device 1) waits for 0F1, which device 0 runs after 0B0; "
         "0B0 waits for 1B0, which device 1 runs after 1F1")
    ],
    "missing_backward": [
        ("missing", "0B1", 0, 1, "0B1 missing: stage 0, micro-batch 1 has a forward and no backward (device 0, cell 2)")
    ],
    "duplicate_forward": [("duplicate", "0F0", 0, 1, "0F0 stands twice on device 0: cells 1 and 2")],
    "backward_before_forward": [
        ("order", "1B1", 1, 2, "device 1: 1B1 (cell 3) stands before its own forward 1F1 (cell 4)")
    ],
    "weight_before_input": [
        ("order", "0W0", 0, 2, "device 0: 0W0 (cell 3) stands before 0I0 (cell 4), which it needs")
    ],
    "whole_and_split": [("whole-and-split", "0B0", 0, 2, "0B0 (device 0, cell 3) and 0I0 (device 0, cell 4) + 0W0 (device 0, cell 5): the same backward twice")],
    "missing_weight": [("missing", "0W0", 0, 2, "0I0 has no 0W0: its weight gradient is missing (device 0, cell 3)")],
    "microbatch_gap": [
        ("missing-microbatch", None, None, None, "micro-batch 1 missing: ids must run 0..m-1 (found 0, 2)")
    ],
    "missing_stage": [("missing-stage", None, None, None, "stage 1 missing between 0 and 2")],
    "overlap_with_itself": [
        ("pair-needs-itself", "1B1", 1, 2,
         "device 1, cell 3: a pair whose backward needs its own forward can never start")
    ],
    "torch_1f1b_off_by_one": [
        ("stray", "3F4", 3, 6, "3F4 has no other stage: micro-batch 4 stands on stage 3 only (device 3, cell 7); is 3F0 meant, which is missing?"),
        ("missing", "3F0", 3, 1, "3F0 missing: stage 3, micro-batch 0 has a backward and no forward (device 3, cell 2)"),
    ],
    "wrong_device": [
        ("wrong-device", "0B0", 1, 0, "0B0 stands on device 1, cell 1, but 0F0, which it needs, on device 0, cell 1")
    ],
    "idle_device": [("idle-device", None, 1, None, "device 1 has nothing to do (row 2)")],
    "no_ops": [("empty", None, None, None, "the schedule has no ops")],
    "lone_rank_fine": [],
    "untidy_but_fine": [],
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_published_mistakes(name):
    assert told((DATA / "broken" / f"{name}.csv").read_text()) == BROKEN[name]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("unknown_action", "row 2, cell 3: '1X1' is not an action"),
        ("trailing_garbage", "row 2, cell 3: '1F1garbage' is not an action"),
        ("empty", "no rows"),
    ],
)
def test_files_that_are_no_schedule(name, sentence):
    with pytest.raises(FormatError, match=sentence):
        load(DATA / "broken" / f"{name}.csv")


def test_every_broken_file_is_covered():
    names = {path.stem for path in (DATA / "broken").glob("*.csv")}
    assert names == {*BROKEN, "unknown_action", "trailing_garbage", "empty"}


def test_independent_violations_are_reported_at_once():
    text = "0F0,0F0,0F1,0W1,0I1,0B0\n1F0,1B0,1B1,1F1\n"
    assert [v[0] for v in told(text)] == ["duplicate", "order", "order"]
    deadlock_and_missing = "0F0,0B0,0F1,0B1,0F2\n1F1,1B1,1F0,1B0,1F2,1B2\n"
    assert {v[0] for v in told(deadlock_and_missing)} == {"missing", "deadlock"}


@pytest.mark.parametrize(
    ("text", "code", "part"),
    [
        ("0F0,0B0\n\n1F0,1B0\n", "idle-device", "device 1 has nothing to do (row 2)"),
        ("1F0,1B0\n2F0,2B0\n", "missing-stage", "stage 0 missing: stages must start at 0 (found 1)"),
        ("0F0,1B0\n1F0,0B0\n", "wrong-device", "stands on device 0, cell 2, but 1F0, which it needs, on device 1, cell 1"),
        ("0F0,0B0,0F1,0B1\n1F0,1B0\n", "missing", "1F1 and 1B1 missing: micro-batch 1 never runs on stage 1"),
        ("0F0,0W0\n", "missing", "0I0 missing: 0W0 has no input gradient before it"),
        ("0F0,0B0,0W0,0F1,0B1\n", "whole-and-split", "if input-only is meant, write I"),
        ("0F0,1B0,1F0,0B0\n", "order", "1B0 (cell 2) stands before its own forward 1F0 (cell 3)"),
        ("0F0,0F5000000,0B0,0B5000000\n", "missing-microbatch", "micro-batches 1..4999999 missing"),
        ("0F0,0B0\n0F0,0B0\n", "duplicate", "0F0 stands twice on device 0 (cell 1) and on device 1 (cell 1)"),
    ],
)  # fmt: skip
def test_further_mistakes(text, code, part):
    found = told(text)
    assert any(v[0] == code and part in v[4] for v in found), found


@pytest.mark.parametrize(
    ("typo", "first"),
    [
        ("1F0", "1F0 stands twice on device 1: cells 1 and 2"),
        ("2F1", "2F1 stands twice on device 1 (cell 2) and on device 2 (cell 2)"),
        ("1F9", "1F9 has no other stage: micro-batch 9 stands on stage 1 only (device 1, cell 2)"),
        ("1B1", "1B1 stands twice on device 1: cells 2 and 6"),
        ("1W1", "1B1 (device 1, cell 6) and 1W1 (device 1, cell 2): the same backward twice"),
    ],
)
def test_one_slip_is_told_first_with_its_place_and_what_was_meant(typo, first):
    rows = [*find("1f1b").generate(4, 4).rows()]
    rows[1][1] = typo
    found = told("\n".join(map(",".join, rows)))
    assert found[0][-1] == f"{first}; is 1F1 meant, which is missing?"
    assert "1F1 missing" in found[1][-1]


def test_what_is_meant_is_not_guessed():
    assert told("0F0,0F0,0B0\n1F0,1B0\n")[0][-1] == "0F0 stands twice on device 0: cells 1 and 2"
    two_missing = "0F0,0F0,0F1,0F1,0B0,0B1,0B2,0B3\n1F0,1F1,1F2,1F3,1B0,1B1,1B2,1B3\n"
    assert told(two_missing)[0][-1] == "0F0 stands twice on device 0: cells 1 and 2"


def test_cells_count_the_empty_ones_of_the_file():
    assert told("0F0,,0B0,0B1,,0F1\n")[0][3:] == (
        3,
        "device 0: 0B1 (cell 4) stands before its own forward 0F1 (cell 6)",
    )


def test_a_deadlock_through_pairs_names_the_ops_that_wait():
    text = "0F0,(0F1;0B0)OVERLAP_F_B,0B1\n1F0,1F1,1B0,1B1\n"  # 1F1 and 1B0 in turn: 0B0 waits for 1B0, it for 0F1
    [violation] = told(text)
    assert violation[0] == "deadlock"
    assert "0B0 (device 0) waits for 1B0, which device 1 runs after 1F1" in violation[4] or (
        "1F1 (device 1) waits for 0F1, which device 0 runs together with 0B0" in violation[4]
    )


def test_separate_deadlocks_are_told_separately():
    """Two pairs of devices, each locked in itself: two cycles. One micro-batch order suffices for each."""
    one = "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n"
    assert len(told(one)) == 1


def test_a_limit_counts_the_rest():
    text = ",".join(f"0F{m}" for m in range(50)) + "\n"
    found = told(text, limit=10)
    assert len(found) == 11
    assert found[-1][4] == "and 40 more of 'missing'"


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("devices", [1, 2, 3, 4, 8])
def test_registered_schedules_can_run(recipe, devices):
    size = devices + devices % 2 if recipe.name in ("dualpipe", "chimera", "bitpipe") else devices
    assert validate(recipe.generate(size)) == []


@settings(max_examples=60, deadline=None)
@given(schedules())
def test_random_schedules_can_run(schedule):
    assert validate(schedule) == []


@settings(max_examples=100, deadline=None)
@given(schedules(), st.data())
def test_a_dropped_or_doubled_op_never_passes(schedule, data):
    rows = [[Op(*map(int, (schedule.kind[i], schedule.stage[i], schedule.microbatch[i])))
             for i in range(schedule.first[d], schedule.first[d + 1])] for d in range(schedule.devices)]  # fmt: skip
    d = data.draw(st.integers(0, len(rows) - 1))
    at = data.draw(st.integers(0, len(rows[d]) - 1))
    dropped = [list(row) for row in rows]
    gone = dropped[d].pop(at)
    found = validate(Schedule.from_rows("x", dropped))
    # The last micro-batch gone as a whole is a smaller schedule that can run; one op of several never is.
    assert found or all(op.microbatch != gone.microbatch for row in dropped for op in row)
    doubled = [list(row) for row in rows]
    doubled[d].insert(at, rows[d][at])
    assert any(v.code == "duplicate" for v in validate(Schedule.from_rows("x", doubled)))


@settings(max_examples=100, deadline=None)
@given(schedules(), st.data())
def test_a_backward_before_its_own_forward_is_found(schedule, data):
    rows = [list(row) for row in _ops(schedule)]
    backwards = [(d, i) for d, row in enumerate(rows) for i, op in enumerate(row) if op.kind != Kind.F]
    d, i = data.draw(st.sampled_from(backwards))
    rows[d].insert(0, rows[d].pop(i))
    moved = rows[d][0]
    found = validate(Schedule.from_rows("x", rows))
    assert any(v.code == "order" and v.op == str(moved) for v in found)


def _ops(schedule):
    for d in range(schedule.devices):
        yield [schedule.op(i) for i in range(schedule.first[d], schedule.first[d + 1])]


def test_every_code_is_documented_by_a_rule():
    assert {rule.code for rule in rules()} >= {"duplicate", "missing", "order", "deadlock"}
    assert all(rule.demand for rule in rules())


def test_interleaved_mutation_of_dualpipe_deadlocks_with_a_cycle():
    rows = list(find("dualpipe").generate(4, 8).rows())
    text = "\n".join(",".join(row) for row in rows)
    swapped = text.replace("1F0,2F4,", "2F4,1F0,", 1)  # device 1 wants the upward batch first
    codes = [v[0] for v in told(swapped)]
    assert codes in ([], ["deadlock"])
