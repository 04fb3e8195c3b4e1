import pytest

from pipesched import formula as t

VALUES = {"PP": 8, "MB": 20, "F": 1, "B": 2, "I": 1, "W": 1, "FB": 3, "latency": 0}


@pytest.mark.parametrize(
    ("expr", "text", "value"),
    [
        ((t.PP - 1) * (t.F + t.B), "(PP-1)(F+B)", 21),
        ((t.PP - 1) * (t.F + t.B - 2 * t.W), "(PP-1)(F+B-2W)", 7),
        ((t.PP / 2 - 1) * (t.FB + t.B - 3 * t.W), "(PP/2-1)(F&B+B-3W)", 6),
        ((t.PP - 1) * t.maximum(t.F, t.I, t.F + t.I - t.W), "(PP-1)max(F, I, F+I-W)", 7),
        (t.F - t.F, "0", 0),
        (2 - t.PP * 3 / 2, "2-3PP/2", -10),
    ],
)
def test_prints_as_published_and_evaluates(expr, text, value):
    assert str(expr) == text
    assert expr.value(VALUES) == value


def test_substitution_collects_like_terms():
    zero_bubble = ((t.PP - 1) * (t.F + t.B - 2 * t.W)).substituted({"B": t.B + t.W})
    assert str(zero_bubble) == "(PP-1)(F+B-W)"  # the same formula where B is the input gradient only
    assert str(((t.PP - 1) * (t.FB + t.B)).substituted({"PP": t.PP / 2})) == "(PP/2-1)(F&B+B)"


def test_a_condition_says_by_which_numbers_it_fails():
    assert (t.W <= t.I).holds(VALUES)
    assert (t.W <= t.I).counterexample({**VALUES, "W": 2}) == "W = 2 > I = 1"
    assert t.C.equals(0).counterexample({**VALUES, "latency": 0.5}) == "latency = 0.5 > 0"
    assert (t.MB >= t.PP).counterexample({**VALUES, "MB": 3}) == "MB = 3 < PP = 8"
    assert t.FB.equals(t.F + t.B).holds({**VALUES, "F": 0.1, "B": 0.2, "FB": 0.3})  # up to float noise
