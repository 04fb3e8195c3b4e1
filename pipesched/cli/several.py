"""One or more schedules as given to ``show`` and ``view``: run, each at its costs, and told apart."""

from typing import NamedTuple

from pipesched.analysis.report import Report, report
from pipesched.cli.progress import progress
from pipesched.cli.source import Asked, resolve
from pipesched.cli.transport import timeline_of, transfer_notes
from pipesched.progress import track
from pipesched.render.text.summary import num, percent
from pipesched.render.text.table import Table
from pipesched.timeline import Timeline


class Ran(NamedTuple):
    """Timelines and as many reports; ``table`` compares several; ``notes`` for below, by what they tell."""

    timelines: list[Timeline]
    reports: list[Report]
    table: Table | None
    notes: dict[str, str]


def ran(asked: Asked) -> Ran:
    """Run them: each with the costs given per stage, or, if they are to be ``equal``, as in ``compare``."""
    names, problem, moving, options, equal = asked
    if equal is not None:
        return _compared(asked)
    timelines, reports, sources = [], [], []
    with progress(f"running {names[0]}"):
        for name in track(names, "running schedules") if len(names) > 1 else names:
            sources.append(resolve(name, problem, options))
            timelines.append(timeline_of(sources[-1], moving))
            reports.append(report(timelines[-1], problem.free_at, dialect=problem.dialect))
    notes = transfer_notes(moving, sources[0].costs)
    return Ran(timelines, reports, overview(reports) if len(names) > 1 else None, notes)


def _compared(asked: Asked) -> Ran:
    from pipesched.cli.compared import compared

    result = compared(asked)
    entries = [entry for entry in result.entries if entry.timeline and entry.report]
    timelines = [entry.timeline for entry in entries if entry.timeline]
    reports = [entry.report for entry in entries if entry.report]
    return Ran(timelines, reports, result.table if len(asked.names) > 1 else None, result.notes)


def overview(reports: list[Report]) -> Table:
    """The numbers of several, side by side."""
    rows = tuple(
        (
            each.schedule,
            str(each.devices),
            str(each.stages),
            num(each.makespan),
            num(max(each.bubble.idle)),
            percent(each.bubble.rate),
            num(max(each.memory.peak_activations)),
        )
        for each in reports
    )
    stages = sorted({each.stages for each in reports})
    notes = ["bubble: the largest idle time of a device; activations: the highest peak, in stages"]
    if len(stages) > 1:
        counts = ", ".join(map(str, stages[:-1])) + f" and {stages[-1]}"
        notes.insert(
            0,
            f"costs are per stage, and there are {counts} stages: --equal devices compares one model",
        )
    columns = ("schedule", "devices", "stages", "makespan", "bubble", "rate", "activations")
    return Table(f"{len(reports)} schedules on one time axis", columns, rows, frozenset(), tuple(notes))
