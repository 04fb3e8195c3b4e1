"""One or more schedules as given to the commands that draw: run, each at its costs, and told apart."""

from typing import TYPE_CHECKING, NamedTuple

from pipesched.analysis.report import Report, report
from pipesched.choices import Equal
from pipesched.cli.progress import progress
from pipesched.cli.source import Asked, resolve
from pipesched.cli.transport import timeline_of, transfer_notes
from pipesched.cli.unbuilt import unbuilt
from pipesched.generators.size import MANY
from pipesched.progress import track
from pipesched.render.text.overview import overview
from pipesched.render.text.table import Table
from pipesched.timeline import Timeline

if TYPE_CHECKING:
    from pipesched.analysis.unbuilt import Unbuilt
    from pipesched.simulate.long import LongTimeline


class Ran(NamedTuple):
    """Timelines and as many reports; ``table`` compares several; ``notes`` for below, by what they tell.

    ``equal`` says what those have in common that are parts of one model, as in ``compare``.
    """

    timelines: "list[Timeline | LongTimeline]"
    reports: list[Report]
    table: Table | None
    notes: dict[str, str]
    equal: Equal | None

    @property
    def built(self) -> list[Timeline]:
        """Those of which there is every op."""
        return [each for each in self.timelines if isinstance(each, Timeline)]

    @property
    def long(self) -> "list[LongTimeline]":
        """The others."""
        return [each for each in self.timelines if not isinstance(each, Timeline)]


def ran(asked: Asked, *, excerpt: bool | None = False) -> Ran:
    """Run them: each with the costs given per stage, or, if they are to be ``equal``, as in ``compare``.

    Where it can be done, none is built if ``excerpt``, and those of millions of ops are not if it is None.
    """
    return _alone(asked, excerpt) if asked.equal is None else _compared(asked, excerpt)


def _alone(asked: Asked, excerpt: bool | None) -> Ran:
    names, problem, moving, options, _ = asked
    timelines: list[Timeline | LongTimeline] = []
    reports = []
    with progress(f"running {names[0]}"):
        unbuilt_ones = {} if excerpt is False else _unbuilt(asked, least=0 if excerpt else MANY)
        for name in track(names, "running schedules") if len(names) > 1 else names:
            if quick := unbuilt_ones.get(name):
                timelines.append(quick.timeline)
                reports.append(quick.report)
                continue
            timeline = timeline_of(resolve(name, problem, options), moving)
            timelines.append(timeline)
            reports.append(report(timeline, problem.free_at, dialect=problem.dialect))
    notes = transfer_notes(moving, timelines[0].costs)
    return Ran(timelines, reports, overview(reports, notes) if len(names) > 1 else None, notes, None)


def _unbuilt(asked: Asked, least: int) -> "dict[str, Unbuilt]":
    """Those of ``least`` ops; beside one, the others are left unbuilt, too: then all can be broken alike."""
    found = {name: unbuilt(name, asked, least=least) for name in asked.names}
    if not any(found.values()):
        return {}
    every = {name: quick or unbuilt(name, asked, least=0) for name, quick in found.items()}
    return {name: quick for name, quick in every.items() if quick}


def _compared(asked: Asked, excerpt: bool | None) -> Ran:
    """Each at its part of one model."""
    from pipesched.cli.compared import compared

    result = compared(asked, timelines=excerpt is False, least=0 if excerpt else MANY)
    timelines = [timeline for entry in result.entries if (timeline := entry.drawable)]
    reports = [entry.report for entry in result.entries if entry.report]
    table = result.table if len(asked.names) > 1 else None
    return Ran(timelines, reports, table, result.notes, asked.equal)
