"""How the time of every step grows when a schedule doubles, in micro-batches and in devices."""

from collections.abc import Iterator, Sequence

from benchmarks.cases import Case, sized
from benchmarks.measure import growth_of, in_child
from benchmarks.steps import STEPS, Made
from benchmarks.tables import Table
from pipesched.errors import ShapeError

#: Twice the ops may take so many times as long.
AIM = 2.2
AXES = ("micro-batches", "devices", "thousands of devices, one micro-batch")


def _pair(axis: str, name: str) -> tuple[Case, Case]:
    if axis == AXES[0]:
        few = sized(name, 250_000)  # whose columns fit in no cache: that is another kind of growth
        return few, few._replace(microbatches=2 * few.microbatches)
    few = Case(name, 128, 512) if axis == AXES[1] else Case(name, 1024, 1)
    return few, few._replace(devices=2 * few.devices)


def tables(steps: Sequence[str], schedules: Sequence[str]) -> Iterator[Table]:
    """A table for each way to grow; schedules that do not run at its sizes are left out."""
    for axis in AXES:
        rows = []
        for name in schedules:
            few, more = _pair(axis, name)
            grown = in_child(_of_case, few, more, steps)
            if grown is not None:
                sizes = f"{few.devices}/{few.microbatches} to {more.devices}/{more.microbatches}"
                rows.append((name, sizes, *map(_told, grown)))
        yield Table(f"growth in {axis}", ("schedule", "devices/micro-batches", *steps), rows)


def _of_case(few: Case, more: Case, steps: Sequence[str]) -> list[float] | None:
    smaller, larger = Made(few), Made(more)
    try:
        return [growth_of(STEPS[step], smaller, larger) for step in steps]
    except ShapeError:
        return None


def _told(ratio: float) -> str:
    return f"**{ratio:.1f}**" if ratio > AIM else f"{ratio:.1f}"
