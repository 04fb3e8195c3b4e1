"""What is measured: a step, given what the steps before it made."""

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmarks.cases import Case
from pipesched.analysis import Report, report
from pipesched.choices import BLOCKING, Mode
from pipesched.costs import CostModel
from pipesched.formats import json_file, torch_csv, trace
from pipesched.render import html, paper
from pipesched.render.chart import chart
from pipesched.render.terminal import Gantt
from pipesched.render.text.table import Table
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.timeline import Timeline
from pipesched.transport import Transport
from pipesched.validate import validate


@dataclass(frozen=True)
class Made:
    """What a case's steps have made so far, each when first asked for."""

    case: Case

    @cached_property
    def schedule(self) -> Schedule:
        """Its lists."""
        return self.case.generate()

    @cached_property
    def timeline(self) -> Timeline:
        """Its times."""
        return simulate(self.linked())

    @cached_property
    def report(self) -> Report:
        """Its measures."""
        return report(self.timeline)

    def unlinked(self) -> Schedule:
        """The lists alone: nothing derived from them is known yet."""
        return replace(self.schedule)

    def linked(self) -> Schedule:
        """The lists, and who waits for whom."""
        fresh = self.unlinked()
        _ = fresh.awaited
        return fresh

    def timed(self) -> Timeline:
        """The times alone, of lists whose dependencies are known."""
        return replace(self.timeline)

    def measured(self) -> tuple[Timeline, Report]:
        """The times and the measures."""
        return self.timed(), self.report


@dataclass(frozen=True)
class Step:
    """``run`` is measured, on what ``given`` makes of the case."""

    given: Callable[[Made], Any]
    run: Callable[[Any], object]


def _drained(parts: Iterable[str | bytes]) -> int:
    """Text is made and let go of, as a file would take it."""
    return sum(map(len, parts))


def _terminal(timeline: Timeline) -> int:
    from rich.console import Console  # noqa: PLC0415  a step that is not run loads nothing

    console = Console(file=io.StringIO(), width=120, color_system="truecolor", force_terminal=True)
    console.print(Gantt(chart(timeline)))
    return console.width


def _html(measured: tuple[Timeline, Report]) -> int:
    timeline, of = measured
    return len(html.page([timeline], [of], Table("", (), ()), command="", summary=False))


#: Adding a step is one line.
STEPS: dict[str, Step] = {
    "generate": Step(lambda made: made.case, Case.generate),
    "dependencies": Step(Made.unlinked, lambda schedule: schedule.awaited),
    "simulate": Step(Made.linked, simulate),
    "transfers": Step(Made.linked, lambda schedule: simulate(schedule, transport=Transport(Mode(BLOCKING)))),
    "analyse": Step(Made.timed, report),
    "validate": Step(Made.linked, validate),
    "csv": Step(Made.unlinked, lambda schedule: _drained(torch_csv.write(schedule))),
    "json": Step(Made.unlinked, lambda schedule: _drained(json_file.write(schedule, CostModel()))),
    "trace": Step(Made.timed, lambda timeline: _drained(trace.write_timeline(timeline))),
    "terminal": Step(Made.timed, _terminal),
    "svg": Step(Made.timed, lambda timeline: paper.draw([chart(timeline)], ".svg")),
    "html": Step(Made.measured, _html),
}
