"""Time and peak memory of one step, in a process of its own, beside a reference in the same run.

Times are of the processor: what else the machine does is not counted, as far as it can be told apart.
"""

import ctypes
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.steps import Made, Step

#: A step is run until this many seconds are spent, and at most so often.
SECONDS, RUNS = 0.5, 15
#: The reference is repeated for at least so many items: a shorter one would measure the clock.
_ITEMS = 200_000
#: The number of glibc's option for the size from which memory is mapped by itself.
_M_MMAP_THRESHOLD = -3


class Measured(NamedTuple):
    """``ratio`` to a plain-Python pass over as many items as there are ops; peak memory in MB."""

    ratio: float
    seconds: float
    megabytes: float


def in_child(function: Callable[..., Any], *given: Any) -> Any:
    """What a function returns, from a process forked from this one: its peak memory is its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def work() -> None:
        _fresh_memory()
        theirs.send(function(*given))

    child = context.Process(target=work)
    child.start()
    theirs.close()
    try:
        return ours.recv()
    finally:
        child.join()


def _fresh_memory() -> None:
    """Have every array's memory come from the system, as in a command, which runs each step once.

    Otherwise glibc gives a freed array's memory to the next up to some size, and no more above it: a step
    would seem to get slower there.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, 1 << 16)


def step_on(step: Step, made: Made) -> Measured:
    """Least times over the runs. Peak memory counts what the step was given, and the interpreter."""
    runs = []
    ops = made.schedule.n_ops
    while len(runs) < RUNS and sum(seconds for seconds, _ in runs) < SECONDS:
        runs.append((once(step, made), reference(ops)))
    seconds, other = map(min, zip(*runs, strict=True))
    return Measured(seconds / other, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def growth_of(step: Step, few: Made, more: Made) -> float:
    """How much longer a step takes on ``more``, run in turn, as if that had twice the ops exactly."""
    runs: list[tuple[float, float]] = []
    while len(runs) < RUNS and sum(map(sum, runs)) < 3 * SECONDS:
        runs.append((once(step, few), once(step, more)))
    short, long = map(min, zip(*runs, strict=True))
    return long / short * 2 * few.schedule.n_ops / more.schedule.n_ops


def once(step: Step, made: Made) -> float:
    """Seconds of one run."""
    given = step.given(made)
    start = time.process_time()
    step.run(given)
    return time.process_time() - start


def reference(n: int) -> float:
    """Seconds of a plain-Python pass over n items of a list."""
    items = list(range(n))
    passes = max(1, _ITEMS // n)
    start = time.process_time()
    for _ in range(passes):
        total = 0
        for item in items:
            total += item
    return (time.process_time() - start) / passes
