"""A Gantt chart as plain data: lanes, bars, tones, legend, caption. Every renderer draws this.

Bars are columns, one entry per op. The two ops of an overlapped pair stand in one bordered cell, forward
left: they share its time in proportion to what each takes alone.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import KIND_NAMES, Kind
from pipesched.placement import Placement
from pipesched.render.axis import Break, Piece, moved, opened, pieces
from pipesched.render.marks import Marks, mark_lines, marks
from pipesched.schedule import Schedule
from pipesched.timeline import Floats, Timeline

Ints = npt.NDArray[np.int32]


class Tone(NamedTuple):
    """A fill and the ink that is readable on it, as #rrggbb."""

    fill: str
    ink: str


#: The one palette: by kind, then by shade (direction, or chunk): light, then dark. Chosen so that every
#: ink reads on its fill (contrast 4.5 : 1) and all tones differ for every kind of colour-blind eye.
PALETTE: dict[Kind, tuple[Tone, Tone]] = {
    Kind.F: (Tone("#ffb84d", "#1a1a1a"), Tone("#b85c06", "#ffffff")),
    Kind.B: (Tone("#4fb37f", "#1a1a1a"), Tone("#1d6b43", "#ffffff")),
    Kind.I: (Tone("#c3ecae", "#1a1a1a"), Tone("#93d475", "#1a1a1a")),
    Kind.W: (Tone("#7fb2e5", "#1a1a1a"), Tone("#2b62a8", "#ffffff")),
}


def tone(kind: int, shade: int) -> Tone:
    """The tone of a bar; shades beyond the second come round again."""
    return PALETTE[Kind(kind)][shade % 2]


class Half:
    """Values of ``Chart.half``."""

    WHOLE = 0  # a cell of its own
    LEFT = 1  # the forward of a pair
    RIGHT = 2  # the backward of a pair


class Entry(NamedTuple):
    """One line of the legend; ``shade`` None stands for a pair."""

    kind: Kind
    shade: int | None
    text: str

    @property
    def which(self) -> str:
        """What the shade stands for: ``down``, ``chunk 1``; empty where a kind has one shade only."""
        return self.text.removeprefix(KIND_NAMES[self.kind]).removeprefix(", ")


class Held(NamedTuple):
    """What each device holds over time: activations of a micro-batch on one stage, or on a part of the model.

    ``steps`` has a staircase per device, whichever lanes are shown: times, and levels, each of which lasts
    to the next time; both float64. ``peak`` float64[P], ``cap`` float64[P] what each device has room for,
    if it is known, ``freed_at`` in words.
    """

    steps: tuple[tuple[Floats, Floats], ...]
    peak: Floats
    cap: Floats | None
    freed_at: str


