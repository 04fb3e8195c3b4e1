"""The schedule files that come with the project: right ones run, wrong ones say what is wrong."""

from pathlib import Path

import pytest

from pipesched import analyze, generate, load, validate
from pipesched.errors import PipeschedWarning

SCHEDULES = Path(__file__).parents[1] / "schedules"
WRONG = {
    "deadlock_4x4.csv": "deadlock: 2F2 (device 2) waits for 1F2, which device 1 runs after 1B0; "
    "1B0 waits for 2B0, which device 2 runs after 2F2"
}
OLD_LETTERS = "zero_bubble_letters_2x2.csv"
FILES = sorted(file.name for file in SCHEDULES.iterdir() if file.suffix != ".md")


def loaded(name):
    return load(SCHEDULES / name, dialect="b-input" if name == OLD_LETTERS else "auto")


@pytest.mark.parametrize("name", FILES)
def test_every_file_loads_and_is_what_it_says(name):
    found = [violation.message for violation in validate(loaded(name).schedule)]
    assert found == ([WRONG[name]] if name in WRONG else [])


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_the_size_in_its_name_and_is_documented(name):
    schedule = loaded(name).schedule
    assert name.rsplit(".")[0].endswith(f"_{schedule.devices}x{schedule.microbatches}")
    assert f"({name})" in (SCHEDULES / "README.md").read_text(encoding="utf-8")


def test_1f1b_by_hand_is_the_generated_one():
    assert loaded("1f1b_4x8.csv").schedule == generate("1f1b", pp=4, mb=8)


def test_dualpipe_is_the_published_figure():
    schedule, costs, _ = loaded("dualpipe_8x20.json")
    assert schedule == generate("dualpipe", pp=8, mb=20)
    report = analyze(schedule, costs)
    assert (report.makespan, report.bubble.idle) == (66.0, 8 * [6.0])
    assert report.bubble.formula.exact


def test_uneven_stages_run_with_the_times_of_their_file():
    schedule, costs, _ = loaded("uneven_4x8.json")
    assert schedule.placement.stages == ((0,), (1, 2), (3, 4), (5,))
    # 8 micro-batches through the slowest device (6 each), the way there and the way back.
    down, back = 1.5 + 2 + 2, 4 + 4 + 2.5
    assert analyze(schedule, costs).makespan == 8 * 6 + down + back


def test_the_zero_bubble_letters_are_known_and_told():
    with pytest.warns(PipeschedWarning, match="B is read as the backward for the input"):
        schedule = load(SCHEDULES / OLD_LETTERS).schedule
    assert schedule == loaded(OLD_LETTERS).schedule
