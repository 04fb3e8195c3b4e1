"""Differences beside the compute: transfers that are missing, added, or stand elsewhere."""

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.diff import diff
from pipesched.choices import Mode
from pipesched.cli.app import run
from pipesched.formats import load, loads
from pipesched.generators import find
from pipesched.render.text.difference import difference_lines
from pipesched.transfers import RECV, lower
from pipesched.transport import Transport

FILES = DATA / "transfers"


def plan(name):
    return load(FILES / f"{name}.csv").actions


def lines(a, b):
    return difference_lines(diff(a, b), ("a", "b"), "F")


def test_swapped_receives_are_one_that_moved():
    found = diff(plan("fine"), plan("swapped_recv"))
    assert not found.equal
    assert found.first == [(1, 0, "1RECV_F0", "1RECV_F1")]
    assert found.others.moved == [("1RECV_F1", 1, 2, "1F0", 1, 0, None)]
    assert (found.moved, found.missing, found.added) == ([], [], [])
    assert "shifted 1    1RECV_F1, device 1: from after 1F0 to before all ops" in lines(
        plan("fine"), plan("swapped_recv")
    )


@pytest.mark.parametrize("name", ["missing_send", "missing_recv", "missing_reduce_grad"])
def test_what_is_missing_is_added_the_other_way_round(name):
    there, back = diff(plan("fine"), plan(name)), diff(plan(name), plan("fine"))
    assert (len(there.others.missing), there.others.added) == (1, [])
    assert there.others.missing == back.others.added
    assert lines(plan("fine"), plan(name))[2].startswith("missing 1    ")


def test_the_second_of_two_equal_actions_is_the_added_one():
    found = diff(plan("fine"), plan("duplicate_recv"))
    assert found.others == ([], [], [("1RECV_F1", 1, 3)])


def test_two_that_change_places_between_the_same_ops():
    a = loads("0F0,0UNSHARD,0RESHARD,0B0\n").actions
    b = loads("0F0,0RESHARD,0UNSHARD,0B0\n").actions
    assert len(diff(a, b).others.moved) == 1
    assert "device 0: from cell 2 to 3" in "\n".join(lines(a, b))


def test_compute_alone_is_compared_where_only_one_has_more():
    found = diff(plan("fine"), find("1f1b").generate(2, 2))
    assert found.equal
    assert found.others is None


@settings(max_examples=60, deadline=None)
@given(schedules(), st.sampled_from(RECV), st.sampled_from(RECV), st.booleans())
def test_only_receives_differ_between_ways_of_lowering(schedule, one, other, fsdp):
    a, b = lower(schedule, one, fsdp=fsdp), lower(schedule, other, fsdp=fsdp)
    found = diff(a, b)
    assert found.equal == (a == b) == (not found.first)
    if found.others:
        assert (found.others.missing, found.others.added) == ([], [])
        assert bool(found.others.moved) == (a != b)
    assert found.moved == found.missing == found.added == []


def test_times_are_those_of_the_transfers():
    schedule = find("1f1b").generate(2, 2)
    slow = Transport(Mode(), 2.0, 1.0)
    found = diff(schedule, schedule, transport=slow)
    assert found.equal
    assert found.a.makespan == found.b.makespan == 13


def test_the_command(capsys):
    fine = str(FILES / "fine.csv")
    assert run(["diff", fine, "1f1b"]) == 0
    assert "only fine.csv has more than compute, so compute alone is compared; --comm async puts" in (
        capsys.readouterr().err
    )
    assert run(["diff", fine, "1f1b", "--comm", "async"]) == 0  # lowered with as much as the file has
    out, err = capsys.readouterr()
    assert err == ""
    assert "\ntransfers    async, buffered" in out
    assert run(["diff", fine, "1f1b", "--recv", "late"]) == 1
    assert "1RECV_F1, device 1: from after 1F0 to after 1B0" in capsys.readouterr().out
    assert run(["diff", fine, str(FILES / "missing_send.csv"), "--comm", "async"]) == 1
    assert "no times     B: missing_send.csv cannot run: 0SEND_F1 missing" in capsys.readouterr().out
