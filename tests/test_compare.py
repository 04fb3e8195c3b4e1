"""The published table, and the fair one."""

import csv
import io

import pytest

from pipesched.compare import DEFAULT, Terms, compare, run_all, table
from pipesched.costs import CostModel
from pipesched.errors import CostError, UnknownScheduleError
from pipesched.generators import find
from pipesched.render.text.table import to_csv, to_markdown


def rows(equal, *, pp=8, mb=20, costs=None, names=DEFAULT):
    terms = Terms(pp, mb, costs or CostModel(), equal)
    made = table(run_all(names, terms), terms)
    return made, {row[0]: dict(zip(made.columns, row, strict=True)) for row in made.rows}


def test_equal_stages_reproduces_the_published_table():
    _, found = rows("stages", names=["1f1b", "zb1p", "dualpipe", "dualpipev"])
    keys = ("devices", "bubble", "formula", "params", "activations")
    assert {name: tuple(row[key] for key in keys) for name, row in found.items()} == {
        "1f1b": ("8", "21", "(PP-1)(F+B)", "1x", "8"),
        "zb1p": ("8", "7", "(PP-1)(F+B-2W)", "1x", "8"),
        "dualpipe": ("8", "6", "(PP/2-1)(F&B+B-3W)", "2x", "9"),
        "dualpipev": ("4", "6", "(PP/2-1)(F&B+B-3W)", "2x", "9"),
    }


def test_equal_devices_is_one_model_on_as_many_devices():
    made, found = rows("devices")
    makespans = {name: row["makespan"] for name, row in found.items()}
    assert makespans == {"gpipe": "81", "1f1b": "81", "zb1p": "67", "dualpipe": "66", "dualpipev": "67"}
    assert found["dualpipev"]["params"] == "1x"
    assert found["dualpipev"]["activations"] == "8.5"
    best = {(made.rows[r][0], made.columns[c]) for r, c in made.best}
    assert {
        ("dualpipe", "makespan"),
        ("dualpipe", "bubble"),
        ("1f1b", "activations"),
        ("zb1p", "activations"),
    } <= best
    assert ("dualpipe", "params") not in best


@pytest.mark.parametrize("equal", ["devices", "stages"])
@pytest.mark.parametrize("name", DEFAULT)
def test_the_formula_in_terms_of_pp_gives_the_bubble(name, equal):
    """The printed text, evaluated by Python, is the printed bubble."""
    _, found = rows(equal, costs=CostModel.of(F=2, I=2, W=2))
    text = found[name]["formula"].replace("F&B", "FB").replace(")(", ")*(")
    for digit in "23":
        for letter in ("PP", "FB", "F", "B", "W"):
            text = text.replace(f"{digit}{letter}", f"{digit}*{letter}")
    assert eval(text, {"PP": 8, "F": 2, "B": 4, "W": 2, "FB": 6}) == float(found[name]["bubble"])  # noqa: S307


def test_one_that_cannot_run_stays_with_the_reason():
    made, found = rows("devices", mb=21)
    assert found["dualpipe"]["makespan"] == "-"
    assert any(
        "dualpipe cannot run here: dualpipe needs an even number of micro-batches" in note
        for note in made.notes
    )
    assert found["dualpipev"]["makespan"] == "70"
    _, odd = rows("stages", pp=7, mb=20)
    assert odd["dualpipev"]["makespan"] == "-"


def test_lists_of_times_are_cut_with_the_model():
    """One heavy eighth of the model: DualPipeV has it in two halves on two stages of the same device."""
    _, found = rows("devices", costs=CostModel.of(F=[1] * 7 + [3]))
    assert float(found["1f1b"]["makespan"]) > 81
    assert float(found["dualpipev"]["makespan"]) > 67
    with pytest.raises(CostError, match="F has 3 entries; one per stage needs 8"):
        rows("devices", costs=CostModel.of(F=[1, 2, 3]), names=["1f1b"])


