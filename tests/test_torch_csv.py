"""torch's CSV in full: transfers, older dialects, unknown types, exact round trips of all of them."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.actions import Act, Actions, Extra
from pipesched.errors import FormatError, PipeschedWarning
from pipesched.formats import json_file, loads, torch_csv

COMMS = "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD,0RESHARD\n1RECV_F0,1F0,1B0,1SEND_B0\n"


def test_transfers_are_kept_beside_the_compute():
    loaded = loads(COMMS, "x")
    assert [*loaded.schedule.rows()] == [["0F0", "0B0"], ["1F0", "1B0"]]
    actions = loaded.actions
    assert actions.schedule is loaded.schedule
    assert actions.has_transfers
    assert not actions.only_compute
    assert actions.code.tolist() == [5, 0, 1, 4, 0, 7, 6, 2, 0, 0, 3]
    assert actions.slot.tolist() == [-1, 0, -1, -1, 1, -1, -1, -1, 2, 3, -1]
    assert actions.first.tolist() == [0, 7, 11]
    assert [actions.position(i) for i in actions.compute] == [1, 4, 1, 2]
    assert "".join(torch_csv.write(actions)) == COMMS
    again = loads("".join(json_file.write(actions)))
    assert again.actions == actions


def test_a_compute_only_file_has_only_compute():
    loaded = loads("0F0,,0B0\n", "x")
    assert loaded.actions.only_compute
    assert not loaded.actions.has_transfers
    assert loaded.actions == Actions.of(loaded.schedule)
    assert loaded.actions.position(1) == 2  # the third cell of the file


def test_unknown_types_are_kept_word_for_word_with_a_note():
    text = "0F0,0WAIT_SEND_F0,0B0,0WAIT_REDUCE_GRAD,00NOP07\n"
    with pytest.warns(
        PipeschedWarning, match=r"x: 3 actions of unknown type \(NOP, WAIT_RED.*, WAIT_SEND_F\)"
    ):
        loaded = loads(text, "x")
    assert [*loaded.schedule.rows()] == [["0F0", "0B0"]]
    assert loaded.actions.code[[1, 3, 4]].tolist() == [Act.OPAQUE] * 3
    assert "".join(torch_csv.write(loaded.actions)) == text
    with pytest.warns(PipeschedWarning, match="unknown type"):
        assert loads("".join(json_file.write(loaded.actions))).actions == loaded.actions


@pytest.mark.parametrize(
    "cell",
    ["1X1", "1F1garbage", "1FF1", "0SEND_F", "0UNSHARD3", "0WAIT_", "0_WAIT", "0wait", "WAIT0",
     "0WAIT99999999999", "-1WAIT", "0F-1", "0SEND_F-1", "0BW", "(0SEND_F0;0B0)OVERLAP_F_B", "F0_s", "X0_s1"],
)  # fmt: skip
def test_slips_of_the_pen_stay_errors(cell):
    with pytest.raises(FormatError, match=r"x row 1, cell 2: .* is not an action"):
        loads(f"0F0,{cell}\n", "x")


OLD = "0F0,0B0,0W0\n1F0,1B0,1W0\n"


def rows(text, **options):
    return [*loads(text, "x", **options).schedule.rows()]


def test_torch_2_4_wrote_kind_and_micro_batch_first():
    assert rows("F0_s0,B0_s0\nF0_s1,B0_s1\n") == [["0F0", "0B0"], ["1F0", "1B0"]]
    with pytest.warns(PipeschedWarning, match="B is read as the backward for the input"):
        assert rows("F7_s1,B7_s1,W7_s1\n") == [["1F7", "1I7", "1W7"]]


def test_b_with_w_and_no_i_is_the_backward_for_the_input():
    with pytest.warns(PipeschedWarning, match=r"x: B is read as .* --csv-dialect torch reads it as whole"):
        assert rows(OLD) == [["0F0", "0I0", "0W0"], ["1F0", "1I0", "1W0"]]
    with pytest.warns(PipeschedWarning, match="B is read as"):
        assert rows("0F0,0BW0\n1F0,1B0,1W0\n") == [["0F0", "0B0"], ["1F0", "1I0", "1W0"]]


def test_the_dialect_can_be_said():
    assert rows(OLD, dialect="b-input")[0] == ["0F0", "0I0", "0W0"]  # no note: it was asked for
    assert rows(OLD, dialect="torch")[0] == ["0F0", "0B0", "0W0"]
    assert rows("0F0,0B0,0F1,0BW1\n", dialect="b-input") == [["0F0", "0I0", "0F1", "0B1"]]
    with pytest.raises(FormatError, match="'0BW1' is not an action"):
        rows("0F0,0BW1\n", dialect="torch")
    with pytest.raises(FormatError, match="'F0_s0' is not an action"):
        rows("F0_s0\n", dialect="torch")


def test_one_stray_w_does_not_change_what_b_means():
    assert rows("0F0,0B0,0W0,0F1,0B1\n")[0][1] == "0B0"
    assert rows("0F0,0B0,0W1\n")[0][1] == "0B0"
    assert rows("0F0,0B0,0F1,0I1,0W1,0W0\n")[0][1] == "0B0"


@st.composite
def action_lists(draw):
    schedule = draw(schedules())
    slots = schedule.n_slots
    code, stage, microbatch, device, before, texts = [], [], [], [], [], {}
    for d in range(schedule.devices):
        low, high = schedule.first_slot[d : d + 2].tolist()
        for at in sorted(draw(st.lists(st.integers(low, high), max_size=6))):
            act = draw(st.sampled_from(list(Act)[1:]))
            s, m = draw(st.integers(0, 9)), draw(st.integers(0, 9))
            if act in (Act.UNSHARD, Act.RESHARD, Act.REDUCE_GRAD):
                m = -1
            if act == Act.OPAQUE:
                texts[len(code)] = f"{s}WAIT_SEND_F{m}"
            for column, value in zip(
                (code, stage, microbatch, device, before), (act, s, m, d, at), strict=True
            ):
                column.append(value)
    assert all(0 <= at <= slots for at in before)
    return Actions.of(schedule, Extra(code, stage, microbatch, device, before, texts))


@pytest.mark.filterwarnings("ignore:.*unknown type")
@settings(max_examples=80, deadline=None)
@given(action_lists())
def test_random_lists_survive_both_files(actions):
    text = "".join(torch_csv.write(actions))
    again = loads(text, "random").actions
    assert again == actions
    assert "".join(torch_csv.write(again)) == text
    assert loads("".join(json_file.write(actions))).actions == actions
    for i in range(actions.n_actions):
        assert text.splitlines()[actions.device[i]].split(",")[again.position(i)] == actions.text(i)


def test_actions_differ_by_what_they_hold():
    schedule = loads("0F0,0B0\n").schedule
    plain = Actions.of(schedule)
    one = Actions.of(schedule, Extra([Act.OPAQUE], [0], [0], [0], [1], {0: "0WAIT0"}))
    other = Actions.of(schedule, Extra([Act.OPAQUE], [0], [0], [0], [1], {0: "0NOPE0"}))
    assert one != plain
    assert one != other
    assert one != "x"
    assert plain == Actions.of(schedule.renamed("y"))


def test_large_files_are_read_in_linear_time():
    m = 8192
    text = "".join(
        ",".join(f"{s}F{i},{s}SEND_F{i},{s}RECV_B{i},{s}B{i}" for i in range(m)) + "\n" for s in range(4)
    )
    start = time.perf_counter()
    actions = loads(text).actions
    assert time.perf_counter() - start < 3  # 0.3 s here
    assert np.bincount(actions.code).tolist() == [2 * 4 * m, 4 * m, 0, 0, 4 * m]
