"""Progress: told to whoever listens, drawn only on a terminal and only of what takes long."""

import io
import sys
import threading
import time

import pytest

from pipesched.cli.progress import progress
from pipesched.compare import compare
from pipesched.progress import listening, track


class Terminal(io.StringIO):
    def isatty(self):
        return True


def as_terminal(monkeypatch):
    """In the test itself: pytest puts its own stderr in place after the fixtures."""
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    return stderr


def wait_for_output(terminal):
    end = time.monotonic() + 10
    while not terminal.getvalue() and time.monotonic() < end:
        time.sleep(0.01)


def test_a_listener_hears_every_step_and_the_end():
    heard = []
    with listening(lambda *step: heard.append(step)):
        assert list(track("ab", "letters")) == ["a", "b"]
    assert heard == [("letters", 0, 2), ("letters", 1, 2), ("letters", 2, 2)]
    assert list(track("ab", "letters")) == ["a", "b"]
    assert len(heard) == 3


def test_compare_says_how_many_schedules_have_run():
    heard = []
    with listening(lambda *step: heard.append(step)):
        compare(["gpipe", "1f1b"], pp=2, mb=4)
    assert [step[1:] for step in heard] == [(0, 2), (1, 2), (2, 2)]


def test_nothing_is_drawn_of_what_is_quick(monkeypatch):
    terminal = as_terminal(monkeypatch)
    threads = threading.active_count()
    with progress("running 1f1b"):
        list(track(range(1000), "steps"))
    assert terminal.getvalue() == ""
    assert threading.active_count() <= threads + 1


def test_a_bar_appears_in_time_and_leaves_no_trace(monkeypatch):
    terminal = as_terminal(monkeypatch)
    with progress("running 1f1b", patience=0.0):
        for _ in track(range(3), "running schedules"):
            wait_for_output(terminal)
    shown = terminal.getvalue()
    assert "running schedules" in shown
    assert "━" in shown
    assert shown.endswith("\x1b[2K")


def test_no_bar_without_a_terminal(capsys):
    with progress("running 1f1b", patience=0.0):
        threading.Event().wait(0.05)
    assert capsys.readouterr() == ("", "")


def test_errors_pass_and_end_the_bar(monkeypatch):
    terminal = as_terminal(monkeypatch)

    def fail():
        with progress("running 1f1b", patience=0.0):
            wait_for_output(terminal)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert threading.active_count() < 5
    assert "running 1f1b" in terminal.getvalue()
