import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipesched.errors import ShapeError
from pipesched.ops import Kind
from pipesched.placement import bidirectional, linear, v_shape
from pipesched.program import B0, B1, F0, F1, I0, I1, W0, B, F, I, Pipeline, W, build, only, step


def rows(programs, placement, microbatches):
    return list(build("mine", Pipeline(len(programs), microbatches), placement, programs).rows())


def test_microbatches_are_counted_per_chunk_and_direction_of_work():
    assert rows([[F0, F1, F0, B1, F1, B0]], v_shape(1), 2) == [["0F0", "1F0", "0F1", "1B0", "1F1", "0B0"]]


def test_whole_and_input_backwards_share_one_count():
    assert rows([[F, F, B, I, W]], linear(1), 2) == [["0F0", "0F1", "0B0", "0I1", "0W1"]]


def test_a_bare_w_is_the_oldest_owed_whatever_its_chunk():
    program = [F0, F1, I1, I0, W, W]
    assert rows([program], v_shape(1), 1) == [["0F0", "1F0", "1I0", "0I0", "1W0", "0W0"]]
    assert rows([[F0, F1, I1, I0, W0]], v_shape(1), 1)[0][-1] == "0W0"


def test_a_pair_holds_one_slot():
    schedule = build("mine", Pipeline(1, 2), v_shape(1), [[F0, F1, F0 & B1]])
    assert list(schedule.rows()) == [["0F0", "1F0", "(0F1;1B0)OVERLAP_F_B"]]
    assert (schedule.n_ops, schedule.n_slots) == (4, 3)


def test_flows_share_the_microbatches():
    placement = bidirectional(2)
    assert rows([[F0, F1], [F0, F1]], placement, 4) == [["0F0", "1F2"], ["0F2", "1F0"]]


def test_chunks_beyond_the_second():
    placement = linear(2, 5)
    assert rows([[step(Kind.F, 4)], [step(Kind.B, 4)]], placement, 1) == [["8F0"], ["9B0"]]


@given(
    st.integers(0, 6),
    st.lists(
        st.tuples(st.integers(-2, 9), st.lists(st.sampled_from([F0, F1, I0, W0]), min_size=1, unique=True))
    ),
)
def test_the_first_microbatches_alone_are_what_is_left_when_the_others_are_crossed_out(microbatches, terms):
    whole = [turn for times, steps in terms for turn in times * steps]
    kept = [turn for at, turn in enumerate(whole) if whole[:at].count(turn) < microbatches]
    assert only(microbatches, *terms) == kept


@pytest.mark.parametrize(
    "pair", [lambda: B0 & F0, lambda: F0 & I0, lambda: F0 & F1, lambda: F0 & (F0 & B1), lambda: F0 & 1]
)
def test_only_a_forward_and_a_whole_backward_make_a_pair(pair):
    with pytest.raises(TypeError, match="a pair is a forward & a whole backward"):
        pair()


def test_more_weight_gradients_than_owed_are_refused():
    with pytest.raises(ShapeError, match=r"mine: device 1 does more weight gradients"):
        rows([[F, I, W], [F, I, W, W]], linear(2), 1)


def test_a_chunk_that_the_device_lacks_is_refused():
    with pytest.raises(ShapeError, match=r"mine: device 0 has no chunk 1"):
        rows([[F0, F1]], linear(1), 1)


def test_b1_and_i1_are_the_second_chunk():
    assert rows([[F0, F1, B1, F1, I1]], v_shape(1), 2) == [["0F0", "1F0", "1B0", "1F1", "1I1"]]