def test_fixed_schedules_compare_at_their_own_size():
    mine = find("zb1p").generate(4, 6).renamed("mine.csv")
    _, found = rows("devices", pp=4, mb=6, names=[mine, "1f1b"])
    assert float(found["mine.csv"]["makespan"]) < float(found["1f1b"]["makespan"])
    made, _ = rows("devices", pp=8, mb=6, names=[mine, "1f1b"])
    assert any("mine.csv is fixed at 4 devices, 4 stages, 6 micro-batches" in note for note in made.notes)


def test_an_unknown_name_is_an_error_not_a_row():
    with pytest.raises(UnknownScheduleError):
        compare(["1f1b", "nope"])


def test_csv_and_markdown():
    made, _ = rows("devices")
    read = list(csv.reader(io.StringIO(to_csv(made))))
    assert tuple(read[0]) == made.columns
    assert [tuple(row) for row in read[1:]] == list(made.rows)
    markdown = to_markdown(made).splitlines()
    assert markdown[0].count("|") == len(made.columns) + 1
    assert "| **66** |" in markdown[5]


def notes(made, start):
    return [note for note in made.notes if note.startswith(start)]


def test_what_is_not_exact_says_why_in_the_words_of_analyze():
    names = ["1f1b", "gpipe", "zb1p", "zbv"]
    made, _ = rows("devices", names=names, costs=CostModel.of(B=2.5, W=1.5, latency=0.125))
    latency = "exact only if latency = 0; here latency = 0.125 > 0"
    assert f"1f1b, gpipe: formula not exact here: {latency}" in made.notes
    [alone] = compare(["zb1p"], mb=20, costs=CostModel.of(B=2.5, W=1.5, latency=0.125))
    assert f"zb1p: formula not exact here: {alone.report.bubble.formula.why}" in made.notes
    [halves] = notes(made, "zbv: ")
    assert "here W = 0.75 > I = 0.5, latency" in halves
    assert halves.endswith("(times of its stages, 1/16 of the model)")
    exact, _ = rows("devices", names=names)
    assert not any("not exact" in note for note in exact.notes)


def test_conditions_of_equal_stages_are_about_a_schedules_own_devices():
    made, _ = rows("stages", names=["zb1p", "looped-bfs"], mb=3)
    assert notes(made, "zb1p: ")[0].endswith("here MB = 3 < PP = 8")
    assert notes(made, "looped-bfs: ")[0].endswith("here MB = 3 < PP = 4 (PP its 4 devices)")


@pytest.mark.parametrize("equal", ["devices", "stages"])
@pytest.mark.parametrize("built", [True, False])
def test_what_fits_a_memory_cap_is_what_holds_no_more(equal, built):
    names = [*DEFAULT, "zbv", "v-half", "interleaved-1f1b"]
    for cap in (2, 3, 4, 4.5, 5, 48):
        terms = Terms(4, 48, equal=equal, memory_cap=(cap,))
        entries = run_all(names, terms, timelines=built, least=0)
        assert built or any(each.unbuilt for each in entries)
        made = table(entries, terms)
        column = dict(zip(names, (row[made.columns.index("fits")] for row in made.rows), strict=True))
        held = {each.name: max(each.report.memory.peak_model_share) * 4 for each in entries if each.report}
        fits = {name: "yes" if most <= cap else "no" for name, most in held.items()}
        assert column == {name: fits.get(name, "-") for name in names}
        assert {note.split()[0] for note in made.notes if "does not fit" in note} == {
            name for name, word in fits.items() if word == "no"
        }


def test_over_a_cap_in_parts_of_the_model_or_of_its_own_stages():
    """DualPipeV's stages are halves of 1/PP: 17 of them are 8.5."""
    [entry] = compare(["dualpipev"], mb=20, memory_cap=8)
    assert len(entry.over_cap) == 8
    assert entry.over_cap[0].message.startswith("device 0 holds 8.5 activations of 1/8 of the model at ")
    [entry] = compare(["1f1b"], mb=20, memory_cap=[8, 7, 6, 5, 4, 3, 2, 0])
    assert [violation.device for violation in entry.over_cap] == [7]
    [entry] = compare(["1f1b"])
    assert entry.over_cap is None
