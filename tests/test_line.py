"""A line filled op by op is what trying every slot would fill it to."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched.generators._line import Line
from pipesched.ops import Kind


class Tried:
    """The rule in so many words: try the slots one after the other, each time with all W's laid out anew."""

    def __init__(self, backward, cap):
        self.shapes, self.cap, self.ops, self.end = (
            (["F"], ["I"] if backward == Kind.I else ["B", "b"]),
            cap,
            {},
            0,
        )

    def laid_out(self, ops, end):
        """Every slot before the end with W's in the idle ones, the W's still owed, and the most held."""
        turns, owed, kept, most = [], 0, 0, 0
        for slot in range(end):
            turn = ops.get(slot, "W" if owed else None)
            owed += (turn == "I") - (turn == "W")
            most = max(most, kept + (turn == "F"))
            kept += (turn == "F") - (turn in ("W", "b"))
            turns.append(turn)
        return turns, owed, kept, max(most, kept)

    def full(self):
        _, owed, kept, _ = self.laid_out(self.ops, self.end)
        return kept >= self.cap, owed

    def place(self, backward, soonest):
        shape = self.shapes[backward]
        for slot in range(soonest, self.end):
            new = dict(enumerate(shape, start=slot))
            fits = max(new) < self.end and not new.keys() & self.ops.keys()
            if fits and self.laid_out({**self.ops, **new}, self.end)[3] <= self.cap:
                break
        else:
            while self.end < soonest or (not backward and all(self.full())):
                self.end += 1
            slot = self.end
            self.end += len(shape)
        self.ops.update(enumerate(shape, start=slot))
        return slot

    def weights(self):
        turns, owed, _, _ = self.laid_out(self.ops, self.end)
        return [slot for slot, turn in enumerate(turns) if turn == "W"] + list(
            range(self.end, self.end + owed)
        )


@settings(max_examples=150, deadline=None)
@pytest.mark.parametrize("backward", [Kind.I, Kind.B])
@given(
    cap=st.integers(1, 5),
    ops=st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 12), st.sampled_from([1, 1, 1, 9])), max_size=60
    ),
)
def test_every_op_takes_the_earliest_slot_that_keeps_the_cap(backward, cap, ops):
    line, tried, under_way = Line(backward, cap), Tried(backward, cap), 0
    for back, soonest, far in ops:
        full, owed = tried.full()
        if (back and not under_way) or (not back and full and not owed):
            continue
        under_way += 1 - 2 * back
        assert line.place(back, soonest * far) == tried.place(back, soonest * far)
    assert line.weights() == tried.weights()
