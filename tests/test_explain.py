"""Why an op runs when it does, and why a device is idle: in numbers, in words, against the rule itself."""

import json
import warnings

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import needed, schedules

from pipesched.analysis.bubble import gaps
from pipesched.analysis.explain import OWN, TURN, explain_op
from pipesched.analysis.waiting import explain_device
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find
from pipesched.ops import Kind, Op, parse_slot
from pipesched.render.text.explanation import device_lines, op_lines
from pipesched.simulate import simulate

COSTS = st.builds(
    lambda f, i, w, latency: CostModel.of(F=f, I=i, W=w, latency=latency),
    *3 * [st.sampled_from([0.1, 1.0, 1.7, 3.0])],
    st.sampled_from([0.0, 0.1, 2.0]),
)


def timeline(name="1f1b", pp=4, mb=8, **costs):
    return simulate(find(name).generate(pp, mb), CostModel.of(**costs))


def op_text(at, op, unit="F"):
    return "\n".join(op_lines(explain_op(at, parse_slot(op)), unit))


def device_text(at, device, time, unit="F"):
    return "\n".join(device_lines(explain_device(at, device, time), unit))


def test_the_first_backward_of_1f1b_waits_for_the_whole_way_down_and_up():
    found = explain_op(timeline(latency=0.5), parse_slot("0B0"))
    assert (found.device, found.position, found.start, found.end, found.slack) == (0, 4, 13, 15, 0)
    assert [(each.op, each.device, each.arrival, each.slack) for each in found.needs] == [
        ("0F0", 0, 1, 12),
        ("1B0", 1, 13, 0),
        ("0F3", 0, 4, 9),
    ]
    assert found.held == ("1B0", "neighbour", 1, 9, 0.5)
    assert [each.op for each in found.unblocks] == ["0F4"]
    text = op_text(timeline(latency=0.5), "0B0", "ms")
    assert "held       by 1B0, on device 1, for 9 ms, of which 0.5 transfer: all else was there at 4" in text
    assert "1B0, on device 1: ended at 12.5, there at 13 after 0.5 of transfer, just in time" in text


def test_a_device_that_is_busy_holds_an_op_too():
    """1F1B, device 0: 0F4 needs nothing but its turn."""
    found = explain_op(timeline(), parse_slot("0F4"))
    assert (found.held.by, found.held.why, found.held.time) == ("0B0", TURN, 12)
    assert "held       by 0B0, the slot before on its device, for 12 F" in op_text(timeline(), "0F4")


def test_a_pair_starts_when_both_its_ops_may():
    dualpipe = timeline("dualpipe", 8, 20, FB=2.5)
    alone, pair = (explain_op(dualpipe, parse_slot(op)) for op in ("3F7", "(3F7;4B13)OVERLAP_F_B"))
    assert alone._replace(op=pair.op) == pair
    assert [(each.op, each.needed_by) for each in alone.needs if each.why != TURN] == [
        ("2F7", "3F7"),
        ("4F13", "4B13"),
        ("5B13", "4B13"),
    ]
    text = op_text(dualpipe, "3F7")
    assert "3F7: forward of micro-batch 7 on stage 3, flowing down" in text
    assert "in the pair (3F7;4B13)OVERLAP_F_B, which starts when both ops may" in text
    assert "flowing up" in op_text(dualpipe, "7F13")


def test_slack_and_the_critical_path_are_told():
    zb1p = timeline("zb1p")
    assert "slack      none: it is on a critical path" in op_text(zb1p, "0F0")
    late = explain_op(timeline("1f1b", F=[1, 1, 1, 2]), parse_slot("0F7"))
    assert late.slack > 0
    assert "later at the same makespan" in op_text(timeline("1f1b", F=[1, 1, 1, 2]), "0F7")


@pytest.mark.parametrize(
    ("name", "op", "sentence"),
    [
        ("zbv", "3B7", r"zbv has no 3B7; nearest are 3I7, 3W7, 3F7 \(4 devices, 8 stages, 8 micro-batches\)"),
        ("1f1b", "3F77", r"1f1b has no 3F77; nearest are 3F7"),
        ("1f1b", "9B2", r"1f1b has no 9B2; nearest are 3B2"),
        ("1f1b", "3I7", r"1f1b has no 3I7; nearest are 3B7"),
        (
            "1f1b",
            "(0F1;0B0)OVERLAP_F_B",
            r"no \(0F1;0B0\)OVERLAP_F_B; it has 0F1 \(device 0, cell 2\) and 0B0 \(device 0, cell 5\)",
        ),
    ],
)
def test_an_op_that_is_not_there_is_answered_with_the_nearest(name, op, sentence):
    with pytest.raises(ShapeError, match=sentence):
        explain_op(timeline(name), parse_slot(op))


def test_an_idle_device_is_followed_to_what_it_waits_for_in_the_end():
    assert device_text(timeline(latency=0.5), 0, 9).splitlines() == [
        "device 0 at 9 F: idle between two ops, from 4 to 13",
        "  device 0 waits until 13: 0B0 needs 1B0 of device 1",
        "  device 1 waits until 10.5: 1B0 needs 2B0 of device 2",
        "  device 2 is running 2B0, from 8 to 10",
    ]
    assert device_text(timeline(latency=0.5), 0, 12.75).splitlines()[1:] == [
        "  device 0 waits until 13: 0B0 needs 1B0 of device 1",
        "  1B0 has ended: its result is on its way to device 0, from 12.5 to 13",
    ]
    assert "device 3 at 0 F: idle before its first op, from 0 to 3" in device_text(timeline(), 3, 0)
    assert "device 3 at 27 F: idle after its last op, from 27 to 33" in device_text(timeline(), 3, 27)
    assert device_text(timeline(), 0, 4.5 - 1) == "device 0 at 3.5 F: runs 0F3 (cell 4), from 3 to 4"


