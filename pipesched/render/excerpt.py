"""Charts of schedules too long to draw: warm-up, some of every steady state, drain, breaks between them.

Left of a break stands what runs before it, right of it what runs after it, op for op; what a break leaves out
is so many times what is shown of the steady state beside it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pipesched.analysis.memory import Memory as Activations
from pipesched.analysis.memory import freed_at_input, memory, steps
from pipesched.render.annotate import holding
from pipesched.render.chart import Chart, Held, chart, legend
from pipesched.render.joined import joined
from pipesched.schedule import describe
from pipesched.simulate.long import LongTimeline, Part, Steady
from pipesched.timeline import Floats, Timeline
from pipesched.words import count

#: Of a steady state as much is shown on either side of a break as these take: micro-batches ...
_MICROBATCHES = 4
#: ... or this share of all that is not steady, if that is more.
_SHARE = 0.08


class LeftOut(NamedTuple):
    """What is left out: from ``start`` to ``end``."""

    start: float
    end: float


def leave_out(
    timelines: Sequence[Timeline | LongTimeline], t0: float = 0.0, t1: float = math.inf
) -> list[LeftOut]:
    """Where to break the axis that all of them share, from t0 to t1: in what is steady for all.

    What is left out is a whole number of periods, where they have the same.
    """
    t1 = min(t1, max(each.makespan for each in timelines))
    stretches = _steady(timelines[0])
    for each in timelines[1:]:
        stretches = [both for a in stretches for b in _steady(each) if (both := _both(a, b))]
    stretches = [each._replace(start=max(each.start, t0), end=min(each.end, t1)) for each in stretches]
    stretches = [each for each in stretches if each.start < each.end and each.period > 0]
    rest = t1 - t0 - sum(each.end - each.start for each in stretches)
    return [part for each in stretches if (part := _within(each, rest))]


def _steady(timeline: Timeline | LongTimeline) -> list[Steady]:
    """A timeline that was built is looked at whole; after its end nothing happens."""
    after = Steady(timeline.makespan, math.inf, 0.0, 0, same=True)
    return [*(timeline.steady() if isinstance(timeline, LongTimeline) else []), after]


def _both(a: Steady, b: Steady) -> Steady | None:
    start, end = max(a.start, b.start), min(a.end, b.end)
    if not start < end:
        return None
    longer, other = (a, b) if a.period >= b.period else (b, a)
    same = a.same and b.same and other.period in (0.0, longer.period)
    return Steady(start, end, longer.period, longer.microbatches, same)


def _within(steady: Steady, rest: float) -> LeftOut | None:
    """Within a stretch, with some of it on either side; a period of it stands before and after it anyhow."""
    shown = max(_MICROBATCHES * steady.period / steady.microbatches, _SHARE * rest)
    lead = (math.ceil(shown / steady.period - 1e-9) - 1) * steady.period
    start = steady.start + lead
    periods = math.floor((steady.end - lead - start) / steady.period + 1e-9)
    return (
        LeftOut(start, start + periods * steady.period)
        if periods * steady.period > lead + steady.period
        else None
    )


class Memory(NamedTuple):
    """Of activations to be drawn: when they are freed, each device's peak, and what there is room for."""

    free_at: str | float
    peak: Sequence[float]
    cap: Sequence[float] | None = None


def excerpt(
    timeline: LongTimeline,
    left_out: Sequence[LeftOut] = (),
    window: tuple[float, float] | None = None,
    lanes: range | None = None,
    memory_of: Memory | None = None,
) -> Chart:
    """The chart of a timeline in a window without what is left out, on some lanes."""
    t0, t1 = window or (0.0, timeline.makespan)
    inside = [LeftOut(*map(timeline.exact, part)) for part in _inside(left_out, t0, t1)]
    parts = []
    for start, end in _between(inside, t0, t1):
        read = timeline.part(start, end)
        part = chart(read.timeline)
        part = part if memory_of is None else replace(part, held=_held(read, start, memory_of))
        parts.append(part.window(start, end, lanes))
    few = timeline.few
    return replace(
        joined(parts, [_text(timeline, part) for part in inside]),
        title=f"{few.name}: {describe(few.devices, few.stages, timeline.microbatches)}",
        legend=legend(few),
    )


def cut(whole: Chart, left_out: Sequence[LeftOut]) -> Chart:
    """A chart of everything without what is left out."""
    inside = _inside(left_out, whole.t0, whole.t1)
    parts = [whole.window(start, end) for start, end in _between(inside, whole.t0, whole.t1)]
    return joined(parts, [_length(part, whole.unit) for part in inside])


def _inside(left_out: Sequence[LeftOut], t0: float, t1: float) -> list[LeftOut]:
    return [part for part in left_out if t0 < part.start and part.end < t1]


def _between(left_out: Sequence[LeftOut], t0: float, t1: float) -> Iterator[tuple[float, float]]:
    """The times that are shown."""
    edges = [t0, *(edge for part in left_out for edge in part), t1]
    return zip(edges[::2], edges[1::2], strict=True)


def _text(timeline: LongTimeline, part: LeftOut) -> str:
    """``999,872 micro-batches, 2,999,616 F``."""
    length = part.end - part.start
    for each in timeline.steady():
        periods = length / each.period
        if (
            each.start <= part.start
            and part.end <= each.end
            and each.same
            and abs(periods - round(periods)) < 1e-6
        ):
            microbatches = count(round(periods) * each.microbatches, "micro-batch")
            return f"{microbatches}, {_length(part, timeline.costs.unit)}"
    return _length(part, timeline.costs.unit)


def _length(part: LeftOut, unit: str) -> str:
    return f"{round(part.end - part.start, 3):,} {unit}".replace(".0 ", " ")


def levels(read: Part, free_at: str | float) -> tuple[Activations, Floats]:
    """What devices hold during and after each op of a part; and float64[P] what they hold when it begins."""
    at_input = freed_at_input(free_at)
    before = read.ended @ np.array([1.0, -1.0, -at_input, at_input - 1.0])
    schedule = read.timeline.schedule
    found = memory(schedule, free_at)
    more = before[schedule.device]
    return found._replace(during=found.during + more, after=found.after + more), before


def _held(read: Part, start: float, wanted: Memory) -> Held:
    """What devices hold in a part, with what they hold already when it begins."""
    found, before = levels(read, wanted.free_at)
    staircases = []
    for device in range(read.timeline.schedule.devices):
        times, held = steps(read.timeline, found, device)
        times[0], held[0] = start, before[device]
        staircases.append((np.maximum(times, start), held))
    return holding(tuple(staircases), np.array(wanted.peak), wanted.free_at, wanted.cap)
