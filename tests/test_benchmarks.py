"""The benchmarks run: every step on every schedule, and the tables find their place."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import growth, measure, tables  # noqa: E402
from benchmarks.cases import SCHEDULES, SIZES, Case, sized  # noqa: E402
from benchmarks.steps import STEPS, Made  # noqa: E402


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("step", STEPS)
def test_every_step_runs_on_every_schedule(step, name):
    made = Made(Case(name, 4, 8))
    assert STEPS[step].run(STEPS[step].given(made)) is not None


@pytest.mark.parametrize("name", SCHEDULES)
def test_sizes_are_about_what_was_asked_for(name):
    assert sized(name, 1000).generate().n_ops == pytest.approx(1000, rel=0.35)
    assert sized(name, 10**4).generate().n_ops == pytest.approx(10**4, rel=0.1)


def test_growth_is_per_op(monkeypatch):
    monkeypatch.setattr(measure, "once", lambda _, made: float(made.schedule.n_ops))
    few, more = Made(Case("1f1b", 2, 4)), Made(Case("1f1b", 2, 12))
    assert measure.growth_of(STEPS["generate"], few, more) == 2


def test_the_command_measures_a_part():
    command = [sys.executable, "-m", "benchmarks", "csv", "--ops", "1e3"]
    done = subprocess.run([*command, "--schedules", "1f1b"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    _, title, _, head, _, row = done.stdout.split("\n")[:6]
    assert (title, head.split()[1:5]) == ("steps at 1000 ops", ["schedule", "|", "csv", "|"])
    assert float(row.split("|")[2]) > 0


def test_the_command_knows_its_steps():
    done = subprocess.run([sys.executable, "-m", "benchmarks", "x"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "'x' is none of generate, dependencies, " in done.stderr


def test_tables_find_their_place(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- measured t -->\nold\n<!-- end t -->\nb\n", encoding="utf-8")
    table = tables.Table("t", ("name", "x"), [("one", "1"), ("two", "22")])
    for _ in range(2):
        tables.write([table], page)
        assert page.read_text(encoding="utf-8") == (
            "a\n<!-- measured t -->\n"
            "| name |  x |\n| ---- | -: |\n| one  |  1 |\n| two  | 22 |\n"
            "<!-- end t -->\nb\n"
        )
    with pytest.raises(KeyError, match=r"page.md has no place for 'u'"):
        tables.write([table._replace(title="u")], page)


def test_the_page_has_a_place_for_every_table():
    titles = [*(f"steps at {ops} ops" for ops in SIZES), "peak memory", "commands"]
    titles += [f"growth in {axis}" for axis in growth.AXES]
    page = tables.PAGE.read_text(encoding="utf-8")
    for title in titles:
        assert f"<!-- measured {title} -->" in page
        assert f"<!-- end {title} -->" in page
