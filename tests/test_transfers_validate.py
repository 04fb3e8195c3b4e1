"""What is caught in files with transfers: each mistake as a file, each file with what is said of it."""

import itertools
import json
import time

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.actions import RECEIVES, SENDS, Act, Actions, Extra
from pipesched.choices import CHANNELS, COMM, SEND, Mode
from pipesched.errors import UnknownScheduleError
from pipesched.formats import load, loads, torch_csv
from pipesched.generators import find
from pipesched.transfers import RECV, lower
from pipesched.validate import rules, validate
from pipesched.validate.style import off_style

FILES = DATA / "transfers"
#: Of ``rendezvous_deadlock`` and ``zbv_in_a_loop`` nothing is said until it is said how they are to be run.
WRONG = {
    name: list(map(tuple, told)) for name, told in json.loads((FILES / "violations.json").read_text()).items()
}


def told(plan, **options):
    return [(v.code, v.op, v.device, v.position, v.message) for v in validate(plan, **options)]


@pytest.mark.parametrize("name", WRONG)
def test_every_mistake_is_told(name):
    assert told(load(FILES / f"{name}.csv").actions) == WRONG[name]


def test_every_file_is_covered():
    assert {path.stem for path in FILES.glob("*.csv")} == {*WRONG}


@pytest.mark.parametrize(
    ("mode", "op", "sentence"),
    [
        (
            Mode("blocking", "rendezvous"),
            "0SEND_F1",
            (
                "0SEND_F1 (device 0) waits for 1RECV_F1, which device 1 reaches after 1SEND_B0; "
                "1SEND_B0 (device 1) waits for 0RECV_B0, which device 0 reaches after 0SEND_F1"
            ),
        ),
        (
            Mode("async", "rendezvous", "pair"),
            "1F1",
            (
                "0RECV_B0 (device 0) waits behind 0SEND_F1 on its channel; "
                "1RECV_F1 (device 1) waits behind 1SEND_B0 on its channel"
            ),
        ),
    ],
)
def test_sends_that_wait_for_each_other(mode, op, sentence):
    actions = load(FILES / "rendezvous_deadlock.csv").actions
    [violation] = validate(actions, mode=mode)
    assert (violation.code, violation.op) == ("deadlock", op)
    assert violation.message == f"deadlock: {sentence} (with {mode})"


def test_it_depends_on_the_way_of_transferring():
    actions = load(FILES / "rendezvous_deadlock.csv").actions
    locked = [mode for mode in itertools.product(COMM, SEND, CHANNELS) if validate(actions, mode=Mode(*mode))]
    assert locked == [
        ("async", "rendezvous", "pair"),
        ("async", "rendezvous", "shared"),
        *(("blocking", "rendezvous", channels) for channels in CHANNELS),
    ]


def test_a_receive_that_holds_the_device_can_lock_it_however_sends_are():
    text = "0F0,0SEND_F0,0RECV_B0,0F1,0SEND_F1,0B0,0RECV_B1,0B1,0REDUCE_GRAD\n"
    text += "1RECV_F0,1F0,1RECV_F1,1B0,1SEND_B0,1F1,1B1,1SEND_B1,1REDUCE_GRAD\n"
    actions = loads(text).actions
    assert not validate(actions)
    [violation] = validate(actions, mode=Mode("blocking", "buffered"))
    assert violation.message == (
        "deadlock: 0RECV_B0 (device 0) waits for 1SEND_B0, which device 1 reaches after 1RECV_F1; "
        "1RECV_F1 (device 1) waits for 0SEND_F1, which device 0 reaches after 0RECV_B0 "
        "(with --comm blocking --send buffered --channels direction)"
    )
    assert (violation.op, violation.device, violation.position) == ("0RECV_B0", 0, 2)


def test_torchs_deferred_receives_are_caught_in_v_shaped_schedules():
    """torch 2.13's defer_pp_recv puts every receive before its use, in another order than they are sent."""
    actions = lower(find("zbv").generate(4, 8), "late", reduce_grad=False)
    assert not [v for v in validate(actions) if v.code == "wrong-match"]
    rows = [[*row] for row in actions.rows()]
    for row in rows:  # each RECV directly before the op that uses it
        for receive in [cell for cell in row if "RECV" in cell]:
            stage, _, rest = receive.partition("RECV_")
            use = next(
                cell
                for cell in row
                if cell in (f"{stage}{k}{rest[1:]}" for k in ("F" if rest[0] == "F" else "BI"))
            )
            row.remove(receive)
            row.insert(row.index(use), receive)
    text = "\n".join(",".join(row) for row in rows)
    codes = {v.code for v in validate(loads(text).actions)}
    assert "wrong-match" in codes


def test_zbv_in_a_loop():
    schedule = load(FILES / "zbv_in_a_loop.csv").schedule
    found = [(v.code, v.op, v.device, v.position, v.message) for v in off_style(schedule, "ZBVZeroBubble")]
    assert found == [
        (
            "wrong-style",
            "2F0",
            0,
            1,
            "stage 2 stands on device 0 (row 1), but ZBVZeroBubble puts it on device 1",
        ),
        (
            "wrong-style",
            "3F0",
            1,
            1,
            "stage 3 stands on device 1 (row 2), but ZBVZeroBubble puts it on device 0",
        ),
    ]
    assert not [*off_style(schedule, "loop")]
    assert not [*off_style(schedule, "interleaved-1f1b")]
    assert len([*off_style(schedule, "v")]) == 2
    with pytest.raises(UnknownScheduleError):
        [*off_style(schedule, "zigzagged")]


