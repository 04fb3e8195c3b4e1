"""Every closed formula of every schedule: exact inside its region, and the region not too narrow.

A sweep over shapes and times holds formula and simulation together. For each condition of each formula
there must be a point that violates this condition alone and where the formula is off: else the condition
is not needed.
"""

import random
import warnings
from collections import defaultdict

import numpy as np
import pytest

from pipesched.analysis import analyze
from pipesched.analysis.bubble import bubble
from pipesched.analysis.closed_form import setting
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find, recipes
from pipesched.simulate import simulate

POINTS = 400


#: Times that satisfy every condition there is, or break one.
PLAIN = (
    {"F": 1, "I": 1, "W": 1},
    {"F": 1, "I": 1, "W": 1.5},
    {"F": 1, "I": 1, "W": 0.5},
    {"F": 1.5, "I": 1, "W": 1},
    {"F": 1, "I": 1.5, "W": 1},
    {"F": 1, "I": 1, "W": 1, "B": 1.5},
    {"F": 1, "I": 1, "W": 1, "FB": 2.5},
    {"F": 1, "I": 1, "W": 1, "FB": 1.5},
    {"F": 1, "I": 1, "W": 1, "latency": 0.5},
    {"F": 3, "I": 1, "W": 1, "latency": 2.5},
    {"F": 0.5, "I": 2, "W": 1, "latency": 2.5},
)


def times(rng):
    """One of the plain ones, or random times, of which some are often equal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pairs that are too fast
        if rng.random() < 0.6:
            return CostModel(**rng.choice(PLAIN))
        f, i, w = (rng.choice([0.5, 1, 1, 1.5, 2, 3]) for _ in range(3))
        b = max(i, w) if rng.random() < 0.15 else i + w
        f = rng.choice([f, f, i, b, 2 * b])
        fb = rng.choice([None, max(f, b), max(f, b) + 0.3 * min(f, b), 0.8 * max(f, b)])
        return CostModel(F=f, B=b, I=i, W=w, FB=fb, latency=rng.choice([0, 0, 0, 0.25, 0.5, b + 0.5, 5]))


def sizes(rng, recipe):
    devices = rng.choice([1, 2, 3, 4, 4, 5, 6, 7])
    few = rng.randint(1, devices)
    microbatches = rng.choice(
        [2, few, rng.randint(1, 4 * devices + 4), 2 * devices, 3 * devices, 2 * devices - 2, devices + 1]
    )
    return devices, max(microbatches, 1), rng.choice([1, 2, 3]) if recipe.any_chunks else None


def sweep(recipe):
    """(formula, failing conditions, whether it equals the simulation) at random points."""
    rng = random.Random(recipe.name)  # noqa: S311
    points, tried = 0, 0
    while points < POINTS and tried < 40 * POINTS:
        tried += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                schedule = recipe.generate(*sizes(rng, recipe))
        except ShapeError:
            continue
        points += 1
        timeline = simulate(schedule, times(rng))
        values, measured = setting(timeline).values, bubble(timeline)
        claims = [
            *((each, measured.idle) for each in (recipe.formula, *recipe.general) if each),
            *((each, measured.span_idle.max()) for each in recipe.span),
            *((each, memory(schedule).peak) for each in recipe.peak),
        ]
        for formula, truth in claims:
            value = np.asarray(formula.value(values), dtype=float)
            yield (
                formula,
                formula.failing(values),
                bool(np.allclose(truth, value, atol=1e-9)),
                (schedule, timeline.costs),
            )
    assert points == POINTS


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
def test_formulas_hold_where_they_say_and_only_there(recipe):
    inside, needed = defaultdict(int), defaultdict(set)
    for formula, failing, equal, where in sweep(recipe):
        if not failing:
            inside[formula] += 1
            assert equal, (formula.text(), where[0].describe(), where[1].describe())
        elif len(failing) == 1 and not equal:
            needed[formula].add(failing[0])
    for formula in {each for each in (recipe.formula, *recipe.general, *recipe.span, *recipe.peak) if each}:
        assert inside[formula] > 0, f"{formula.text()}: the sweep never enters its region"
        superfluous = [str(each) for each in formula.exact_if if each not in needed[formula]]
        assert not superfluous, f"{formula.text()} holds as well without {superfluous}"


def test_every_schedule_states_what_it_can():
    for recipe in recipes():
        if recipe.name != "1f1b-v":  # its idle time is only known to be at most 5(PP-1) at B = 2F
            assert recipe.formula, recipe.name
        if recipe.name not in ("chimera", "hanayo", "bitpipe"):
            assert recipe.peak, recipe.name


def test_another_formula_steps_in_where_the_published_one_fails():
    report = analyze(find("zb1p").generate(4, 8), CostModel(F=1, I=1, W=2))
    assert (report.bubble.formula.exact, report.bubble.general.exact) == (False, True)
    assert (report.bubble.general.text, report.bubble.general.value) == ("(PP-1)max(F, I, F+I-W)", 3)
    assert analyze(find("zb1p").generate(4, 8)).bubble.general is None  # not where the published one is exact


def test_dualpipes_idle_time_by_device():
    """Deeper in, a pair that saves time saves it more often: what the README's formula leaves out."""
    report = analyze(find("dualpipe").generate(8, 20), CostModel(FB=2.5))
    assert report.bubble.general.value == [3.5, 4, 4.5, 4.5, 4.5, 4.5, 4, 3.5] == report.bubble.idle


@pytest.mark.parametrize(
    ("name", "deepseek", "zero_bubble"),
    [
        ("zb1p", "(PP-1)(F+B-2W)", "(PP-1)(F+B-W)"),
        ("1f1b", "(PP-1)(F+B)", "(PP-1)(F+B+W)"),
        ("zb-h2", "(PP-1)max(F, F+I-2W, I-F)", "(PP-1)max(F, F+B-2W, B-F)"),
        ("dualpipe", "(PP/2-1)(F&B+B-3W)", "(PP/2-1)(F&B+B-2W)"),
    ],
)
def test_both_dialects_of_b(name, deepseek, zero_bubble):
    """The Zero Bubble papers' B is our I: (p-1)(T_F+T_B-T_W) is (PP-1)(F+B-2W), and no typo."""
    formula = find(name).formula
    assert (formula.text(), formula.text("zero-bubble")) == (deepseek, zero_bubble)


def test_the_reason_is_told_in_the_same_dialect():
    schedule, costs = find("zb1p").generate(4, 8), CostModel(F=1, I=1, W=2)
    assert analyze(schedule, costs, dialect="zero-bubble").bubble.formula.why == (
        "exact only if W <= F and W <= B; here W = 2 > F = 1, W = 2 > B = 1"
    )
    fused = analyze(schedule, CostModel(B=1.5, I=1, W=1), dialect="zero-bubble").bubble.formula
    assert fused.why == "exact only if the whole backward takes as long as its two parts"
