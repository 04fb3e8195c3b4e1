"""Schedules built by hand: what is no op is pointed at, and names can be printed."""

import numpy as np
import pytest

from pipesched.errors import FormatError
from pipesched.ops import MAX_ID, Kind, Op
from pipesched.schedule import Schedule, describe

F, B = Op(Kind.F, 0, 0), Op(Kind.B, 0, 0)


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        ("0F0", "'0F0' is neither an Op nor a pair of them"),
        (3, "3 is neither an Op nor a pair of them"),
        (("0F0", "0B0"), r"\('0F0', '0B0'\) is neither an Op nor a pair of them"),
        (Op("F", 0, 0), r"\(Op\(kind='F', stage=0, microbatch=0\),\) is neither an Op nor a pair of them"),
        (Op(9, 0, 0), "is neither an Op nor a pair of them"),
        ((), r"\(\) is not a forward and a whole backward, which make a pair"),
        ((B, F), "is not a forward and a whole backward, which make a pair"),
        ((F, B, F), "is not a forward and a whole backward, which make a pair"),
        (Op(Kind.F, -1, 0), "stage=-1, .* has an id outside 0..2147483646"),
        (Op(Kind.F, 0, MAX_ID + 1), "has an id outside"),
        (Op(Kind.F, 0, 0.5), "has an id outside"),
        (Op(Kind.F, None, 0), "has an id outside"),
    ],
)
def test_what_is_no_op_is_pointed_at(turn, sentence):
    with pytest.raises(FormatError, match=f"^x row 2, cell 2: .*{sentence}"):
        Schedule.from_rows("x", [[F], [B, turn]])


def test_ops_of_numpy_numbers_and_pairs_are_taken():
    rows = [
        [Op(np.int64(0), np.int32(0), np.int8(0)), (F._replace(microbatch=1), B), [B._replace(microbatch=1)]]
    ]
    assert [*Schedule.from_rows("x", rows).rows()] == [["0F0", "(0F1;0B0)OVERLAP_F_B", "0B1"]]


def test_what_it_is_called():
    schedule = Schedule.from_rows("a\x1b[0m\n", [[F, B]])
    assert (schedule.name, schedule.called) == ("a\\x1b[0m\\n", "a\\x1b[0m\\n")
    assert schedule.renamed("b\udcff").name == "b\\udcff"
    assert describe(1, 2, 1) == "1 device, 2 stages, 1 micro-batch"