def test_uneven_files_have_no_style_but_are_compared_all_the_same():
    schedule = loads("0F0,1F0,1B0,0B0\n2F0,2B0\n").schedule
    assert [v.op for v in off_style(schedule, "loop")] == ["1F0", "2F0"]
    assert not [*off_style(loads("2147483646F0,2147483646B0\n").schedule, "loop")]


def test_strange_shards_and_reductions():
    text = "0RESHARD,0F0,0B0,5REDUCE_GRAD,0REDUCE_GRAD\n"
    found = {v.code: v.message for v in validate(loads(text).actions)}
    assert found == {
        "early-reduce-grad": "5REDUCE_GRAD (device 0, cell 4) reduces stage 5, which device 0 never runs",
        "not-unsharded": "0F0 (device 0, cell 2) runs while stage 0 is not gathered",
    }


def test_ids_as_large_as_they_get():
    text = "0F0,0SEND_F2147483646,2147483646RECV_B0,0B0,2147483646UNSHARD,2147483646REDUCE_GRAD\n"
    codes = {v.code for v in validate(loads(text).actions)}
    assert codes == {
        "needless-transfer",
        "missing-reduce-grad",
        "early-reduce-grad",
        "never-resharded",
        "not-unsharded",
    }


def test_torchs_1f1b_order_with_reduce_grad_and_no_transfers_is_accepted():
    assert not validate(loads("0F0,0F1,0B0,0B1,0REDUCE_GRAD\n1F0,1B0,1F1,1B1,1REDUCE_GRAD\n").actions)


def test_every_code_has_a_rule_with_a_demand():
    assert {rule.code for rule in rules()} >= {"missing-send", "wrong-match", "never-resharded", "deadlock"}
    assert all(rule.demand for rule in rules())


MODES = st.builds(Mode, st.sampled_from(COMM), st.sampled_from(SEND), st.sampled_from(CHANNELS))


@settings(max_examples=150, deadline=None)
@given(schedules(), MODES, st.booleans())
def test_early_receives_never_lock_in_any_way(schedule, mode, fsdp):
    assert validate(lower(schedule, "early", fsdp=fsdp), mode=mode) == []


@settings(max_examples=100, deadline=None)
@given(schedules(), st.sampled_from(RECV), st.sampled_from(CHANNELS))
def test_lowered_lists_are_valid(schedule, recv, channels):
    assert validate(lower(schedule, recv)) == []
    if recv == "paired" and channels != "shared":  # one order at both ends of every pair of devices
        assert validate(lower(schedule, recv), mode=Mode("async", "rendezvous", channels)) == []


@settings(max_examples=150, deadline=None)
@given(schedules(), st.sampled_from(RECV), st.data())
def test_a_dropped_or_doubled_transfer_never_passes(schedule, recv, data):
    actions = lower(schedule, recv)
    others = [i for i in range(actions.n_actions) if actions.code[i] != Act.COMPUTE]
    rows = [list(row) for row in actions.rows()]
    i = data.draw(st.sampled_from(others))
    d, at = int(actions.device[i]), i - int(actions.first[actions.device[i]])
    if actions.has_transfers and data.draw(st.booleans()):  # else the only REDUCE_GRAD may go: none is needed
        rows[d].pop(at)
    else:
        rows[d].insert(data.draw(st.integers(0, len(rows[d]))), rows[d][at])
    text = "".join(",".join(row) + "\n" for row in rows)
    assert validate(loads(text).actions)


@settings(max_examples=60, deadline=None)
@given(schedules(most_stages=4), MODES, st.data())
def test_any_order_of_transfers_is_told_or_runs(schedule, mode, data):
    """Transfers put anywhere: nothing but sentences comes back, and the same ones every time."""
    lowered = lower(schedule)
    moved = {d: [] for d in range(schedule.devices)}
    for i in range(lowered.n_actions):
        if lowered.code[i] in (*SENDS, *RECEIVES):
            low, high = schedule.first_slot[lowered.device[i] : lowered.device[i] + 2].tolist()
            moved[int(lowered.device[i])].append((data.draw(st.integers(low, high)), i))
    placed = [(at, i) for d in moved for at, i in sorted(moved[d])]
    columns = [
        (lowered.code[i], lowered.stage[i], lowered.microbatch[i], lowered.device[i], at) for at, i in placed
    ]
    if columns:
        actions = Actions.of(schedule, Extra(*zip(*columns, strict=True)))
        found = told(actions, mode=mode)
        assert found == told(actions, mode=mode)
        assert all(message for *_, message in found)


def test_a_file_of_65536_ops_is_read_and_validated_quickly():
    text = "".join(torch_csv.write(lower(find("zbv").generate(8, 2048))))
    start = time.perf_counter()
    actions = loads(text).actions
    assert not validate(actions)
    assert actions.schedule.n_ops > 65_536
    assert time.perf_counter() - start < 4  # 0.6 s here
