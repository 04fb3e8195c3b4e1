"""What differs between two schedules: against brute force, and what the command says."""

import itertools
import json
import re
import warnings

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.diff import diff
from pipesched.analysis.longest import longest_increasing
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.formats import json_file, loads
from pipesched.generators import find
from pipesched.render.text.difference import difference_lines


def of(text):
    return loads(text, "x").schedule


def rows_of(schedule):
    """Every device's ops, pairs taken apart."""
    return [re.findall(r"[0-9]+[FBIW][0-9]+", ",".join(row)) for row in schedule.rows()]


def test_equal_schedules():
    found = diff(of("0F0,0B0\n1F0,1B0\n"), of("0F0,,0B0\n1F0,1B0\n"))
    assert found.equal
    assert not any((found.first, found.moved, found.missing, found.added, found.parted, found.joined))
    assert found.placement == []


def test_a_move_is_one_op_however_many_it_passes():
    found = diff(of("0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3"), of("0F1,0F2,0F3,0B3,0F0,0B0,0B1,0B2"))
    assert found.first == [(0, 0, "0F0", "0F1")]
    assert found.moved == [("0F0", 0, 0, 0, 4), ("0B3", 0, 7, 0, 3)]
    assert (found.missing, found.added) == ([], [])


def test_an_op_on_another_device():
    found = diff(of("0F0,0B0\n1F0,1B0"), of("1F0,1B0\n0F0,0B0"))
    assert ("0F0", 0, 0, 1, 0) in found.moved
    assert found.placement == [0, 1]


def test_a_pair_is_not_two_ops():
    apart, together = of("0F0,0F1,0B0,0B1"), of("0F0,(0F1;0B0)OVERLAP_F_B,0B1")
    found = diff(apart, together)
    assert (found.moved, found.missing, found.added) == ([], [], [])
    assert (found.parted, found.joined) == ([], [("(0F1;0B0)OVERLAP_F_B", 0, 1)])
    assert diff(together, apart).parted == found.joined


def test_a_split_backward_is_another_op():
    found = diff(of("0F0,0B0"), of("0F0,0I0,0W0"))
    assert [each.op for each in found.missing] == ["0B0"]
    assert [each.op for each in found.added] == ["0I0", "0W0"]


def test_the_same_op_twice_is_one_too_many():
    found = diff(of("0F0,0B0"), of("0F0,0F0,0B0"))
    assert found.added == [("0F0", 0, 1)]
    assert "0F0 stands twice" in found.b.error
    assert found.a.makespan == 3


def test_other_numbers_of_devices():
    found = diff(find("1f1b").generate(2, 2), find("1f1b").generate(3, 2))
    assert found.devices == (2, 3)
    assert found.first[-1] == (2, 0, None, "2F0")
    assert found.placement == [2]


def test_what_it_does_to_time_and_memory():
    found = diff(find("gpipe").generate(4, 8), find("1f1b").generate(4, 8), CostModel.of(latency=0.5))
    assert (found.a.makespan, found.b.makespan) == (36, 41)
    assert found.a.peak_activations == [8] * 4
    assert found.b.peak_activations == [4, 3, 2, 1]
    lines = "\n".join(difference_lines(found, ("gpipe", "1f1b"), "ms"))
    assert "makespan     36 -> 41 (+5) ms" in lines
    assert "activations  peak 8 on every device -> 4, 3, 2, 1" in lines


def test_costs_that_fit_neither_are_refused():
    with pytest.raises(CostError, match="F has 2 entries"):
        diff(of("0F0,0B0"), of("0F0,0B0"), CostModel.of(F=[1, 2]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 50), unique=True, max_size=8))
def test_the_longest_increasing_subsequence(numbers):
    kept = [numbers[i] for i in longest_increasing(numbers)]
    assert kept == sorted(kept)
    assert not any(list(some) == sorted(some) for some in itertools.combinations(numbers, len(kept) + 1)), (
        "there is a longer one"
    )


@settings(max_examples=60, deadline=None)
@given(schedules(), st.randoms(use_true_random=False), st.data())
def test_the_difference_leads_from_a_to_b(a, random, data):
    """Take out what moved or is missing, put in what moved or is added: the ops of A become those of B."""
    rows = [list(row) for row in a.rows()]
    for _ in range(data.draw(st.integers(0, 3))):
        row = random.choice([row for row in rows if row])
        cell = row.pop(random.randrange(len(row)))
        chosen = random.choice(rows)
        chosen.insert(random.randint(0, len(chosen)), cell)
    b = of("\n".join(",".join(row) or "," for row in [*rows, ["0F99"]]))
    found = diff(a, b)
    left, right = [*rows_of(a), []], rows_of(b)
    for each in (*found.moved, *found.missing):
        left[each.device].remove(each.op)
    for moved in found.moved:
        right[moved.to_device].remove(moved.op)
    for each in found.added:
        right[each.device].remove(each.op)
    assert left == right
    assert not found.equal


@settings(max_examples=60, deadline=None)
@given(schedules(), schedules())
def test_both_ways_tell_the_same(a, b):
    there, back = diff(a, b), diff(b, a)
    assert there.equal == back.equal == (a == b)
    assert (there.missing, there.parted) == (back.added, back.joined)
    assert len(there.moved) == len(back.moved)
    assert there.equal or there.first or there.placement
    assert difference_lines(there, ("a", "b"), "F")


def cli(capsys, *arguments):
    with warnings.catch_warnings():
        code = run(["diff", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_exits_with_1_where_they_differ(capsys):
    assert cli(capsys, "1f1b", "1f1b", "--pp", "4")[0] == 0
    code, out, _ = cli(capsys, "gpipe", "1f1b", "--pp", "4", "--mb", "6")
    assert code == 1
    assert "first 4      device 0, cell 5: 0F4 in A, 0B0 in B" in out
    assert "and 6 more (--json lists all)" in out
    code, out, _ = cli(capsys, "gpipe", "1f1b", "--pp", "4", "--mb", "6", "--json")
    assert code == 1
    assert len(json.loads(out)["moved"]) == 14
    assert cli(capsys, "gpipe", "nope")[0] == 2


def test_a_name_beside_a_file_has_the_size_of_the_file(capsys):
    """torch 2.13's 1F1B numbers the last rank from 1: the difference says so."""
    file = DATA / "broken" / "torch_1f1b_off_by_one.csv"
    for pair in ((file, "1f1b"), ("1f1b", file)):
        code, out, _ = cli(capsys, *pair)
        assert code == 1
        assert "device 3, cell 1: 3F" in out
        assert "4 has no other stage: micro-batch 4 stands on stage 3 only" in " ".join(out.split())
    good = DATA / "orders" / "deepseek" / "dualpipe_p4_m20.csv"
    assert cli(capsys, good, "dualpipe")[0] == 0
    code, _, err = cli(capsys, good, "dualpipe", "--pp", "8")
    assert (code, err.count("\n")) == (2, 1)


def test_costs_of_files(capsys, tmp_path):
    """Of two files, those of A; if it has none, those of B; both are measured alike."""
    one, two, plain = tmp_path / "one.json", tmp_path / "two.json", tmp_path / "plain.csv"
    schedule = find("1f1b").generate(2, 2)
    one.write_text("".join(json_file.write(schedule, CostModel.of(F=2))))
    two.write_text("".join(json_file.write(schedule, CostModel.of(F=3))))
    plain.write_text("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n")
    code, out, err = cli(capsys, one, two)
    assert code == 0
    assert "the two files give different costs; both are measured with A's: F=2" in err
    assert "makespan     12 units" in out
    assert "makespan     15 units" in cli(capsys, plain, two)[1]
