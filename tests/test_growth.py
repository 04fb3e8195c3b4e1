"""Twice the slots are at most 2.2 times the work, in micro-batches and in devices: lines run are counted, not time.

A line of numpy is one, whatever its columns hold; that those are linear is what the benchmarks show.
"""

import sys
import warnings
from pathlib import Path

import pytest

import pipesched
from pipesched.analysis import report
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.formats import json_file, torch_csv, trace
from pipesched.generators import recipes
from pipesched.simulate import simulate
from pipesched.transport import Mode, Transport

PACKAGE = str(Path(pipesched.__file__).parent)
#: (devices, micro-batches) and twice that. Devices are even and a multiple of 3: V-schedules differ otherwise.
GROWTHS = {
    "micro-batches": ((12, 48), (12, 96)),
    "devices": ((12, 48), (24, 48)),
    "devices, one micro-batch": ((192, 1), (384, 1)),
}
STEPS = {
    "simulate": simulate,
    "transfers": lambda schedule: simulate(schedule, transport=Transport(Mode("blocking"))),
    "analyse": lambda schedule: report(simulate(schedule)),
    "csv": lambda schedule: list(torch_csv.write(schedule)),
    "json": lambda schedule: list(json_file.write(schedule, CostModel())),
    "trace": lambda schedule: list(trace.write(schedule, CostModel())),
}


def lines_run(function, *given):
    """How many lines of the package a call runs."""
    count = 0

    def in_frame(_frame, event, _):
        nonlocal count
        count += event == "line"
        return in_frame

    def tracer(frame, _event, _):
        return in_frame if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        function(*given)
    finally:
        sys.settrace(before)
    return count


def generated(recipe, size):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return recipe.generate(*size)


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
def test_schedules_are_generated_in_time_linear_in_their_slots(recipe, growth):
    few, more = GROWTHS[growth]
    try:
        slots = [generated(recipe, size).n_slots for size in (few, more)]
    except ShapeError:
        pytest.skip("does not run at this size")
    lines = [lines_run(generated, recipe, size) for size in (few, more)]
    assert lines[1] / lines[0] <= 1.1 * slots[1] / slots[0]


@pytest.mark.parametrize("growth", GROWTHS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", ["1f1b", "zbv", "dualpipe"])
def test_every_step_is_linear_in_slots(name, step, growth):
    recipe = next(recipe for recipe in recipes() if recipe.name == name)
    try:
        schedules = [generated(recipe, size) for size in GROWTHS[growth]]
    except ShapeError:
        pytest.skip("does not run at this size")
    lines = [lines_run(STEPS[step], schedule) for schedule in schedules]
    assert lines[1] / lines[0] <= 1.1 * schedules[1].n_slots / schedules[0].n_slots


def test_a_slot_is_looked_at_three_times_at_most():
    """When it runs, and when a device was stopped at it: a few lines each."""
    from pipesched.validate.deadlock import run

    for recipe in recipes():
        schedule = generated(recipe, (8, 32))
        _ = schedule.awaited, schedule.first_slot
        assert lines_run(run, schedule) <= 3 * 9 * schedule.n_slots
