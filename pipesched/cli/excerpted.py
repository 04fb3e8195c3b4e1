"""Pictures of schedules too long to draw: measured without being built, and drawn in part."""

from typing import TYPE_CHECKING, NamedTuple

from pipesched.analysis.report import Report, report
from pipesched.choices import Equal
from pipesched.cli.look import Drawn, device_range, spread, warn, window
from pipesched.cli.progress import progress
from pipesched.cli.several import overview, ran
from pipesched.cli.source import Asked, resolve
from pipesched.cli.transport import memory_caps, timeline_of
from pipesched.cli.unbuilt import unbuilt
from pipesched.errors import ShapeError
from pipesched.generators.size import MANY
from pipesched.render.chart import Chart
from pipesched.render.text.table import Table
from pipesched.timeline import Timeline

if TYPE_CHECKING:
    from pipesched.render.excerpt import LeftOut
    from pipesched.simulate.long import LongTimeline


class Shown(NamedTuple):
    """As :class:`pipesched.cli.several.Ran`; timelines that were not built are long."""

    timelines: "list[Timeline | LongTimeline]"
    reports: list[Report]
    table: Table | None
    notes: dict[str, str]
    equal: Equal | None = None

    @property
    def long(self) -> "list[LongTimeline]":
        """Those that were not built."""
        return [each for each in self.timelines if not isinstance(each, Timeline)]


def shown(asked: Asked, *, excerpt: bool | None) -> Shown:
    """Run them, those of millions of ops without building them; any if ``excerpt``, none if it is False."""
    if excerpt is not False and (found := (_compared if asked.equal else _alone)(asked, excerpt)):
        return found
    every = ran(asked)
    return Shown([*every.timelines], every.reports, every.table, every.notes, asked.equal)


def _alone(asked: Asked, excerpt: bool | None) -> Shown | None:
    """Each at its own costs; None if all are to be built."""
    names, problem, moving, options, _ = asked
    timelines: list[Timeline | LongTimeline] = []
    reports = []
    with progress(f"running {names[0]}"):
        found = [unbuilt(name, asked, least=0 if excerpt else None) for name in names]
        if not any(found):
            return None
        for name, first in zip(names, found, strict=True):
            # Beside a long one the others are better left unbuilt, too: then all can be broken alike.
            if quick := first or unbuilt(name, asked, least=0):
                timelines.append(quick.timeline)
                reports.append(quick.report)
                continue
            timeline = timeline_of(resolve(name, problem, options), moving)
            timelines.append(timeline)
            reports.append(report(timeline, problem.free_at, dialect=problem.dialect))
    return Shown(timelines, reports, overview(reports) if len(names) > 1 else None, {})


def _compared(asked: Asked, excerpt: bool | None) -> Shown:
    """Each at its part of one model."""
    from pipesched.cli.compared import compared

    result = compared(asked, timelines=False, least=0 if excerpt else MANY)
    entries = [
        (each.unbuilt.timeline if each.unbuilt else each.timeline, each.report) for each in result.entries
    ]
    timelines = [timeline for timeline, _ in entries if timeline]
    reports = [measured for _, measured in entries if measured]
    table = result.table if len(asked.names) > 1 else None
    return Shown(timelines, reports, table, result.notes, asked.equal)


def charts(
    found: Shown, drawn: Drawn, free_at: str, *, slack: bool = False, excerpt: bool | None = None
) -> list[Chart]:
    """With breaks where there are too many ops to draw, or, if ``excerpt``, wherever there can be any.

    Activations are in stages, or, of parts of one model, all in the same part of it.
    """
    from pipesched.render.annotate import per_model

    pictures = _charts(found, drawn, free_at, slack=slack, excerpt=excerpt)
    if found.equal is None:
        return pictures
    return [
        per_model(picture, each.devices if found.equal == "devices" else each.stages, each.stages)
        for picture, each in zip(pictures, found.reports, strict=True)
    ]


def _charts(found: Shown, drawn: Drawn, free_at: str, *, slack: bool, excerpt: bool | None) -> list[Chart]:
    if not found.long:
        if excerpt:
            warn(f"{found.reports[0].schedule}: no repetition is proven at this size, so everything is drawn")
        return [
            drawn.chart(each, free_at, slack=slack) for each in found.timelines if isinstance(each, Timeline)
        ]
    from pipesched.render.excerpt import cut, leave_out

    _refuse(found.long[0], "--critical" if drawn.critical else "--color-by slack" if slack else "")
    windows = [window(drawn.start, drawn.stop, each.makespan) for each in found.timelines]
    start, stop = windows[0][0], max(stop for _, stop in windows)
    too_many = any(each.count(start, stop) >= MANY for each in found.long)
    left_out = leave_out(found.timelines, start, stop) if excerpt or too_many else []
    pictures = [
        cut(drawn.chart(timeline, free_at, slack=slack), left_out)
        if isinstance(timeline, Timeline)
        else _drawn(timeline, measured, drawn, left_out, (t0, t1))
        for timeline, measured, (t0, t1) in zip(found.timelines, found.reports, windows, strict=True)
    ]
    if excerpt and not any(each.breaks for each in pictures):
        warn(f"{found.reports[0].schedule}: too little repeats to leave any of it out")
    return pictures


def note(found: Shown, pictures: list[Chart]) -> str | None:
    """How to see what the charts leave out; None where that is nothing."""
    if not any(each.breaks for each in pictures):
        return None
    return (
        "an excerpt: of what repeats only some is drawn; --from and --to show any time, "
        f"--whole all {sum(each.ops for each in found.reports):,} ops"
    )


def _refuse(timeline: "LongTimeline", wanted: str) -> None:
    """What only the whole lists could tell."""
    if wanted:
        raise ShapeError(
            f"{wanted} needs every op of {timeline.few.name}, and its {timeline.n_ops:,} were not built; "
            "give --whole, or fewer micro-batches"
        )


def _drawn(
    timeline: "LongTimeline",
    measured: Report,
    drawn: Drawn,
    left_out: "list[LeftOut]",
    times: tuple[float, float],
) -> Chart:
    from pipesched.render.excerpt import Memory, excerpt

    devices, held = timeline.few.devices, None
    if drawn.memory or drawn.memory_cap:
        cap = memory_caps(drawn.memory_cap, devices) if drawn.memory_cap else None
        held = Memory(measured.memory.free_at, measured.memory.peak_activations, cap)
    chosen = device_range(drawn.devices, devices)
    return spread(excerpt(timeline, left_out, times, chosen, held), chosen, devices)
