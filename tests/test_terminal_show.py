"""``pipesched show`` as a command: several schedules, its options, the pager."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pipesched.cli.app import run
from pipesched.cli.source import split
from pipesched.compare import compare
from pipesched.generators import size

SCHEDULES = Path(__file__).parent.parent / "schedules"


@pytest.fixture
def show(capsys, monkeypatch):
    def call(*arguments):
        code = run(["show", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    monkeypatch.setenv("COLUMNS", "120")
    return call


def test_several_schedules_stand_on_one_axis_over_one_table(show):
    code, out, err = show("dualpipe", "zb1p", "1f1b", "--pp", "8", "--mb", "20")
    assert (code, err) == (0, "")
    assert [line.split(":")[0] for line in out.splitlines() if "; time in F" in line] == [
        "dualpipe",
        "zb1p",
        "1f1b",
    ]
    assert "3 schedules on one time axis" in out
    table = dict(re.findall(r"^(dualpipe|zb1p|1f1b) +8 +8 +(\d+) ", out, re.MULTILINE))
    assert table == {"dualpipe": "66", "zb1p": "67", "1f1b": "81"}
    assert "--equal" not in out


def test_costs_are_per_stage_and_a_note_says_so(show):
    _, out, _ = show("dualpipev", "1f1b", "--pp", "4", "--mb", "10")
    assert "costs are per stage, and there are 4 and 8 stages: --equal devices compares one model" in out
    assert "66" in out


@pytest.mark.parametrize("equal", ["devices", "stages"])
def test_equal_is_that_of_compare(show, equal):
    code, out, _ = show("dualpipev", "1f1b", "--pp", "4", "--mb", "10", "--equal", equal)
    assert code == 0
    for entry in compare(["dualpipev", "1f1b"], pp=4, mb=10, equal=equal):
        makespan = f"{entry.report.makespan:g}"
        assert re.search(rf"^{entry.name} +\d+ +\d+ +{makespan}\b", out, re.MULTILINE)
        assert f"{makespan}▕" in out


def test_one_that_cannot_run_is_told_under_the_others(show):
    code, out, _ = show("dualpipe", "1f1b", "--pp", "7", "--mb", "14", "--equal", "devices")
    assert code == 0
    assert "dualpipe cannot run here: dualpipe needs an even number of devices" in " ".join(out.split())


def test_a_schedules_own_options_are_no_schedules(show):
    assert split(["a", "--group", "4", "b", "--x=3"]) == (["a", "b"], ["--group", "4", "--x=3"])
    code, out, _ = show("interleaved", "--group", "4", "--pp", "4", "--mb", "8")
    assert code == 0
    assert out.startswith("interleaved-1f1b: ")


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--critical"], "on the critical path"),
        (["--memory"], "activations held (freed at W), full height = 4"),
        (["--memory", "--free-at", "0.5"], "activations held (50 % freed at I, the rest at W)"),
        (["--memory-cap", "3"], "cap 3: exceeded on device 0"),
        (["--wrap", "--width", "40"], "19▕"),
        (["--color-by", "slack"], "F forward"),
        (["--pager"], "makespan"),
    ],
)
def test_options(show, option, told):
    code, out, err = show("1f1b", "--pp", "4", "--mb", "8", *option)
    assert (code, err) == (0, "")
    assert told in out


@pytest.mark.parametrize(
    ("cap", "sentence"),
    [
        (
            "x",
            "--memory-cap must be a number of activations such as 8, or a comma list of one per device; got 'x'",
        ),
        ("-1", "a memory cap must be 0 or more; got -1"),
        ("inf", "a memory cap must be 0 or more; got inf"),
        ("1,2", "the memory cap has 2 entries; one per device needs 4, or give one number for all"),
    ],
)
@pytest.mark.parametrize("command", ["show", "analyze", "validate", "report"])
def test_bad_caps(capsys, tmp_path, command, cap, sentence):
    """Whichever command is asked."""
    more = ["-o", str(tmp_path / "r.html")] if command == "report" else []
    code = run([command, "1f1b", "--pp", "4", "--mb", "8", "--memory-cap", cap, *more])
    assert code == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("pager", ["cat -n", "/no/such/pager", "true", "'"])
def test_the_pager_gets_it_all_with_colors(pager):
    """On a terminal; where there is no pager, or it leaves early, all is well, too."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PAGER": pager, "COLUMNS": "80", "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "pipesched", "show", "1f1b", "--pp", "4", "--mb", "8", "--pager"]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            shown += part
        _, err = process.communicate(timeout=30)
    os.close(ours)
    assert (process.returncode, err) == (0, b"")
    if pager != "true":
        assert b"makespan" in shown
        assert b"\x1b[" in shown
    if pager.startswith("cat"):
        assert b"     1\t1f1b: 4 devices" in shown


# --- too long to draw ------------------------------------------------------------------------------


def test_millions_of_ops_are_drawn_in_part_with_the_numbers_of_all(show):
    code, out, err = show("1f1b", "--pp", "8", "--mb", "1000000")
    assert (code, err) == (0, "")
    assert "… 999,984 micro-batches, 2,999,952 F …" in out
    assert "--from and --to show any time, --whole all 16,000,000 ops" in " ".join(out.split())
    assert "makespan     3,000,021 F" in out


