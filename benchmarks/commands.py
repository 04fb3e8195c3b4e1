"""Whole commands, each beside its reference in turn, so that both see the same machine."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import in_child
from benchmarks.tables import Table

RUNS = 9
_PYTHON = (sys.executable, "-c")
_IMPORT = (*_PYTHON, "import numpy, typer, rich")
_NOTHING = (*_PYTHON, "pass")


class Command(NamedTuple):
    """A whole process and what it is held against; the ratio to stay under, and the memory in MB."""

    arguments: str
    aim: float
    reference: tuple[str, ...] = _IMPORT
    megabytes: int | None = None


#: Adding a command is one line.
COMMANDS = (
    Command("analyze 1f1b --pp 64 --mb 8192", 5.0, megabytes=400),
    Command("analyze 1f1b --pp 32 --mb 1024", 1.8),
    Command("show 1f1b --pp 64 --mb 8192", 6.0),
    Command("show dualpipe --pp 8 --mb 20", 1.5),
    Command("analyze 1f1b --pp 64 --mb 1000000", 5.0),
)


def tables() -> Iterator[Table]:
    """One table: the median of the ratios, and the peak memory."""
    with tempfile.TemporaryDirectory() as cache:
        # A command as installed is compiled once; here that goes to a place of its own.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        rows = [_row(command, environment) for command in COMMANDS]
    head = ("command", "ratio", "aim", "least", "most", "seconds", "reference", "peak MB", "aim MB")
    yield Table("commands", head, rows)


def _row(command: Command, environment: dict[str, str]) -> tuple[str, ...]:
    process = (sys.executable, "-m", "pipesched", *command.arguments.split())
    for warm_up in (process, command.reference):
        in_child(_run, warm_up, environment)
    runs = [
        (in_child(_run, process, environment), in_child(_run, command.reference, environment))
        for _ in range(RUNS)
    ]
    ratios = sorted(ours[0] / theirs[0] for ours, theirs in runs)
    seconds = [statistics.median(run[side][0] for run in runs) for side in (0, 1)]
    peak = max(ours[1] for ours, _ in runs)
    aim = "" if command.megabytes is None else str(command.megabytes)
    times = (f"{statistics.median(ratios):.2f}", f"{command.aim}", f"{ratios[0]:.2f}", f"{ratios[-1]:.2f}")
    return (f"`{command.arguments}`", *times, *(f"{each:.3f}" for each in seconds), f"{peak:.0f}", aim)


def _run(process: tuple[str, ...], environment: dict[str, str]) -> tuple[float, float]:
    """Wall seconds and peak MB; in a child of its own, whose only child it is."""
    start = time.perf_counter()
    subprocess.run(
        process, check=True, stdout=subprocess.DEVNULL, env=environment, cwd=Path(__file__).parents[1]
    )
    seconds = time.perf_counter() - start
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
