"""Many scenarios at once are as many times one."""

import importlib
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.critical import critical_path
from pipesched.analysis.jitter import jittered
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.errors import CostError, InvalidScheduleError
from pipesched.generators import find
from pipesched.schedule import Schedule
from pipesched.simulate import simulate

batch = importlib.import_module("pipesched.simulate.batch")
T = st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.7, 3.0, 29.718])


@pytest.mark.filterwarnings("ignore:FB = ")
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_row_is_what_one_run_gives(data):
    schedule = data.draw(schedules(flows=data.draw(st.sampled_from([1, 2]))))
    times = st.lists(T, min_size=schedule.stages, max_size=schedule.stages)
    models = [
        CostModel(
            F=data.draw(times),
            I=data.draw(times),
            W=data.draw(times),
            FB=data.draw(st.one_of(st.none(), T)),
            latency=data.draw(T),
        )
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    rows = list(batch.simulate_batch(schedule, models))
    assert len(rows) == len(models)
    for row, costs in zip(rows, models, strict=True):
        assert np.array_equal(row, simulate(schedule, costs).slot_end)


def test_memory_is_bounded_and_chunks_do_not_show(monkeypatch):
    schedule = find("zb1p").generate(4, 16)
    models = [CostModel(F=1 + k / 8, latency=0.5) for k in range(7)]
    whole = list(batch.simulate_batch(schedule, models))
    varied = jittered(schedule, CostModel(), 0.1, 20, seed=3)
    widths = []
    ends = batch.Batch.ends
    monkeypatch.setattr(batch, "CELLS", 3 * schedule.n_slots)
    monkeypatch.setattr(
        batch.Batch, "ends", lambda self, d, latency: widths.append(len(latency)) or ends(self, d, latency)
    )
    assert all(map(np.array_equal, whole, batch.simulate_batch(schedule, models)))
    assert widths == [3, 3, 1]
    assert jittered(schedule, CostModel(), 0.1, 20, seed=3).makespan == varied.makespan


def test_a_batch_is_as_many_steps_as_the_longest_chain():
    """Not as many as there are slots, or scenarios."""
    one = batch.Batch(find("1f1b").generate(8, 64))
    assert one.schedule.n_slots == 1024
    assert len(one._bounds) - 1 == 2 * (64 + 8 - 1)


@pytest.mark.parametrize("latency", [0, 0.25])
@pytest.mark.parametrize("name", ["1f1b", "zbv", "dualpipe"])
def test_without_jitter_every_sample_is_the_schedule(name, latency):
    schedule, costs = find(name).generate(4, 8), CostModel(latency=latency)
    timeline = simulate(schedule, costs)
    found = jittered(schedule, costs, 0.0, 5)
    assert set(found.makespan) == {timeline.makespan}
    path = critical_path(timeline)
    work = np.bincount(
        schedule.slot_device[path.slots],
        (timeline.slot_end - timeline.slot_start)[path.slots],
        minlength=schedule.devices,
    )
    assert found.device_share == pytest.approx(work / timeline.makespan)
    assert sum(each.times for each in found.crossings) * latency == pytest.approx(path.transfer)


def test_the_share_of_a_device_is_what_its_times_do_to_the_makespan():
    """Against a difference quotient."""
    schedule = find("1f1b").generate(4, 16)
    uneven = [1.0, 1.3, 1.1, 1.2]
    costs = CostModel(F=uneven, I=uneven, W=uneven, latency=0.1)
    found = jittered(schedule, costs, 0.0, 1)
    makespan = simulate(schedule, costs).makespan
    for d in range(4):
        longer = [t * (1 + 1e-6 * (s == d)) for s, t in enumerate(uneven)]
        gain = simulate(schedule, CostModel(F=longer, I=longer, W=longer, latency=0.1)).makespan - makespan
        assert gain / makespan / 1e-6 == pytest.approx(found.device_share[d], abs=1e-5)


def test_a_seed_is_a_seed_and_jitter_only_costs():
    schedule = find("1f1b").generate(4, 16)
    one, same, other = (jittered(schedule, CostModel(), 0.1, 300, seed) for seed in (1, 1, 2))
    assert one == same
    assert one.makespan != other.makespan
    assert simulate(schedule).makespan < one.makespan.p50 <= one.makespan.p95 <= one.makespan.worst


@pytest.mark.parametrize(("jitter", "samples"), [(-0.1, 5), (1.5, 5), (float("nan"), 5), (0.1, 0)])
def test_numbers_that_make_no_sense(jitter, samples):
    with pytest.raises(CostError, match="must be"):
        jittered(find("1f1b").generate(2, 4), CostModel(), jitter, samples)


def test_what_would_take_hours_is_refused_before_it_begins():
    schedule = find("1f1b").generate(8, 1000)
    with pytest.raises(
        CostError, match="10000000 samples of 16000 slots take too long; give --samples 625000"
    ):
        jittered(schedule, CostModel(), 0.1, 10**7)


def test_a_schedule_that_cannot_run_is_refused():
    stuck = Schedule.from_rows("stuck", [[]])
    with pytest.raises(InvalidScheduleError):
        batch.Batch(stuck)


def test_the_command(capsys):
    given = ["analyze", "dualpipe", "--pp", "4", "--mb", "8", "--latency", "0.1", "--samples", "50"]
    assert run([*given, "--jitter", "5%", "--seed", "7", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["jitter"]
    assert (found["jitter"], found["samples"], found["seed"]) == (0.05, 50, 7)
    assert found["makespan"].keys() == {"mean", "p50", "p95", "worst"}
    assert len(found["device_share"]) == 4
    assert found["crossings"][0].keys() == {"from_device", "to_device", "times"}
    assert run([*given, "--jitter", "0.05", "--seed", "7"]) == 0
    text = capsys.readouterr().out
    assert "50 samples, seed 7" in text
    assert "matters most" in text
    assert run([*given, "--jitter", "x"]) == 2
    assert "such as 5% or 0.05; got 'x'" in capsys.readouterr().err
    assert run([*given, "--jitter", "5%", "--send", "rendezvous"]) == 2
    assert "varies compute alone" in capsys.readouterr().err