@dataclass(frozen=True, eq=False)
class Chart:
    """One schedule on a time axis.

    Columns, one entry per op, by lane and time: ``lane``, ``kind``, ``shade``, ``label`` (micro-batch),
    ``half`` (see :class:`Half`), ``stage`` int32[N]; ``start``, ``end`` float64[N] in ``unit``, where a
    pair's two bars meet inside its cell. ``lanes`` are the devices' numbers, ``t0..t1`` the window shown.
    ``marks`` is what else the lists hold, where they hold more.

    All times are places on the axis: times, but for what ``breaks`` before them leave out, by time
    (:mod:`pipesched.render.excerpt`).

    Where they were asked for (:mod:`pipesched.render.annotate`): ``slack`` float64[N], how much later an op
    could end at the same makespan; ``critical`` bool[N], whether it is on the critical path; ``held``.
    """

    title: str
    unit: str
    lanes: tuple[int, ...]
    lane: Ints
    kind: Ints
    shade: Ints
    label: Ints
    half: Ints
    op: Ints
    start: Floats
    end: Floats
    t0: float
    t1: float
    legend: tuple[Entry, ...]
    caption: tuple[str, ...]
    stage: Ints | None = None
    slack: Floats | None = None
    critical: npt.NDArray[np.bool_] | None = None
    held: Held | None = None
    marks: Marks | None = None
    breaks: tuple[Break, ...] = ()

    @property
    def name(self) -> str:
        """The schedule's: the title without the sizes after it."""
        return self.title.rpartition(": ")[0] or self.title

    @property
    def pieces(self) -> list[Piece]:
        """The axis from t0 to t1, where breaks divide it."""
        return pieces(self.breaks, self.t0, self.t1)

    def time(self, place: float) -> float:
        """Which time stands at a place of the axis."""
        shifts = (each.end - each.at - each.width for each in reversed(self.breaks) if each.at < place)
        return place + next(shifts, 0.0)

    def opened(self, width: float) -> "Chart":
        """The same with room for a mark at every break, ``width`` of the axis each."""
        if not self.breaks:
            return self
        start = moved(self.start, self.breaks, width)
        marked, held = self.marks, self.held
        if marked is not None:
            marked = marked._replace(time=moved(marked.time, self.breaks, width, ends=True))
        if held is not None:
            steps = ((moved(times, self.breaks, width), levels) for times, levels in held.steps)
            held = held._replace(steps=tuple(steps))
        return replace(
            self,
            start=start,
            end=np.maximum(start, moved(self.end, self.breaks, width, ends=True)),
            t1=self.t1 + width * len(self.breaks),
            breaks=opened(self.breaks, width),
            marks=marked,
            held=held,
        )

    def window(self, t0: float, t1: float, lanes: range | None = None) -> "Chart":
        """The part that overlaps t0..t1, on some of the lanes; bars keep their true times."""
        chosen = [lane for lane in self.lanes if lanes is None or lane in lanes]
        keep = (self.end > t0) & (self.start < t1) & np.isin(np.array(self.lanes)[self.lane], chosen)
        number = np.zeros(max(self.lanes, default=0) + 1, dtype=np.int32)
        number[chosen] = np.arange(len(chosen))
        lane = number[np.array(self.lanes, dtype=np.int64)[self.lane[keep]]]
        columns = {name: column[keep] for name in COLUMNS if (column := getattr(self, name)) is not None}
        marked = self.marks
        if marked is not None:
            device = np.array(self.lanes, dtype=np.int64)[marked.lane]
            there = (marked.time >= t0) & (marked.time <= t1) & np.isin(device, chosen)
            marked = marked.only(there, number[device])
        return replace(self, lanes=tuple(chosen), **{**columns, "lane": lane}, t0=t0, t1=t1, marks=marked)

    def coverage(self, bins: int, tone: Ints | None = None, tones: int = 2 * len(Kind)) -> Floats:
        """How much of each of ``bins`` equal parts of the window each tone fills.

        float64[lanes, bins, tones]; what is missing to 1 is idle. ``tone`` int32[N] is each bar's,
        0..tones-1: 2 x kind + shade % 2 unless given. Exact at any size: this is how bars thinner than a
        pixel or a character are merged.
        """
        edges = np.linspace(self.t0, self.t1, bins + 1)
        covered = np.zeros((len(self.lanes), bins, tones))
        group = self.lane.astype(np.int64) * tones + (
            2 * self.kind + self.shade % 2 if tone is None else tone
        )
        # Bars come by lane and time; a stable sort of short integers is one of buckets.
        small = group.astype(np.uint16) if len(self.lanes) * tones < 2**16 else group
        order = np.argsort(small, kind="stable")
        bounds = np.searchsorted(group[order], np.arange(len(self.lanes) * tones + 1))
        for key in np.flatnonzero(np.diff(bounds)).tolist():
            bars = order[bounds[key] : bounds[key + 1]]
            before = _time_before(edges, self.start[bars], self.end[bars])
            covered[key // tones, :, key % tones] = np.diff(before) * bins / max(self.t1 - self.t0, 1e-300)
        return np.clip(covered, 0.0, 1.0)


#: A legend lists so many chunks of one tone.
_LISTED = 4
#: What a chart says of every bar.
COLUMNS = (
    "lane", "kind", "shade", "label", "half", "op", "start", "end", "stage", "slack", "critical",
)  # fmt: skip


def _time_before(edges: Floats, start: Floats, end: Floats) -> Floats:
    """How much time disjoint ascending bars cover before each edge."""
    total = np.append(0.0, np.cumsum(end - start))
    begun = np.searchsorted(start, edges)
    overhang = np.where(begun > 0, np.append(end, 0.0)[begun - 1] - edges, 0.0)
    covered: Floats = total[begun] - np.maximum(overhang, 0.0)
    return covered


def chart(timeline: Timeline, caption: tuple[str, ...] = ()) -> Chart:
    """The chart of a whole timeline; ``caption`` stands under it, after the cost model."""
    schedule = timeline.schedule
    start, end, half = timeline.start.copy(), timeline.end.copy(), np.zeros(schedule.n_ops, dtype=np.int32)
    forward = schedule.slot_op[:-1][schedule.paired]
    alone = timeline.costs.per_stage(schedule.stages)
    f = alone[Kind.F, schedule.stage[forward]]
    both = f + alone[Kind.B, schedule.stage[forward + 1]]
    share = np.divide(f, both, out=np.full(len(f), 0.5), where=both > 0)
    meet = start[forward] + share * (end[forward] - start[forward])
    end[forward], start[forward + 1] = meet, meet
    half[forward], half[forward + 1] = Half.LEFT, Half.RIGHT
    return Chart(
        title=f"{schedule.name}: {schedule.describe()}",
        unit=timeline.costs.unit,
        lanes=tuple(range(schedule.devices)),
        lane=schedule.device,
        kind=schedule.kind.astype(np.int32),
        shade=shades(schedule),
        label=schedule.microbatch,
        half=half,
        op=np.arange(schedule.n_ops, dtype=np.int32),
        start=start,
        end=end,
        t0=0.0,
        t1=timeline.makespan,
        legend=legend(schedule),
        caption=(f"costs: {timeline.costs.describe()}", *mark_lines(timeline), *caption),
        stage=schedule.stage,
        marks=marks(timeline),
    )


def shades(schedule: Schedule) -> Ints:
    """Each op's shade, int32[N]: 0, or what tells directions and chunks apart."""
    shade: Ints = _shades_held(schedule.placement)[schedule.device, schedule.chunk]
    return shade


def _shades_held(where: Placement) -> Ints:
    """The shade of every device's chunks, int32[P, chunks + 1]; the last for a stage that a device lacks."""
    table = np.zeros((where.devices, max(map(len, where.stages), default=0) + 1), dtype=np.int32)
    for d, held in enumerate(where.stages):
        table[d, : len(held)] = where.shades(d)
    return table


def legend(schedule: Schedule) -> tuple[Entry, ...]:
    """A line for each kind and shade that there is, and one for pairs."""
    n_shades = int(_shades_held(schedule.placement).max(initial=0)) + 1
    kinds = [kind for kind in Kind if bool((schedule.kind == kind).any())]
    names = [""] if n_shades == 1 else [f", {_shade_name(schedule, n_shades, shade)}" for shade in (0, 1)]
    entries = [
        Entry(kind, shade, KIND_NAMES[kind] + name) for kind in kinds for shade, name in enumerate(names)
    ]
    if schedule.paired.any():
        entries.append(Entry(Kind.F, None, "forward and backward overlapped"))
    return tuple(entries)


def _shade_name(schedule: Schedule, n_shades: int, shade: int) -> str:
    """Directions come first; of more than two chunks, every other one has the same tone."""
    if schedule.placement.n_flows > 1:
        return ("down", "up")[shade]
    chunks = range(shade, n_shades, 2)
    if len(chunks) > _LISTED:
        return ("even chunks", "odd chunks")[shade]
    return f"chunk{'s' if len(chunks) > 1 else ''} {'/'.join(map(str, chunks))}"