def test_a_root_that_still_has_other_slots_to_run():
    """GPipe's last device runs all forwards before the backward that the first one waits for."""
    text = device_text(timeline("gpipe", 2, 4), 0, 4)
    assert "device 0 waits until 7: 0B0 needs 1B0 of device 1" in text
    assert "device 1 is running 1F3, from 4 to 5, and runs 1B0 next" in text
    text = device_text(timeline("gpipe", 2, 4, F=[1, 3]), 0, 4)
    assert "device 1 is running 1F1, from 4 to 7, and runs 1B0 after 2 more slots" in text


@pytest.mark.parametrize(("device", "time"), [(4, 0), (-1, 0), (0, -1), (0, 33.5), (0, float("nan"))])
def test_a_device_or_time_outside_is_refused(device, time):
    with pytest.raises(ShapeError, match=r"1f1b has no device|1f1b runs from 0 to 33; nothing is at"):
        explain_device(timeline(), device, time)


@settings(max_examples=80, deadline=None)
@given(schedules(), COSTS, st.data())
def test_inputs_are_those_of_the_rule_and_the_last_one_decides(schedule, costs, data):
    times = simulate(schedule, costs)
    index = data.draw(st.integers(0, schedule.n_ops - 1))
    ops = {schedule.op(i) for i in range(schedule.n_ops)}
    split = {(op.stage, op.microbatch) for op in ops if op.kind == Kind.I}
    found = explain_op(times, (schedule.op(index),))
    slot_ops = parse_slot(found.slot)
    wanted = {(str(need), str(op)) for op in slot_ops for need in needed(op, schedule.stages, split)}
    assert {(each.op, each.needed_by) for each in found.needs if each.why != TURN} == wanted
    assert all(each.slack >= 0 and each.transfer in (0, costs.latency) for each in found.needs)
    assert all(not each.transfer for each in found.needs if each.device == found.device or each.why == OWN)
    if found.needs:
        assert min(each.slack for each in found.needs) == 0
        assert found.start == pytest.approx(max(each.arrival for each in found.needs))
        others = sorted(each.arrival for each in found.needs)[:-1]
        assert found.held.time == pytest.approx(found.start - max(others, default=0), abs=1e-9)
        assert 0 <= found.held.transfer <= found.held.time
    else:
        assert found.start == 0
    for each in found.unblocks:  # whoever waits for this says the same
        other = explain_op(times, parse_slot(each.op))
        same = [
            need.slack
            for need in other.needs
            if set(parse_slot(need.op)) & set(slot_ops) and need.why == each.why
        ]
        assert each.slack in same


@settings(max_examples=80, deadline=None)
@given(schedules(), COSTS, st.data())
def test_a_chain_of_waits_ends_at_something_under_way(schedule, costs, data):
    times = simulate(schedule, costs)
    idle = gaps(times)
    long_enough = [k for k, length in enumerate(idle.length) if length > 1e-9]  # not the noise of sums
    assume(long_enough)
    k = data.draw(st.sampled_from(long_enough))
    time = float(idle.start[k] + data.draw(st.sampled_from([0, 0.25, 0.9])) * (idle.end[k] - idle.start[k]))
    found = explain_device(times, int(idle.device[k]), time)
    assert (found.start, found.end) == pytest.approx((idle.start[k], idle.end[k]))
    if found.state == "drain":
        assert (found.chain, found.root) == ([], None)
        return
    assert found.chain[0].waits_for == str(schedule.op(int(idle.waited_for[k])))
    assert [link.on_device for link in found.chain[:-1]] == [link.device for link in found.chain[1:]]
    assert len({link.device for link in found.chain}) == len(found.chain)
    assert all(link.until > time for link in found.chain)
    assert found.root.start <= time < found.root.end + 1e-9
    assert found.root.device == found.chain[-1].on_device
    assert device_lines(found, "F")


def cli(capsys, *arguments):
    with warnings.catch_warnings():
        code = run(["explain", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command(capsys):
    size = ["1f1b", "--pp", "4", "--mb", "8"]
    assert "held       by 1B0, on device 1, for 6 F" in cli(capsys, *size, "--op", "0B0")[1]
    code, out, err = cli(capsys, *size, "--op", "0B0", "--json", "--unit", "ms")
    assert (code, err) == (0, "")
    assert json.loads(out)["held"] == {"by": "1B0", "why": "neighbour", "device": 1, "time": 6, "transfer": 0}
    assert json.loads(out)["unit"] == "ms"
    told = json.loads(cli(capsys, *size, "--device", "0", "--at", "5", "--json")[1])
    assert told["state"] == "inside"
    assert told["root"]["slot"] == "3B0"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "give either --op"),
        (["--op", "0F0", "--at", "3"], "give either --op"),
        (["--device", "3"], "give either --op"),
        (["--op", "3Q7"], "'3Q7' is not an op; ops read like 3F7"),
        (["--op", "0F99"], "1f1b has no 0F99; nearest are 0F15"),
        (["--device", "8", "--at", "1"], "1f1b has no device 8; it has 0..7"),
    ],
)
def test_bad_questions_get_one_sentence(capsys, arguments, sentence):
    code, out, err = cli(capsys, "1f1b", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert sentence in err


def test_ops_of_any_kind_can_be_explained():
    zbv = timeline("zbv")
    for i in range(zbv.schedule.n_ops):
        assert op_lines(explain_op(zbv, (zbv.schedule.op(i),)), "F")
    assert explain_op(zbv, (Op(Kind.W, 0, 0),)).needs[0].op == "0I0"
