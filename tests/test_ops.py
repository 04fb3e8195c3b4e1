import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipesched.ops import MAX_ID, Kind, Op, parse_op, parse_slot, slot_text

ops = st.builds(Op, st.sampled_from(Kind), st.integers(0, MAX_ID), st.integers(0, MAX_ID))


@given(ops)
def test_an_op_survives_its_text(op):
    assert parse_op(str(op)) == op
    assert parse_slot(slot_text((op,))) == (op,)


@given(ops, ops)
def test_a_pair_survives_its_text(f, b):
    pair = (f._replace(kind=Kind.F), b._replace(kind=Kind.B))
    assert parse_slot(slot_text(pair)) == pair


def test_letters_are_torchs():
    assert str(Op(Kind.F, 3, 7)) == "3F7"
    assert slot_text((Op(Kind.F, 0, 7), Op(Kind.B, 7, 3))) == "(0F7;7B3)OVERLAP_F_B"


@pytest.mark.parametrize(
    "text",
    [
        "1X1", "1F1garbage", " 1F1", "1BW3", "0F-1", "0WAIT_SEND_F0", "", "F1", "1F", "1f1", "F0_s1", "٣F1",
        f"0F{MAX_ID + 1}", "99999999999F1", "0UNSHARD",
        "(0F1;1F1)OVERLAP_F_B", "(1B1;0F1)OVERLAP_F_B", "(0F1;1I1)OVERLAP_F_B", "(0F1;1B1) OVERLAP_F_B",
        "(0F1;1B1)", "((0F1;1B1)OVERLAP_F_B;1B2)OVERLAP_F_B", "(0F1;1B1)OVERLAP_F_Bx", "(0F1)OVERLAP_F_B",
    ],
)  # fmt: skip
def test_anything_else_is_no_action(text):
    assert parse_slot(text) is None