def test_any_size_is_drawn_in_part_if_asked(show):
    _, out, _ = show("zb1p", "--pp", "4", "--mb", "100", "--excerpt")
    _, whole, _ = show("zb1p", "--pp", "4", "--mb", "100", "--whole")
    assert "micro-batches, 2" in out.splitlines()[1]
    assert "an excerpt" not in whole
    numbers = re.compile(r"^(?:bubble|formula|peak|parameters|activations) .*$", re.MULTILINE)
    assert numbers.findall(out) == numbers.findall(whole)


def test_a_window_shows_what_the_excerpt_leaves_out(show):
    """Also between two windows of the same schedule that can be built."""
    _, out, err = show(
        "1f1b", "--pp", "4", "--mb", "1000000", "--from", "1500000", "--to", "1500024", "--ascii"
    )
    assert err == ""
    assert "an excerpt" not in out
    assert "499999" in out
    _, small, _ = show("1f1b", "--pp", "4", "--mb", "1000", "--from", "1500", "--to", "1524", "--ascii")
    ours, theirs = ([line for line in each.splitlines() if line[:2] in ("0 ", "3 ")] for each in (out, small))
    assert [re.sub("[0-9 ]", "", line) for line in ours] == [re.sub("[0-9 ]", "", line) for line in theirs]


def test_a_window_with_too_much_in_it_has_a_break_of_its_own(show):
    _, out, _ = show("1f1b", "--pp", "4", "--mb", "10000000", "--from", "300", "--to", "20000000")
    assert "▏300" in out
    assert "20000000▕" in out
    assert "micro-batches, 19,999," in out


def test_several_are_broken_alike(show):
    for equal in ([], ["--equal", "devices"]):
        code, out, err = show("1f1b", "zb1p", "--pp", "8", "--mb", "1000000", *equal)
        assert (code, err) == (0, "")
        assert len(set(re.findall("… .* micro-batches, .* F …", out))) == 1
        assert re.search(r"^zb1p +8 +8 +3,000,007 ", out, re.MULTILINE)


@pytest.mark.parametrize("option", [["--critical"], ["--color-by", "slack"]])
def test_what_needs_every_op_says_so(show, option):
    code, _, err = show("1f1b", "--pp", "8", "--mb", "1000000", *option)
    assert code == 2
    assert f"{' '.join(option)} needs every op of 1f1b, and its 16,000,000 were not built" in err


@pytest.mark.parametrize(
    "given", [["1f1b", "--mb", "10"], [str(SCHEDULES / "dualpipe_8x20.json")], ["1f1b", "--comm", "async"]]
)
def test_where_nothing_is_proven_all_is_drawn(show, given):
    code, out, err = show(*given, "--excerpt")
    assert code == 0
    assert "no repetition is proven at this size, so everything is drawn" in err
    assert "micro-batches," not in out.splitlines()[1]


@pytest.mark.parametrize(
    "command", ["show --whole", "show --comm async", "show --whole --equal devices", "view"]
)
def test_what_does_not_fit_is_refused_before_it_is_built(capsys, monkeypatch, command):
    monkeypatch.setattr(size, "_free", lambda: 2**27)
    command, *option = command.split()
    assert run([command, "1f1b", "--pp", "8", "--mb", "1000000", *option]) == 2
    err = capsys.readouterr().err
    assert err.startswith(
        "error: 1f1b with 1000000 micro-batches on 8 devices does not fit in memory, and its "
    )
    assert err.endswith("; the largest size that fits is --mb 16777\n")


def test_of_very_many_devices_some_are_drawn(show):
    code, out, err = show("1f1b", "--pp", "600", "--mb", "1")
    lanes = [line.split()[0] for line in out.splitlines() if re.match(" *[0-9]+ [·F]", line)]
    assert (code, lanes) == (0, [str(device) for device in range(0, 600, 3)])
    assert "of 600 devices one in 3 is drawn\n" in out
    assert err == "note: of 600 devices one in 3 is drawn; --devices 0-599 draws all\n"
    code, out, err = show("1f1b", "--pp", "600", "--mb", "1", "--devices", "0-599")
    assert (code, err) == (0, "")
    assert out.count("·\n") > 500
    assert "one in" not in out


def test_of_very_many_devices_excerpts_draw_some_too(show):
    code, out, err = show("1f1b", "--pp", "300", "--mb", "3000", "--excerpt")
    assert code == 0
    assert len(re.findall("[╱╲]", out)) == 150  # noqa: RUF001
    assert err == "note: of 300 devices one in 2 is drawn; --devices 0-299 draws all\n"


def test_activations_have_breaks_too(show):
    _, out, _ = show("gpipe", "--pp", "4", "--mb", "2000000", "--memory-cap", "5", "--ascii")
    assert "cap 5: exceeded on device 0, 1, 2, 3" in out
    assert (
        sum(line.count("/") + line.count("\\") for line in out.splitlines() if line[:2] in ("  ", "0 ")) >= 10
    )


def test_parts_of_one_model_are_held_in_equal_units(show):
    """V-Half holds 18 of its half stages, 9 in the units of 1F1B's 16, and has room for them."""
    code, out, _ = show("1f1b", "v-half", "--pp", "16", "--equal", "devices", "--memory-cap", "12")
    told = out[out.index("v-half:   ") :]
    assert code == 0
    assert "in 1/16 of the model), full height = 12   peak 9\ncap 12: held by every device" in told
    code, out, _ = show("v-half", "--pp", "16", "--memory-cap", "12")
    assert "peak 18" in out
    assert "exceeded on device 0" in out
