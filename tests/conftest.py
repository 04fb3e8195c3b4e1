"""Shared by all tests: the data, and random schedules that can run."""

import signal
from pathlib import Path

import pytest

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
