"""What reaches the terminal: text from outside, notes and errors, whatever the streams are."""

import json
import os
import subprocess
import sys

import pytest

ROWS = [["0F0", "0B0"], ["1F0", "1B0"]]
ODD = "a\x1b[31m\nb\u202e<i>|*x*\udce9"
SHOWN = r"a\x1b[31m\nb\u202e<i>|*x*\udce9"


@pytest.fixture
def cli(cli, tmp_path, monkeypatch):
    """The same in a directory of its own."""
    monkeypatch.chdir(tmp_path)
    return cli


@pytest.fixture
def odd_file(tmp_path):
    text = json.dumps({"format": "pipesched", "version": 1, "name": ODD, "costs": {"unit": ODD}, "ops": ROWS})
    (tmp_path / "odd.json").write_text(text)
    return "odd.json"


@pytest.mark.parametrize(
    "command",
    ["show odd.json", "show odd.json odd.json", "view odd.json", "analyze odd.json", "explain odd.json --op 0F0",
     "compare odd.json --pp 2", "compare odd.json --csv", "validate odd.json", "diff odd.json gpipe",
     "show gpipe --unit", "analyze gpipe --unit", "show gpipe --unit nope.json"],
)  # fmt: skip
@pytest.mark.usefixtures("odd_file")
def test_nothing_odd_reaches_the_terminal(cli, command):
    words = command.split()
    code, out, err = cli(*words, *([ODD] if words[-1] == "--unit" else []))
    assert code in (0, 1)
    for line in (out + err).split("\n"):
        assert line.isprintable(), line


def test_odd_names_are_shown_as_escapes(cli, odd_file):
    assert f"{SHOWN}: 2 devices" in cli("analyze", odd_file)[1]
    assert f"makespan     6 {SHOWN}" in cli("analyze", odd_file)[1]
    assert json.loads(cli("analyze", odd_file, "--json")[1])["schedule"] == SHOWN
    assert cli("validate", ODD)[2].startswith(f"error: no schedule is called {ODD!r}")
    out = cli("compare", odd_file, "--pp", "2", "--markdown")[1]
    assert r"| a\\x1b\[31m\\nb\\u202e\<i\>\|\*x\*\\udce9 | 2 |" in out


@pytest.mark.parametrize("suffix", [".json", ".csv", ".svg", ".pdf", ".png", ".trace.json", ".html"])
def test_odd_names_are_written_to_every_format(cli, odd_file, tmp_path, suffix):
    path = f"out{suffix}"
    command = ["report", odd_file, "--no-summary"] if suffix == ".html" else ["export", odd_file]
    code, _, err = cli(*command, "-o", path)
    assert (code, err) == (0, f"wrote {path}\n")
    if suffix in (".svg", ".html"):
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert not [odd for odd in ("\x1b", "\u202e", "<i>|") if odd in text]


def test_odd_file_names(cli, tmp_path):
    odd = os.fsdecode(b"caf\xe9\x1b[1m\n.csv")
    (tmp_path / odd).write_text("0F0,0B0\n1F0,1B0\n")
    shown = r"caf\udce9\x1b[1m\n.csv"
    assert cli("validate", odd)[1] == f"{shown}: valid (2 devices, 2 stages, 1 micro-batch, 4 ops)\n"
    assert cli("show", odd)[0] == 0
    code, _, err = cli("export", odd, "-o", "x" + odd)
    assert (code, err) == (0, f"wrote x{shown}\n")
    assert cli("report", odd, "-o", "x.html")[0] == 0
    assert cli("validate", "no" + odd)[2] == f"error: cannot read no{shown}: no such file or directory\n"


