"""Bubble by cause, memory, critical path, formulas, and the report's keys."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis import analyze
from pipesched.analysis.bubble import Cause, bubble, gaps, idle_by_cause
from pipesched.analysis.critical import critical_path, slack
from pipesched.analysis.memory import memory, steps
from pipesched.analysis.report import report
from pipesched.choices import Mode
from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.generators import find, recipes
from pipesched.ops import parse_slot
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.transport import Transport

TIMES = st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0])
COSTS = st.builds(
    lambda f, i, w, c: CostModel.of(F=f, I=i, W=w, latency=c),
    TIMES,
    TIMES,
    TIMES,
    st.sampled_from([0.0, 0.25, 1.0]),
)


def measured(name, devices, microbatches, free_at="w", **costs):
    return analyze(find(name).generate(devices, microbatches), CostModel.of(**costs), free_at=free_at)


def test_json_has_the_keys_of_the_contract():
    report = json.loads(json.dumps(measured("dualpipe", 8, 20).as_dict()))
    assert {key: report[key] for key in ("schedule", "devices", "stages", "microbatches", "unit", "ops", "slots", "makespan")} == {
        "schedule": "dualpipe", "devices": 8, "stages": 8, "microbatches": 20, "unit": "F", "ops": 364, "slots": 282, "makespan": 66.0,
    }  # fmt: skip
    assert report["costs"] == {"F": 1.0, "B": 2.0, "I": 1.0, "W": 1.0, "FB": 3.0, "latency": 0.0}
    b = report["bubble"]
    assert (round(b["rate"], 4), round(b["ideal_ratio"], 4), round(b["span_rate"], 4)) == (
        0.0909,
        0.1,
        0.0909,
    )
    assert b["idle"] == [6.0] * 8
    assert b["span_idle"][:2] == [6.0, 5.0]
    assert b["formula"] == {"text": "(PP/2-1)(F&B+B-3W)", "value": 6.0, "exact": True, "why": None}
    m = report["memory"]
    assert (m["free_at"], m["peak_activations"], m["peak_model_share"]) == ("w", [9] * 8, [1.125] * 8)
    assert (m["stages"][0], m["model_copies"]) == ([0, 7], 2.0)
    assert report["critical_path"]["length"] == 66.0
    assert report["critical_path"]["ops"][:2] == ["0F0", "1F0"]


@pytest.mark.parametrize(
    ("name", "devices", "microbatches", "costs", "why"),
    [
        ("zb1p", 4, 8, {"F": 1, "I": 1, "W": 2}, r"exact only if W <= F and W <= I; here W = 2 > F = 1, W = 2 > I = 1"),
        ("zb1p", 4, 2, {}, r"exact only if MB >= PP; here MB = 2 < PP = 4"),
        ("1f1b", 4, 8, {"latency": 0.5}, r"exact only if latency = 0; here latency = 0.5 > 0"),
        ("dualpipe", 8, 20, {"FB": 2.5}, r"exact only if F&B = F\+B; here F&B = 2.5 < F\+B = 3"),
        ("dualpipe", 8, 20, {"B": 3}, r"exact only if F = I; here F = 1 < I = 2"),
        ("gpipe", 2, 4, {"F": [1, 2]}, r"exact only if every stage takes the same times"),
    ],
)  # fmt: skip
def test_the_formula_says_why_it_is_not_exact(name, devices, microbatches, costs, why):
    formula = measured(name, devices, microbatches, **costs).bubble.formula
    assert not formula.exact
    assert formula.why
    import re

    assert re.fullmatch(why, formula.why), formula.why


def test_the_dualpipe_formula_is_the_largest_idle_when_pairs_overlap():
    report = measured("dualpipe", 8, 20, FB=2.5)
    assert report.bubble.idle == [3.5, 4, 4.5, 4.5, 4.5, 4.5, 4, 3.5]
    assert report.bubble.formula.value == 4.5
    assert report.makespan == 59


@pytest.mark.parametrize("name", ["gpipe", "1f1b", "zb1p", "dualpipe", "dualpipev"])
@settings(max_examples=40, deadline=None)
@given(
    devices=st.integers(1, 6),
    extra=st.integers(0, 6),
    f=TIMES,
    i=TIMES,
    w=TIMES,
    fb=st.sampled_from([1.0, 0.8]),
)
def test_inside_its_region_the_formula_is_exact(name, devices, extra, f, i, w, fb):
    recipe = find(name)
    devices += devices % 2 if name == "dualpipe" else 0
    microbatches = recipe.default_microbatches(devices) + 2 * extra
    costs = CostModel.of(F=f, I=i, W=w, FB=max(fb * (f + i + w), f, i + w))
    report = analyze(recipe.generate(devices, microbatches), costs)
    values = {"PP": devices, "MB": microbatches, **costs.values()}
    if not recipe.formula.failing(values):
        assert report.bubble.formula.exact, report.bubble


@pytest.mark.parametrize(
    ("name", "just_outside"),
    [
        ("zb1p", {"F": 0.9, "I": 1, "W": 1}),
        ("zb1p", {"F": 1, "I": 0.9, "W": 1}),
        ("zb1p", {"B": 1.9, "I": 1, "W": 1}),
        ("zb1p", {"latency": 0.1}),
        ("1f1b", {"latency": 0.1}),
        ("gpipe", {"latency": 0.1}),
        ("dualpipe", {"F": 1.1, "I": 1, "W": 1}),
        ("dualpipe", {"F": 1, "I": 1, "W": 1.1}),
        ("dualpipe", {"FB": 2.9}),
        ("dualpipev", {"F": 1, "I": 1.1, "W": 1}),
        ("dualpipev", {"B": 1.9, "I": 1, "W": 1}),
        ("dualpipev", {"latency": 0.1}),
    ],
)
def test_the_region_is_not_too_narrow(name, just_outside):
    """Each condition matters: violate it alone, and the formula is off."""
    report = measured(name, 8, 32, **just_outside)
    values = {"PP": 8, "MB": 32, **CostModel.of(**just_outside).values()}
    assert len(find(name).formula.failing(values)) == 1
    assert not report.bubble.formula.exact


@settings(max_examples=80, deadline=None)
@given(schedules(), COSTS)
def test_idle_time_adds_up(schedule, costs):
    timeline = simulate(schedule, costs)
    measured_bubble, found = bubble(timeline), gaps(timeline)
    causes = idle_by_cause(found, schedule.devices)
    assert np.allclose(causes[:3].sum(axis=0), measured_bubble.idle)
    assert (causes[3] <= causes[0] + causes[1] + 1e-9).all()
    assert (found.length > 0).all()
    for device, end, cause, op in zip(found.device, found.end, found.cause, found.waited_for, strict=True):
        if cause == Cause.DRAIN:
            assert op == -1
        else:  # what it waited for stands on another device and arrives just then
            assert schedule.device[op] != device
            assert timeline.end[op] + costs.latency == pytest.approx(end)


@settings(max_examples=80, deadline=None)
@given(schedules(), COSTS)
def test_the_critical_path_is_a_chain_as_long_as_the_makespan(schedule, costs):
    timeline = simulate(schedule, costs)
    path = critical_path(timeline)
    work = sum(float(timeline.slot_end[k] - timeline.slot_start[k]) for k in path.slots)
    assert work + path.transfer == pytest.approx(timeline.makespan)
    spare = slack(timeline)
    assert np.allclose(spare[path.slots], 0)


@settings(max_examples=60, deadline=None)
@given(schedules(), COSTS, st.data())
def test_slack_is_how_late_an_op_may_be(schedule, costs, data):
    """Make one slot longer by its slack: the makespan stays; by more: it grows. One stage per op times."""
    timeline = simulate(schedule, costs)
    k = data.draw(st.integers(0, schedule.n_slots - 1))
    spare = float(slack(timeline)[k])
    for late, grows in ((spare, False), (spare + 0.5, True)):
        assert (_with_delay(timeline, k, late) > timeline.makespan + 1e-9) is grows


def _with_delay(timeline, delayed, late):
    from pipesched._kernel import end_times
    from pipesched.simulate import links, slot_durations
    from pipesched.validate.deadlock import run

    durations = slot_durations(timeline.schedule, timeline.costs)
    durations[delayed] += late
    order = run(timeline.schedule).order
    return float(end_times(order, links(timeline.schedule, timeline.lag), durations).max())


@pytest.mark.parametrize(
    ("name", "devices", "microbatches", "free_at", "peaks"),
    [
        ("gpipe", 4, 8, "w", [8, 8, 8, 8]),
        ("1f1b", 4, 8, "w", [4, 3, 2, 1]),
        ("1f1b", 4, 100, "w", [4, 3, 2, 1]),
        ("1f1b", 4, 2, "w", [2, 2, 2, 1]),
        ("zb1p", 4, 8, "w", [4, 4, 4, 4]),
        ("zb1p", 4, 8, "i", [4, 3, 2, 1]),
        ("dualpipe", 8, 20, "w", [9] * 8),
        ("dualpipev", 4, 10, "w", [9] * 4),
        ("dualpipev", 8, 20, "w", [17] * 8),
    ],
)
def test_peak_activations(name, devices, microbatches, free_at, peaks):
    assert measured(name, devices, microbatches, free_at).memory.peak_activations == peaks


def test_a_fraction_freed_at_i_lies_between():
    peaks = [
        measured("zb1p", 4, 8, free_at).memory.peak_activations[3] for free_at in ("w", 0.25, "0.5", "i")
    ]
    assert peaks == sorted(peaks, reverse=True)
    assert peaks[1] == 1 + 3 * 0.75  # one whole, three with a quarter gone


@pytest.mark.parametrize("free_at", ["x", -0.1, 1.5, "nan"])
def test_free_at_is_checked(free_at):
    with pytest.raises(CostError, match="free-at must be w, i or a fraction from 0 to 1; got"):
        memory(find("gpipe").generate(2, 2), free_at)


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
def test_all_activations_are_freed_and_the_staircase_peaks_where_it_says(recipe):
    schedule = recipe.generate(4)
    timeline, held = simulate(schedule), memory(schedule)
    for d in range(4):
        times, levels = steps(timeline, held, d)
        assert (np.diff(times) >= 0).all()
        assert levels[-1] == 0
        assert levels.max() == held.peak[d]
    report = analyze(schedule)
    for d, (op, time) in enumerate(zip(report.memory.peak_op, report.memory.peak_time, strict=True)):
        slot = list(schedule.rows())[d]
        assert any(op in cell for cell in slot)
        assert 0 <= time <= report.makespan


def test_nothing_takes_time():
    report = analyze(find("1f1b").generate(2, 2), CostModel.of(F=0, B=0, W=0))
    assert (report.makespan, report.bubble.rate, report.bubble.idle) == (0, 0, [0, 0])


def test_an_order_that_is_not_the_published_one_is_told_so():
    schedule = Schedule.from_rows(
        "1f1b", [[op for row in [find("gpipe").generate(1, 2)] for op in map(row.op, range(4))]]
    )
    assert analyze(schedule).bubble.formula.exact  # one device: no idle by either
    swapped = analyze(find("zb1p").generate(4, 8).renamed("1f1b"))
    assert swapped.bubble.formula.why == "the order or its options are not those of the formula"


def test_formulas_without_times_hold_for_stages_that_differ():
    measured = analyze(find("1f1b").generate(4, 8), CostModel(F=(1, 2, 1, 1)))
    assert measured.memory.formula
    assert measured.memory.formula.exact
    assert measured.bubble.formula
    assert "every stage takes the same times" in str(measured.bubble.formula.why)


def test_a_formula_that_transfers_break_says_so():
    schedule = find("1f1b").generate(4, 8)
    blocking = simulate(schedule, CostModel(), Transport(Mode("blocking", "rendezvous"), 1.0, 4.0))
    formula = report(blocking).bubble.formula
    assert formula
    assert not formula.exact
    assert formula.why == "exact only if transfers take the latency alone, and hold up nobody"


@pytest.mark.parametrize("used", [(1, 2, 3), (0, 1, 3), (0, 1, 2), (2, 3, 5)])
def test_a_device_without_ops_holds_nothing_and_the_others_what_they_hold_alone(used):
    alone = find("1f1b").generate(3, 6)
    rows = [[] for _ in range(6)]
    for device, row in zip(used, alone.rows(), strict=True):
        rows[device] = [parse_slot(text) for text in row]
    held, expected = memory(Schedule.from_rows("x", rows)), memory(alone)
    empty = [device for device in range(6) if device not in used]
    assert held.during.tolist() == expected.during.tolist()
    assert held.peak[list(used)].tolist() == expected.peak.tolist()
    assert held.peak_op[list(used)].tolist() == expected.peak_op.tolist()
    assert held.peak[empty].tolist() == [0.0] * 3
    assert held.peak_op[empty].tolist() == [-1] * 3


def test_no_ops_at_all_hold_nothing():
    assert memory(Schedule.from_rows("x", [[], []])).peak.tolist() == [0.0, 0.0]
