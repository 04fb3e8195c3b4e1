"""Schedules too large to draw as the data from which the viewer draws an excerpt of them.

Places on the axis are those of the opened chart; true times are columns of their own. What only the whole
lists could tell, slack, the critical path and waits across a break, is not told.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.errors import ShapeError
from pipesched.generators.size import MANY
from pipesched.render.chart import Chart, Half
from pipesched.render.excerpt import excerpt, leave_out, levels
from pipesched.render.html.colours import UNKNOWN_SLACK, tones
from pipesched.render.html.data import described, grid, ids, packed
from pipesched.schedule import Schedule
from pipesched.simulate.long import LongTimeline, Part
from pipesched.timeline import Floats, Timeline

Ints = npt.NDArray[np.int64]

#: A break takes so much of the axis.
_WIDTH = 0.025
_UNKNOWN = "slack not known: not every op was built"


def excerpts(timelines: Sequence[Timeline | LongTimeline]) -> list[Chart | None]:
    """The charts of those that were not built, on one axis with breaks; None for the others.

    Raises :class:`ShapeError` where even what is left is too much to draw.
    """
    long = [each for each in timelines if isinstance(each, LongTimeline)]
    if not long:
        return [None] * len(timelines)
    left_out = leave_out(timelines)
    for each in long:
        _check_drawable(each, sum(each.count(*part) for part in left_out))
    charts = [excerpt(each, left_out) if isinstance(each, LongTimeline) else None for each in timelines]
    longest = max(each.t1 if each else line.makespan for each, line in zip(charts, timelines, strict=True))
    return [each and each.opened(_round(_WIDTH * longest)) for each in charts]


def _check_drawable(timeline: LongTimeline, left_out: int) -> None:
    if timeline.n_ops - left_out >= MANY:
        raise ShapeError(
            f"{timeline.few.name}: a report cannot show {timeline.n_ops:,} ops, and too few of them "
            "only repeat at a time when all its schedules do; report it alone, or give fewer micro-batches"
        )


def _round(width: float) -> float:
    """A whole number, or below 1 a power of ten: on the grid on which times are sent."""
    return float(round(width)) if width >= 1 else 10.0 ** np.floor(np.log10(width))


class _Bars(NamedTuple):
    """Of every bar: which piece of the axis it is in, and what is true of its slot.

    ``piece`` int64[N]; ``since`` and ``until`` float64[N] are its slot's true times; ``during`` and
    ``after`` float64[N] activations; ``before`` float64[pieces, P] those of each device when a piece begins.
    """

    piece: Ints
    since: Floats
    until: Floats
    during: Floats
    after: Floats
    before: Floats


def excerpt_data(
    timeline: LongTimeline, drawn: Chart, free_at: str | float, peak: float, cap: list[float] | None
) -> dict[str, Any]:
    """As :func:`pipesched.render.html.data.schedule_data`; ``drawn`` is one of :func:`excerpts`.

    ``total`` is the true makespan. Columns ``since`` and ``until`` are true times of the op's slot.
    ``between`` has, of each device, what it holds before the first op after every break.
    """
    bars, drawn = _bars(timeline, drawn, free_at)
    schedule = _schedule(timeline.few, drawn)
    starts, ends = drawn.start[schedule.slot_op[:-1]], drawn.end[schedule.slot_op[1:] - 1]
    steps, exact = grid(schedule, starts, ends, np.array([timeline.costs.latency]))
    near = 1e-9 * drawn.t1 + 4 * float(np.spacing(timeline.makespan)) + (0.0 if exact else 4 / steps)
    return {
        **described(schedule, drawn),
        "near": near,
        "longest": float((drawn.end - drawn.start).max(initial=0.0)),
        "total": timeline.makespan,
        "slack_words": (_UNKNOWN, _UNKNOWN),
        "peak": peak,
        "cap": cap,
        "breaks": [each._asdict() for each in drawn.breaks],
        "between": [_between(schedule, drawn, bars, device) for device in range(schedule.devices)],
        **_columns(timeline, schedule, drawn, bars, steps, near),
    }


def _bars(timeline: LongTimeline, drawn: Chart, free_at: str | float) -> tuple[_Bars, Chart]:
    """With the chart whose halves of pairs of which a break hides the other stand alone."""
    middles = [each.at + each.width / 2 for each in drawn.breaks]
    piece = np.searchsorted(middles, drawn.start)
    since, until, during, after = np.zeros((4, len(piece)))
    held = []
    for k, each in enumerate(drawn.pieces):
        read: Part = timeline.part(each.t0 + each.shift, each.t1 + each.shift)
        found, before = levels(read, free_at)
        here = np.flatnonzero(piece == k)
        op = drawn.op[here]
        slot = read.timeline.schedule.slot[op]
        since[here], until[here] = read.timeline.slot_start[slot], read.timeline.slot_end[slot]
        during[here], after[here] = found.during[op], found.after[op]
        held.append(before)
    both = (np.diff(piece) == 0) & (np.diff(drawn.lane) == 0) & (np.diff(drawn.op) == 1)
    both &= (drawn.half[:-1] == Half.LEFT) & (drawn.half[1:] == Half.RIGHT)
    alone = ~(np.append(both, False) | np.append(False, both))
    drawn = replace(drawn, half=np.where(alone, Half.WHOLE, drawn.half))
    return _Bars(piece, since, until, during, after, np.array(held)), drawn


def _between(schedule: Schedule, drawn: Chart, bars: _Bars, device: int) -> list[tuple[float, float, float]]:
    """From, to and how much; within a break it is not known: below 0."""
    ops = slice(int(schedule.first[device]), int(schedule.first[device + 1]))
    starts = np.append(drawn.start[ops], drawn.t1)
    found = []
    for k, each in enumerate(drawn.breaks, start=1):
        opens = each.at + each.width
        first = float(starts[np.searchsorted(bars.piece[ops], k)])
        found += [(each.at, opens, -1.0), (opens, first, float(bars.before[k, device]))]
    return found


def _schedule(few: Schedule, drawn: Chart) -> Schedule:
    """The ops that are drawn, micro-batches numbered anew: who needs whom among them."""
    return Schedule.from_columns(
        few.name,
        kind=drawn.kind,
        stage=np.zeros(0) if drawn.stage is None else drawn.stage,
        microbatch=np.unique(drawn.label, return_inverse=True)[1],
        slot=np.cumsum(drawn.half != Half.RIGHT) - 1,
        first=np.searchsorted(drawn.lane, np.arange(few.devices + 1)),
        where=few.placement,
    )


def _columns(
    timeline: LongTimeline, schedule: Schedule, drawn: Chart, bars: _Bars, steps: float, near: float
) -> dict[str, Any]:
    """``layout`` and ``data``, see :func:`pack`."""
    nothing, nowhere = np.zeros(schedule.n_ops), np.zeros(schedule.n_ops, dtype=np.int64)
    found = {
        **ids(schedule, drawn),
        **tones(drawn, nothing, near),
        **_inputs(schedule, drawn, bars, timeline.costs.latency, near),
        "slack_tone": nowhere + UNKNOWN_SLACK,
        "critical": nowhere,
        "follows": nowhere,
        "start": drawn.start,
        "end": drawn.end,
        "since": bars.since,
        "until": bars.until,
        "slack": nothing,
        "held": nothing,
    }
    return packed(schedule, found, steps, {"during": bars.during, "after": bars.after})


def _inputs(
    schedule: Schedule, drawn: Chart, bars: _Bars, latency: float, near: float
) -> dict[str, Ints | Floats]:
    """What ops need of others, when it travelled, and what was awaited: columns as those of waits.py.

    An input that was made before the op's piece of the axis begins is needed, and no more is said of it.
    """
    needed = schedule.needs.neighbour
    ops = np.flatnonzero(needed >= 0)
    made = needed[ops]
    pieces = np.array(drawn.pieces)[bars.piece[ops]]
    departs = bars.until[made] - pieces[:, 2]
    seen = (schedule.device[made] != schedule.device[ops]) & (departs >= pieces[:, 0] - near)
    local, sender, cause = np.zeros((3, schedule.n_ops), dtype=np.int64)
    local[ops[~seen]] = (made - ops)[~seen]
    ops, made, departs = ops[seen], made[seen], departs[seen]
    sender[ops] = made - ops
    leaves, arrives, transfer = drawn.start.copy(), drawn.start.copy(), np.zeros(schedule.n_ops)
    leaves[ops], arrives[ops] = departs, departs + latency
    # Idle time ends when what was awaited arrives.
    idle, first = _idle(drawn, bars.piece), schedule.slot_op[schedule.slot[ops]]
    ended = (np.abs(arrives[ops] - drawn.start[first]) <= near) & (idle[first] > near)
    first, made = first[ended][::-1], made[ended][::-1]  # where both of a pair do, the first is written last
    cause[first] = made - first
    transfer[first] = np.minimum(latency, idle[first])
    return {
        "local": local, "sender": sender, "cause": cause,
        "departs": leaves, "arrives": arrives, "transfer": transfer,
    }  # fmt: skip


def _idle(drawn: Chart, piece: Ints) -> Floats:
    """Idle time before each bar, float64[N]; none where a break is part of it."""
    opens = np.diff(drawn.lane, prepend=-1) != 0
    before = np.where(opens, 0.0, np.append(0.0, drawn.end[:-1]))
    same = np.where(opens, 0, np.append(0, piece[:-1])) == piece
    idle: Floats = np.where(same, drawn.start - before, 0.0)
    return idle
