"""Times, against published figures, tables and an independent longest path."""

import csv
import json

import numpy as np
import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import longest_path, schedules

from pipesched.analysis.bubble import bubble
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.errors import CostError, InvalidScheduleError
from pipesched.formats import loads
from pipesched.generators import find
from pipesched.simulate import simulate

with (DATA / "numbers" / "dualpipe_makespans.csv").open() as file:
    MAKESPANS = list(csv.DictReader(file))
RATES = json.loads((DATA / "numbers" / "zero_bubble_rates.json").read_text())["rows"]


def run(name, devices, microbatches, **costs):
    return simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))


def idle(timeline):
    return bubble(timeline).idle.tolist()


@pytest.mark.parametrize("row", MAKESPANS, ids=lambda row: "-".join(list(row.values())[:7]))
def test_dualpipe_makespans(row):
    costs = {key: float(row[key]) for key in ("F", "B", "W", "FB")}
    timeline = run(row["schedule"], int(row["devices"]), int(row["microbatches"]), **costs)
    assert timeline.makespan == float(row["makespan"])
    assert idle(timeline) == [float(x) for x in row["idle_per_device"].split()]
    peaks = [float(x) for x in row["peak_activations_per_device"].split()]
    assert memory(timeline.schedule).peak.tolist() == peaks


@pytest.mark.parametrize("name", ["1f1b", "zb-h1"])
@pytest.mark.parametrize("row", RATES, ids=lambda row: f"{row['model']}-{row['pp']}-{row['microbatches']}")
def test_rates_printed_in_the_zero_bubble_papers(row, name):
    costs = {key: row[key] for key in ("F", "I", "W", "latency")}
    timeline = run(name, row["pp"], row["microbatches"], **costs)
    assert round(bubble(timeline).span_rate, 4) == row["span_bubble_rate"][name]


@pytest.mark.parametrize(
    ("devices", "microbatches", "latency", "makespan"),
    [
        (4, 1, 0, 12), (4, 2, 0, 15), (4, 3, 0, 18), (4, 8, 0, 33), (8, 32, 0, 117),
        (4, 8, 0.1, 34.6), (4, 8, 0.5, 41), (4, 8, 1, 49), (8, 32, 0.1, 123.8), (8, 32, 0.5, 151), (8, 32, 1, 185),
    ],
)  # fmt: skip
def test_1f1b_with_latency_and_few_microbatches(devices, microbatches, latency, makespan):
    assert run("1f1b", devices, microbatches, latency=latency).makespan == makespan


@pytest.mark.parametrize(
    ("f", "b", "makespan", "idles"),
    [
        ([1, 1, 1, 2], 2, 41, [17, 17, 17, 9]),
        ([1, 1, 1, 2], [2, 2, 2, 4], 57, [33, 33, 33, 9]),
        ([1, 1, 1, 1.5], [2, 2, 2, 3], 45, [21, 21, 21, 9]),
    ],
)
def test_the_slowest_stage_sets_the_pace(f, b, makespan, idles):
    timeline = run("1f1b", 4, 8, F=f, B=b)
    assert (timeline.makespan, idle(timeline)) == (makespan, idles)


@pytest.mark.parametrize(
    ("f", "i", "w", "expected"),
    [
        (1, 1, 1, 3), (1, 2, 1, 6), (1, 1.5, 0.5, 6), (1, 1, 0.5, 4.5), (2, 3, 1, 12),
        (1, 1, 1.5, 3), (1.2, 0.8, 1, 3.6), (1, 1, 2, 3),
    ],
)  # fmt: skip
def test_zb1p_idle_inside_and_outside_the_published_region(f, i, w, expected):
    assert idle(run("zb1p", 4, 8, F=f, I=i, W=w)) == [expected] * 4


