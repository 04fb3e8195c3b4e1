"""``pipesched show`` as a command: several schedules, its options, the pager."""

import os
import re
import subprocess
import sys

import pytest

from pipesched.cli.app import run
from pipesched.cli.several import split
from pipesched.compare import compare


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
        ("x", "--memory-cap must be a number such as 4e6, 4M or 4Mi, or a comma list of them; got 'x'"),
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


@pytest.mark.parametrize("pager", ["cat -n", "/no/such/pager", "true"])
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
