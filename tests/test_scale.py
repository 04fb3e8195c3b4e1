"""Sizes that are not built give what the full lists would; steps are counted, not timed."""

import importlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched.analysis import analyze, unbuilt
from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find, recipes, size
from pipesched.generators.size import Size
from pipesched.simulate import simulate

growth = importlib.import_module("pipesched.simulate.growth")
NAMES = [recipe.name for recipe in recipes()]
#: What is not listed at such sizes: (part, key).
UNLISTED = (("bubble", "gaps"), ("critical_path", "ops"), ("critical_path", "transfer"), (None, "listed"))


def listed(report):
    data = report.as_dict()
    for part, key in UNLISTED:
        del (data if part is None else data[part])[key]
    return data


def same(name, devices, microbatches, costs, free_at="w", chunks=None):
    size = Size.of(find(name), devices, microbatches, chunks, {})
    found = measure_unbuilt(size, costs, free_at)
    if found is None:
        return False
    quick = found.report
    assert not quick.listed
    full = analyze(find(name).generate(devices, microbatches, chunks), costs, free_at=free_at)
    assert listed(quick) == listed(full)
    return True


@pytest.mark.parametrize("free_at", ["w", "i", 0.3])
@pytest.mark.parametrize("latency", [0, 0.5])
@pytest.mark.parametrize("name", NAMES)
def test_every_schedule_is_measured_without_being_built(name, latency, free_at):
    assert same(name, 4, 160, CostModel(F=1.1, I=0.9, W=0.7, latency=latency), free_at)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.sampled_from([1, 2, 4, 6]),
    st.integers(8, 24),
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.25, 3.0]), min_size=24, max_size=24),
    st.sampled_from([None, 1.5, 3.0]),
    st.sampled_from([0.0, 0.1, 2.0]),
)
@pytest.mark.filterwarnings("ignore")
def test_whatever_the_times(name, devices, rounds, times, pair, latency):
    try:
        stages = find(name).generate(devices, rounds * devices).stages
    except ShapeError:
        return
    costs = CostModel(F=times[:stages], I=times[-stages:], W=times[3 : 3 + stages], FB=pair, latency=latency)
    same(name, devices, rounds * devices, costs)


def test_a_million_microbatches_run_no_more_slots_than_a_thousand(monkeypatch):
    compute = importlib.import_module("pipesched.simulate.compute")
    counts = []
    loop = compute.end_times
    monkeypatch.setattr(compute, "end_times", lambda *given: counts.append(len(given[2])) or loop(*given))
    ran = []
    for microbatches in (1_000, 1_000_000):
        counts.clear()
        size = Size.of(find("1f1b"), 8, microbatches, None, {})
        assert measure_unbuilt(size, CostModel(latency=0.5)).report.microbatches == microbatches
        ran.append(sum(counts))
    assert ran[0] == ran[1] < 10_000


@pytest.mark.parametrize("name", ["gpipe", "1f1b", "zbv", "v-half"])
def test_a_kink_far_out_is_not_taken_for_linear(name):
    """A stage falls behind by a hair per micro-batch: for long nothing shows elsewhere."""
    stages = find(name).generate(4, 8).stages
    for slow in range(stages):
        costs = CostModel(F=[1.001 if s == slow else 1 for s in range(stages)], W=1, latency=0.01)
        same(name, 4, 350, costs)


def test_a_rule_that_changes_is_refused():
    """Two schedules of different rules do not count as a family."""
    costs = CostModel()
    a = simulate(find("1f1b").generate(4, 40), costs)
    b = simulate(find("gpipe").generate(4, 41), costs)
    assert growth.growth(a, simulate(find("1f1b").generate(4, 41), costs), 1) is not None
    assert growth.growth(a, b, 1) is None


def test_what_cannot_be_proved_and_does_not_fit_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(unbuilt, "growth", lambda *_: None)
    monkeypatch.setattr(size, "_free", lambda: 2**27)
    code = run(["analyze", "1f1b", "--pp", "4", "--mb", "10000000"])
    message = capsys.readouterr().err
    assert code == 2
    assert "does not fit in memory" in message
    largest = int(message.rpartition("--mb ")[2])
    assert 1 <= largest < 10_000_000


def test_a_size_that_is_not_legal_is_refused_as_ever(capsys):
    assert run(["analyze", "dualpipe", "--pp", "8", "--mb", "10000001"]) == 2
    assert "needs an even number of micro-batches; got 10,000,001 micro-batches" in capsys.readouterr().err


def test_the_commands(capsys):
    assert run(["analyze", "zb1p", "--pp", "16", "--mb", "1000000", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["makespan"], report["ops"], report["listed"]) == (3000015, 48_000_000, False)
    assert report["bubble"]["formula"]["exact"]
    assert run(["analyze", "1f1b", "--pp", "16", "--mb", "1000000"]) == 0
    assert "its slots and the waits are not listed" in " ".join(capsys.readouterr().out.split())
    assert run(["compare", "1f1b", "dualpipe", "--pp", "16", "--mb", "1000000", "--json"]) == 0
    one, other = json.loads(capsys.readouterr().out)
    assert (one["makespan"], other["makespan"]) == (3000045, 3000014)


@pytest.mark.parametrize("microbatches", ["64", "1000000"])
def test_choices_in_the_name_count(microbatches, capsys):
    size = ["--pp", "8", "--mb", microbatches, "--json"]
    assert run(["analyze", "vpp,chunks=4", *size]) == 0
    named = json.loads(capsys.readouterr().out)
    assert run(["analyze", "vpp", "--chunks", "4", *size]) == 0
    assert named == json.loads(capsys.readouterr().out)


def test_times_beyond_exact_sums_are_not_taken_for_proved(monkeypatch):
    monkeypatch.setattr(size, "_free", lambda: 2**27)
    costs = CostModel(F=1.000000001)
    assert measure_unbuilt(Size.of(find("1f1b"), 4, 10**5, None, {}), costs) is not None
    with pytest.raises(ShapeError, match="no way was found to prove"):
        measure_unbuilt(Size.of(find("1f1b"), 4, 10**7, None, {}), costs)


def test_a_cap_is_held_against_the_peaks_of_what_is_not_built(capsys):
    size = ["--pp", "4", "--memory-cap", "2", "--json"]
    told = []
    for microbatches in ("100", "10000000"):
        assert run(["analyze", "1f1b", *size, "--mb", microbatches]) == 0
        told.append([each["device"] for each in json.loads(capsys.readouterr().out)["over_memory_cap"]])
    assert told == [[0, 1], [0, 1]]
