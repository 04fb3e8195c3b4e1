"""The Pareto front against its definition."""

from hypothesis import given
from hypothesis import strategies as st

from pipesched.analysis.pareto import pareto

POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), max_size=12)


@given(POINTS)
def test_every_other_point_is_beaten_by_one_of_the_front(points):
    front = set(pareto(points))
    for i, mine in enumerate(points):
        beaten = any(
            other != mine and all(a <= b for a, b in zip(other, mine, strict=True)) for other in points
        )
        assert (i in front) == (not beaten)
    assert bool(front) == bool(points)


def test_equal_points_are_all_kept():
    assert pareto([(1, 1), (1, 1), (2, 2)]) == [0, 1]
    assert pareto([]) == []
