"""Charts of what was run; of schedules too long to draw, in part."""

from typing import TYPE_CHECKING

from pipesched.analysis.report import Report
from pipesched.cli.look import Drawn, device_range, spread, warn, window
from pipesched.cli.several import Ran
from pipesched.cli.transport import memory_caps
from pipesched.errors import ShapeError
from pipesched.generators.size import MANY
from pipesched.render.chart import Chart
from pipesched.timeline import Timeline

if TYPE_CHECKING:
    from pipesched.render.excerpt import LeftOut
    from pipesched.simulate.long import LongTimeline


def charts(
    found: Ran, drawn: Drawn, free_at: str, *, slack: bool = False, excerpt: bool | None = None
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


def _charts(found: Ran, drawn: Drawn, free_at: str, *, slack: bool, excerpt: bool | None) -> list[Chart]:
    if not found.long:
        if excerpt:
            warn(f"{found.reports[0].schedule}: no repetition is proven at this size, so everything is drawn")
        return [drawn.chart(each, free_at, slack=slack) for each in found.built]
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


def note(found: Ran, pictures: list[Chart]) -> str | None:
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
