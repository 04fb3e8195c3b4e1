"""``pipesched watch``: drawn again after each change, errors in place of the chart, quiet at the end."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pipesched.cli.app import run
from pipesched.cli.look import Drawn, Look
from pipesched.cli.options import Moving, Problem
from pipesched.cli.output import console
from pipesched.cli.source import Asked
from pipesched.cli.watch import Watched, _draw, follow
from pipesched.errors import FormatError, PipeschedError

MINE = """\
from pipesched.program import F, B
from {helper} import warmup
def mine(p, d):
    return warmup(p, d) * [F] + (p.microbatches - warmup(p, d)) * [F, B] + warmup(p, d) * [B]
"""
HELPER = "def warmup(p, d):\n    return {warmup}\n"


class Done(Exception):  # noqa: N818
    pass


def followed(watched, draw, changes):
    """Follow through a list of changes; returns what was done, in order."""
    log, rest = [], iter(changes)

    def drawn():
        log.append("draw")
        draw()

    def pause():
        change = next(rest, None)
        if change is None:
            raise Done
        change()

    with pytest.raises(Done):
        follow(watched, drawn, lambda: log.append("clear"), pause)
    return log


@pytest.fixture(autouse=True)
def _bytecode(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


def touch(path, text):
    path.write_text(text)
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 1_000_000))


def test_drawn_again_after_every_change_and_only_then(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("0F0,0B0\n")
    seen = []
    log = followed(
        Watched(str(file)),
        lambda: seen.append(file.read_text() if file.exists() else None),
        [
            lambda: None,
            lambda: touch(file, "0F0,0F1,0B0,0B1\n"),
            lambda: None,
            file.unlink,
            lambda: touch(file, "0F0,0B0\n"),
        ],
    )
    assert log == ["clear", "draw"] * 4
    assert seen == ["0F0,0B0\n", "0F0,0F1,0B0,0B1\n", None, "0F0,0B0\n"]


def test_errors_stand_in_place_of_the_chart(tmp_path, capsys):
    file = tmp_path / "a.csv"
    file.write_text("x")

    def draw():
        raise PipeschedError(f"cannot read {file.read_text()}")

    log = followed(Watched(str(file)), draw, [lambda: touch(file, "y")])
    assert log == ["clear", "draw"] * 2
    assert capsys.readouterr().err == "error: cannot read x\nerror: cannot read y\n"


def test_a_users_module_and_what_it_imports_are_read_anew(tmp_path, capsys):
    file, helper = tmp_path / "mine.py", tmp_path / f"helper_{tmp_path.name.replace('-', '_')}.py"
    helper.write_text(HELPER.format(warmup="p.devices - 1 - d"))
    file.write_text(MINE.format(helper=helper.stem))
    name, look = f"{file}:mine", Look(width=100)
    watched = Watched(name)
    log = followed(
        watched,
        lambda: _draw(console(100), Asked([name], Problem(pp=4, mb=8), Moving(), []), Drawn(), look),
        [
            lambda: touch(helper, HELPER.format(warmup="p.microbatches    ")),
            lambda: touch(file, "def mine(p, d):\n    return 1 / 0\n"),
            lambda: touch(file, "def mine(p, d\n"),
        ],
    )
    assert log == ["clear", "draw"] * 4
    out, err = capsys.readouterr()
    assert [line.rstrip() for line in out.splitlines() if line.startswith("0 ")] == [
        "0 F0F1F2F3············B0  F4B1  F5B2  F6B3  F7B4  ··B5  ··B6  ··B7",
        "0 F0F1F2F3F4F5F6F7··················B0  B1  B2  B3  B4  B5  B6  B7",
    ]
    first, second = err.splitlines()
    assert "mine.py line 2, in mine: ZeroDivisionError: division by zero" in first
    assert "mine.py line 1" in second
    watched.forget()


def test_without_a_terminal_it_is_drawn_once(tmp_path, capsys):
    file = tmp_path / "a.csv"
    file.write_text("0F0,0B0\n1F0,1B0\n")
    assert run(["watch", str(file)]) == 0
    out = capsys.readouterr().out
    assert out.count("makespan") == 1
    file.write_text("0F0\n")
    assert run(["watch", str(file)]) == 2


@pytest.mark.parametrize("text", ["1f1b", "nope.csv", "nope.py:mine"])
def test_only_files_can_be_watched(text, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match="nothing to watch: there is no file"):
        Watched(text)


def test_ctrl_c_ends_it_quietly_with_130(tmp_path):
    pty = pytest.importorskip("pty")
    file = tmp_path / "a.csv"
    file.write_text("0F0,0B0\n1F0,1B0\n")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pipesched", "watch", str(file)]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, text=True) as process:
        os.close(theirs)
        shown, end = "", time.monotonic() + 20
        while "activations" not in shown and time.monotonic() < end:
            shown += os.read(ours, 65536).decode(errors="replace")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    os.close(ours)
    assert "makespan" in shown
    assert (process.returncode, err) == (130, "")
