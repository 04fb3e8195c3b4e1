import math

import pytest

from pipesched.costs import CostModel
from pipesched.errors import CostError, PipeschedWarning


def test_the_defaults_are_the_published_figures():
    assert CostModel.of().values() == {"F": 1, "B": 2, "I": 1, "W": 1, "FB": 3, "latency": 0}
    assert CostModel.of() == CostModel()


@pytest.mark.parametrize(
    ("given", "derived"),
    [
        ({"B": 3}, {"I": 2, "W": 1}),
        ({"W": 0.5}, {"B": 2, "I": 1.5}),
        ({"I": 3}, {"B": 4, "W": 1}),
        ({"I": 0.3, "W": 0.1}, {"B": 0.4}),
        ({"B": 0.3, "W": 0.1}, {"I": 0.2}),
        ({"B": 4, "I": 2.5}, {"W": 1.5}),
        ({"B": [2, 3]}, {"I": (1, 2), "W": 1}),
    ],
)
def test_any_two_of_b_i_w_give_the_third(given, derived):
    costs = CostModel.of(**given)
    assert {key: getattr(costs, key) for key in derived} == derived


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"F": -1}, "F must be a time of 0 or more; got -1"),
        ({"F": math.nan}, "F must be a time of 0 or more; got nan"),
        ({"B": math.inf}, "B must be a time of 0 or more; got inf"),
        ({"latency": -0.1}, "latency must be a time of 0 or more; got -0.1"),
        ({"latency": [1, 2]}, "latency must be one number"),
        ({"W": 3}, r"W must not exceed B, the whole backward \(B = I \+ W\); got W = 3 > B = 2"),
        ({"B": [2, 2], "W": [1, 5]}, r"on stage 1; got W = 5 > B = 2"),
        ({"B": 1, "I": 2}, "I must not exceed B"),
        ({"F": [1, 2], "B": [2, 2, 2]}, "F has 2, B has 3"),
        ({"F": []}, "F is an empty list"),
        ({"F": "1"}, "F must be a number"),
        ({"F": True}, "F must be a number"),
        ({"F": 1e300}, r"F must be 0 or a time from 1e-100 to 1e\+100; got 1e\+300: choose another unit"),
        ({"latency": 1e-300}, "latency must be 0 or a time from 1e-100"),
        ({"F": [[1, 2]]}, r"F must be a number, or a list of one number per stage; got \[1, 2\]"),
        ({"F": "x" * 999}, r"got 'x{56}\.\.\.$"),
        ({"unit": 3}, "unit must be text, such as ms; got 3"),
        ({"G": 1}, "unknown cost 'G'; known are F, B, I, W, FB, latency, unit"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(given, sentence):
    with pytest.raises(CostError, match=sentence):
        CostModel.of(**given)


@pytest.mark.parametrize(("fb", "word"), [(1.5, "fast"), (3.5, "slow")])
def test_a_pair_outside_its_bounds_is_a_warning(fb, word):
    with pytest.warns(PipeschedWarning, match=f"outside max.F, B. = 2 .. F . B = 3: no overlap is so {word}"):
        costs = CostModel(FB=fb)
    assert fb == costs.FB


def test_a_strange_pair_is_told_with_its_stage():
    with pytest.warns(PipeschedWarning, match=r"FB = 9 on stage 1 is outside max\(F, B\) = 2 .. F \+ B = 3"):
        CostModel(FB=[3, 9])


def test_resizing_shares_a_model_out_over_more_stages():
    costs = CostModel.of(F=[1, 2], latency=0.5).resized(2, 4)
    assert costs.F == (0.5, 0.5, 1, 1)
    assert costs.B == 1
    assert costs.latency == 0.5  # a transfer is a transfer, whatever the stage's size
    with pytest.raises(
        CostError, match="a list of 2 times per part of the model cannot be cut into 3 stages"
    ):
        CostModel.of(F=[1, 2]).resized(2, 3)


@pytest.mark.parametrize(
    ("given", "named"),
    [({"W": [1, 2]}, "W"), ({"I": [1, 2]}, "I"), ({"B": 4, "I": [1, 2]}, "I"), ({"FB": [3, 3]}, "FB")],
)
def test_a_list_of_another_length_is_named_by_what_was_given(given, named):
    with pytest.raises(CostError, match=f"^{named} has 2 entries; one per stage needs 4, or give one number"):
        CostModel(**given).per_stage(4)
    with pytest.raises(CostError, match=f"^{named} has 2 entries; one per 1/PP of the model needs 4, or "):
        CostModel(**given).resized(4, 8)


@pytest.mark.parametrize(
    ("given", "unit"), [("ms", "ms"), ("µs", "µs"), ("", "F"), (None, "F"), ("\x1b[31m\n", "\\x1b[31m\\n")]
)
def test_the_unit_can_be_printed(given, unit):
    assert CostModel(unit=given).unit == unit


def test_a_cost_model_is_told_in_one_line():
    costs = CostModel(F=[1.0] * 1000, unit="ms")
    assert repr(costs).startswith("<CostModel F=[1,1,1,1,1,1,...,1] B=2 ")
    assert len(repr(costs)) < 100


def test_the_description_names_every_time():
    assert CostModel.of().describe() == "F=1 B=2 I=1 W=1 F&B=3 latency=0 (unit: F)"
    assert "F=[1,1,2]" in CostModel.of(F=[1, 1, 2], unit="ms").describe()


def test_the_unit_is_called_f_where_that_is_what_a_forward_takes():
    assert [CostModel(F=f).unit for f in (None, 1, [1, 1.0], 2, [1, 2])] == ["F", "F", "F", "units", "units"]
    assert CostModel(F=2).describe().endswith("latency=0 (unit not named)")
    assert CostModel(F=2, unit="ms").describe().endswith("latency=0 (unit: ms)")
    assert CostModel(F=2, unit="F").unit == "F"
    assert CostModel().resized(2, 4).unit == "F"  # times of smaller stages, in the same unit
    assert CostModel.of(**CostModel(F=2).as_dict()) == CostModel(F=2)
