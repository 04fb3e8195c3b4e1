"""One schedule measured as ``analyze`` asks for it: its report, a memory cap, and noise."""

from typing import TYPE_CHECKING, Any, NamedTuple

from pipesched.analysis.cap import over_cap, peaks_over_cap
from pipesched.analysis.plain import plain
from pipesched.analysis.report import Report, report
from pipesched.cli.costs import cost_model
from pipesched.cli.jitter import Noise, spread_of
from pipesched.cli.progress import progress
from pipesched.cli.source import Asked, resolve
from pipesched.cli.transport import cap_numbers, timeline_of, transfer_notes
from pipesched.cli.unbuilt import unbuilt
from pipesched.costs import CostModel
from pipesched.validate.violation import Violation

if TYPE_CHECKING:
    from pipesched.analysis.jitter import Jitter


class Measured(NamedTuple):
    """A report, at which costs, and ``notes`` by what they are about; the rest is None if not asked for."""

    report: Report
    costs: CostModel
    notes: dict[str, str]
    over_cap: list[Violation] | None
    jitter: "Jitter | None"

    def as_dict(self) -> dict[str, Any]:
        """``analyze --json``."""
        capped = {} if self.over_cap is None else {"over_memory_cap": plain(self.over_cap)}
        spread = {} if self.jitter is None else {"jitter": plain(self.jitter)}
        return {**self.report.as_dict(), **capped, **spread}


def measured(asked: Asked, memory_cap: str | None, noise: Noise | None) -> Measured:
    """Run it, millions of ops without building them if nothing needs their lists."""
    (name,) = asked.names
    problem = asked.problem
    with progress(f"running {name}"):
        caps = None if memory_cap is None else cap_numbers(memory_cap)
        quick = unbuilt(name, asked) if noise is None else None
        if quick is not None:
            over = None if caps is None else [*peaks_over_cap(quick.report, caps)]
            return Measured(quick.report, cost_model(problem), {}, over, None)
        source = resolve(name, problem, asked.options)
        timeline = timeline_of(source, asked.moving)
        return Measured(
            report(timeline, problem.free_at, dialect=problem.dialect),
            source.costs,
            transfer_notes(asked.moving, source.costs),
            None if caps is None else [*over_cap(timeline, caps, problem.free_at)],
            None if noise is None else spread_of(source, asked.moving, noise),
        )