def spawn(arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pipesched", *arguments.split()],
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_data_on_standard_output_is_utf_8_whatever_it_takes():
    ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    small = "1f1b --pp 2 --mb 2 --unit µs"
    for command in (f"report {small} -o -", f"export {small} -o - --format json"):
        done = spawn(command, **ascii_only)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout == spawn(command).stdout
    assert "µs" in json.loads(done.stdout)["costs"]["unit"]


@pytest.mark.parametrize(
    "command", ["show", "analyze", "compare", "compare --markdown", "compare --csv", "explain --op 0F0"]
)
def test_text_on_an_ascii_output_is_escaped(command):
    name, *rest = command.split()
    done = spawn(
        f"{name} 1f1b --pp 2 --mb 2 --unit µs {' '.join(rest)}", LC_ALL="C", PYTHONIOENCODING="ascii"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if not rest or rest == ["--op", "0F0"]:  # typer's own printing takes UTF-8 for ASCII
        assert done.stdout.isascii()
        assert rb"\xb5s" in done.stdout


def test_notes_come_with_success_only_and_once(cli, tmp_path):
    (tmp_path / "old.csv").write_text("0F0,0B0,0W0\n1F0,1B0,1W0\n")
    code, _, err = cli("show", "old.csv", "old.csv")
    assert code == 0
    assert err.startswith("note: old.csv: B is read as the backward for the input (I)")
    assert err.count("\n") == 1
    (tmp_path / "old.csv").write_text("0F0,0B0,0W0\n1B0,1F0,1W0\n")
    code, _, err = cli("show", "old.csv")
    assert code == 2
    assert err.startswith("error: old.csv cannot run: ")
    assert err.count("\n") == 1
    code, _, err = cli("validate", "old.csv")  # this one is about what is wrong, so the note helps
    assert (code, err.count("note: ")) == (1, 1)


LONG = "x" * 300


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", LONG], f"no schedule is called '{LONG[:57]}...'; known are "),
        (["show", LONG + ".csv"], f"cannot read {LONG}.csv: file name too long"),
        (["show", LONG + "/x"], f"cannot read {LONG}/x: no such file"),
        (["show", LONG + ".py:f"], f"cannot read {LONG}.py: file name too long"),
        (["show", "loop.csv"], "cannot read loop.csv: too many levels of symbolic links"),
        (["show", "loop.py:f"], "cannot read loop.py: too many levels of symbolic links"),
        (["show", "lost.csv"], "cannot read lost.csv: no such file or directory"),
        (["show", "dir.csv"], "cannot read dir.csv: is a directory"),
        (["show", "dir.py:f"], "cannot read dir.py: is a directory"),
        (["show", "./dir.d"], "cannot read ./dir.d: is a directory"),
        (["show", "1f1b", "--costs", LONG], f"cannot read {LONG}: file name too long"),
        (["show", "1f1b", "--costs", "dir.csv"], "cannot read costs from dir.csv: they are read from .json and .toml"),
        (["export", "1f1b", "-o", LONG + ".csv"], f"cannot write {LONG}.csv: file name too long"),
        (["export", "1f1b", "-o", LONG + ".svg"], f"cannot write {LONG}.svg: file name too long"),
        (["export", "1f1b", "-o", "dir.csv"], "cannot write dir.csv: it is a directory"),
        (["export", "1f1b", "-o", "loop.csv"], "cannot write loop.csv: too many levels of symbolic links"),
        (["export", "1f1b", "-o", "lost.csv"], "cannot write lost.csv: no such file or directory"),
        (["export", "1f1b", "-o", "none/x.csv"], "cannot write none/x.csv: there is no directory none"),
        (["report", "1f1b", "-o", LONG], f"cannot write {LONG}: file name too long"),
        (["report", "1f1b", "-o", ""], "cannot write .: it is a directory"),
    ],
)  # fmt: skip
def test_places_that_cannot_be_read_or_written(cli, tmp_path, arguments, sentence):
    (tmp_path / "lost.csv").symlink_to("nowhere/x.csv")
    for suffix in ("csv", "py", "d"):
        (tmp_path / f"loop.{suffix}").symlink_to(f"loop.{suffix}")
        (tmp_path / f"dir.{suffix}").mkdir()
    before = sorted(tmp_path.rglob("*"))
    code, out, err = cli(*arguments, "--pp", "2")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {sentence}")
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("columns", ["0", "1", "-5", "abc"])
@pytest.mark.parametrize("command", ["show", "analyze", "compare", "explain --op 0F0"])
def test_odd_widths(command, columns):
    name, *rest = command.split()
    done = spawn(f"{name} 1f1b --pp 2 --mb 2 {' '.join(rest)}", COLUMNS=columns, LINES=columns)
    assert (done.returncode, done.stderr) == (0, b"")
    assert max(map(len, done.stdout.decode().splitlines())) >= 15


@pytest.mark.parametrize("command", ["compare", "report -o x.html", "show", "analyze"])
def test_a_file_without_ops(cli, tmp_path, command):
    (tmp_path / "x.csv").write_text("0SEND_F0\n")
    name, *rest = command.split()
    assert cli(name, "x.csv", *rest) == (2, "", "error: x.csv cannot run: the schedule has no ops\n")


@pytest.mark.parametrize("word", ["hanayo", "wave", "x.csv", "mine.py:f", "interleaved-1f1b,chunks=4"])
def test_a_schedule_in_place_of_a_command(cli, word):
    told = f"error: {word} is a schedule, not a command: try 'pipesched show {word}'\n"
    assert cli(word, "--pp", "4") == (2, "", told)


@pytest.mark.parametrize("command", ["hanayoo", "sho", "x.py", "."])
def test_what_is_neither(cli, command):
    code, _, err = cli(command)
    assert code == 2
    assert err.startswith(f"error: No such command '{command}'")


@pytest.mark.parametrize("streams", ["2>/dev/full >/dev/full", "2>&- >&- <&-", "2>&-", ">/dev/full 2>&1"])
@pytest.mark.parametrize("arguments", ["show 1f1b", "show none", "dualpipe", "analyze dualpipe --fb 1.5"])
def test_streams_that_are_full_or_closed_end_without_a_traceback(streams, arguments):
    line = f"{sys.executable} -m pipesched {arguments} {streams}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stdout + done.stderr
