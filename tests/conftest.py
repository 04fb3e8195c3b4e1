"""Shared by all tests: the data, and random schedules that can run."""

import signal
from pathlib import Path

import pytest
from visits import Visit, example, launched

from pipesched.cli.app import run

DATA = Path(__file__).parent / "data"

# Programs that tests start inherit what is ignored: under nohup, or in the background of a script, they would
# not notice the signals that tests send.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def data() -> Path:
    return DATA


@pytest.fixture
def cli(capsys, monkeypatch):
    """Run in this process; returns (exit code, stdout, stderr)."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(*arguments):
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(scope="module")
def browser():
    with launched() as started:
        yield started


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return example(tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="module", params=[1280, 1920])
def visit(request, browser, document):
    opened = Visit(browser, document, request.param)
    yield opened
    assert opened.complaints == []
    opened.context.close()


@pytest.fixture
def fresh(browser, document):
    opened = Visit(browser, document)
    yield opened
    assert opened.complaints == []
    opened.context.close()