@pytest.mark.parametrize(
    ("name", "devices", "microbatches", "latency", "makespan"),
    [
        ("zb1p", 4, 8, 0, 27), ("zb1p", 4, 8, 0.1, 28.2), ("zb1p", 4, 8, 1, 41), ("zb1p", 8, 32, 0.1, 105.8),
        ("zb1p", 8, 32, 1, 151), ("dualpipe", 8, 20, 0.1, 68.6), ("dualpipe", 8, 20, 0.5, 79.5),
        ("dualpipe", 8, 20, 1, 94), ("dualpipev", 4, 10, 0.1, 67.8), ("dualpipev", 4, 10, 0.5, 77),
        ("dualpipev", 4, 10, 1, 89), ("dualpipev", 4, 9, 0, 60), ("dualpipev", 8, 20, 0, 134),
    ],
)  # fmt: skip
def test_latency_is_paid_only_between_different_devices(name, devices, microbatches, latency, makespan):
    assert run(name, devices, microbatches, latency=latency).makespan == makespan


def test_gpipe_and_1f1b_have_the_same_bubble():
    for name in ("gpipe", "1f1b"):
        timeline = run(name, 8, 32, F=1, B=1, W=0.5)
        assert timeline.makespan == 78
        assert round(bubble(timeline).rate, 4) == 0.1795
    assert round(bubble(run("1f1b", 8, 32, F=1, B=1, W=0.5)).span_average, 4) == 0.0986


def test_idle_columns_of_the_published_dualpipe_figure():
    """As soon as possible; the published drawing right-aligns some lone backwards, with the same total."""
    columns = (
        [20, 21, 22, 40, 46, 52],
        [0, 18, 19, 43, 49, 57],
        [0, 1, 16, 46, 54, 58],
        [0, 1, 2, 51, 56, 59],
    )
    timeline = run("dualpipe", 8, 20)
    for d, expected in enumerate((*columns, *columns[::-1])):
        slots = slice(*timeline.schedule.first_slot[d : d + 2].tolist())
        busy = {
            t
            for start, end in zip(timeline.slot_start[slots], timeline.slot_end[slots], strict=True)
            for t in range(int(start), int(end))
        }
        assert sorted(set(range(66)) - busy) == expected


def test_sums_of_times_are_exact_in_decimals():
    """0.1 + 0.2 is not 0.3 in floats; a schedule's end must not show it."""
    assert run("dualpipe", 8, 20, F=0.1, B=0.2, W=0.1).makespan == 6.6
    assert run("1f1b", 8, 32, F=0.1, B=0.2, W=0.1).makespan == 11.7


def test_a_pair_is_atomic():
    """Two ops in sequence instead of the pair would end at 63: the frequent error."""
    assert run("dualpipe", 8, 20).makespan == 66


numbers = st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.7, 3.0, 29.718])


@st.composite
def cost_models(draw, stages):
    def times():
        return draw(st.one_of(numbers, st.lists(numbers, min_size=stages, max_size=stages)))

    return CostModel.of(
        F=times(), I=times(), W=times(), FB=draw(st.one_of(st.none(), numbers)), latency=draw(numbers)
    )


@pytest.mark.filterwarnings("ignore:FB = ")
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_times_are_a_longest_path(data):
    schedule = data.draw(schedules())
    costs = data.draw(cost_models(schedule.stages))
    timeline = simulate(schedule, costs)
    assert np.allclose(timeline.slot_end, longest_path(schedule, costs), rtol=1e-12, atol=1e-9)
    assert (timeline.slot_start >= 0).all()


@settings(max_examples=30, deadline=None)
@given(schedules(), st.floats(0.1, 10), st.floats(0.001, 1000))
def test_scaling_all_times_scales_the_makespan(schedule, factor, f):
    once = simulate(schedule, CostModel.of(F=f, I=f / 3, W=f / 7)).makespan
    scaled = simulate(schedule, CostModel.of(F=f * factor, I=f * factor / 3, W=f * factor / 7)).makespan
    assert scaled == pytest.approx(once * factor)


def test_an_invalid_or_deadlocked_schedule_is_refused_with_the_reason():
    with pytest.raises(InvalidScheduleError, match=r"x cannot run: deadlock: 1F1 \(device 1\) waits for 0F1"):
        simulate(loads("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "x").schedule)
    with pytest.raises(InvalidScheduleError, match=r"x cannot run: 0B1 missing"):
        simulate(loads("0F0,0F1,0B0\n", "x").schedule)


def test_a_list_of_another_length_is_refused():
    with pytest.raises(CostError, match=r"F has 2 entries; one per stage needs 4"):
        run("1f1b", 4, 8, F=[1, 2])
