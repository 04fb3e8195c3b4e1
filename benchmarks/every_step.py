"""Time and peak memory of every step on every schedule."""

from collections.abc import Iterator, Sequence

from benchmarks.cases import sized
from benchmarks.measure import Measured, in_child, step_on
from benchmarks.steps import STEPS, Made
from benchmarks.tables import Table


def tables(steps: Sequence[str], schedules: Sequence[str], sizes: Sequence[int]) -> Iterator[Table]:
    """For each size, times as ratios to the reference; then the peak memory at every size."""
    peaks = []
    for ops in sizes:
        measured = {name: in_child(_of_case, name, ops, steps) for name in schedules}
        rows = [
            (name, *(f"{each.ratio:.3g}" for each in of), _unit(of, ops)) for name, of in measured.items()
        ]
        yield Table(f"steps at {ops} ops", ("schedule", *steps, "1 is"), rows)
        columns = zip(*measured.values(), strict=True)
        peaks.append((f"{ops}", *(f"{max(each.megabytes for each in column):.0f}" for column in columns)))
    yield Table("peak memory", ("ops", *steps), peaks)


def _of_case(name: str, ops: int, steps: Sequence[str]) -> list[Measured]:
    made = Made(sized(name, ops))
    return [in_child(step_on, STEPS[step], made) for step in steps]


def _unit(of: Sequence[Measured], ops: int) -> str:
    """The reference's time for an op."""
    return f"{min(each.seconds / each.ratio for each in of) / ops * 1e9:.0f} ns"
