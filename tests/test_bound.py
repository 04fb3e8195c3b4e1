"""No order beats the bound; some attain it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis import analyze
from pipesched.analysis.bound import least_makespan
from pipesched.costs import CostModel
from pipesched.generators import find, recipes
from pipesched.simulate import simulate

T = st.sampled_from([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_schedule_beats_the_bound(data):
    schedule = data.draw(schedules())
    stages = schedule.stages
    each = st.one_of(T, st.lists(T, min_size=stages, max_size=stages))
    costs = CostModel(F=data.draw(each), I=data.draw(each), W=data.draw(each), latency=data.draw(T))
    bound = least_makespan(simulate(schedule, costs))
    assert bound.over >= 0


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
@pytest.mark.parametrize(
    ("f", "i", "w", "fb", "latency"),
    [(1, 1, 1, None, 0), (1, 2, 0.5, None, 0.5), (2, 1, 1.5, 3, 0), (1, 1, 1, 2, 1)],
)
def test_no_published_schedule_beats_it(recipe, f, i, w, fb, latency):
    for devices in (2, 4, 6):
        schedule = recipe.generate(devices, recipe.default_microbatches(devices))
        assert least_makespan(simulate(schedule, CostModel(F=f, I=i, W=w, FB=fb, latency=latency))).over >= 0


@pytest.mark.parametrize("latency", [0, 0.25])
def test_one_stage_per_device_is_bounded_as_published(latency):
    """idle >= (P-1)(F+c); and makespan >= (m+P-1)(F+I) + 2c(P-1) + W, which is larger for few micro-batches."""
    for devices, m, f, i, w in ((4, 8, 1, 1, 1), (4, 2, 1, 1, 1), (8, 32, 1, 2, 0.5), (3, 1, 2, 1, 1)):
        costs = CostModel(F=f, I=i, W=w, latency=latency)
        bound = least_makespan(simulate(find("1f1b").generate(devices, m), costs)).makespan
        by_work = m * (f + i + w) + (devices - 1) * (f + latency)
        by_chain = (m + devices - 1) * (f + i) + 2 * latency * (devices - 1) + w
        assert bound == pytest.approx(max(by_work, by_chain))


@pytest.mark.parametrize(
    ("name", "over"), [("zb1p", 0), ("zb-h2", 0), ("zbv", 0), ("1f1b", 14), ("gpipe", 14), ("dualpipe", 3)]
)
def test_how_far_from_optimal_at_equal_times(name, over):
    bound = analyze(find(name).generate(8, 32)).bound
    assert (bound.over, bound.optimal) == (over, over == 0)
