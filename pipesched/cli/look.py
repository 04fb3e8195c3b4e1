"""What is drawn of a schedule, and how the terminal shows it: options of the commands that draw."""

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pipesched.choices import ColorBy
from pipesched.cli.options import COLUMNS, TIME
from pipesched.errors import PipeschedWarning, ShapeError
from pipesched.words import whole

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pipesched.render.chart import Chart
    from pipesched.timeline import Timeline

#: What excerpts are, for --help.
EXCERPT = (
    "Warm-up, some of what repeats, and drain; or everything. Default: everything, up to millions of ops."
)
#: So many devices are drawn unless others are asked for.
MOST_DEVICES = 256
#: So much of the makespan is shown at least: less is a slip, and beyond what floats can divide by.
_SHORTEST = 1e-9


def _shown(*flags: str, text: str, **more: Any) -> Any:
    return typer.Option(*flags, help=text, rich_help_panel="What is drawn", **more)


def _look(*flags: str, text: str, **more: Any) -> Any:
    return typer.Option(*flags, help=text, rich_help_panel="Look", **more)


class Drawn(NamedTuple):
    """What of a schedule is drawn, as given on the command line; None where it was not."""

    start: Annotated[float | None, _shown("--from", text="From this time.", **TIME)] = None
    stop: Annotated[float | None, _shown("--to", text="Up to this time.", **TIME)] = None
    devices: Annotated[
        str | None,
        _shown("--devices", text="These devices: 0-3, or 2; numbers and caps are of all.", metavar="RANGE"),
    ] = None
    critical: Annotated[bool, _shown("--critical", text="Mark what is on the critical path.")] = False
    memory: Annotated[bool, _shown("--memory", text="Under each device, the activations it holds.")] = False
    memory_cap: Annotated[
        str | None,
        _shown(
            "--memory-cap",
            text="Show what is over so many activations of stages (compared: 1/PP of the model), or 4,4,3,3.",
            metavar="N",
        ),
    ] = None

    def chart(self, timeline: "Timeline", free_at: str, *, slack: bool = False) -> "Chart":
        """The chart with what is asked for, from and to the times, and of the devices, that are."""
        from pipesched.render.chart import chart

        drawing = chart(timeline)
        if slack or self.critical or self.memory or self.memory_cap:
            drawing = self._annotated(drawing, timeline, free_at, slack=slack)
        chosen = device_range(self.devices, timeline.schedule.devices)
        if (self.start, self.stop, chosen) == (None, None, None):
            return drawing
        t0, t1 = window(self.start, self.stop, timeline.makespan)
        return spread(drawing.window(t0, t1, chosen), chosen, timeline.schedule.devices)

    def _annotated(self, drawing: "Chart", timeline: "Timeline", free_at: str, *, slack: bool) -> "Chart":
        from pipesched.cli.transport import memory_caps
        from pipesched.render import annotate

        if slack:
            drawing = annotate.with_slack(drawing, timeline)
        if self.critical:
            drawing = annotate.with_critical_path(drawing, timeline)
        if self.memory or self.memory_cap:
            cap = memory_caps(self.memory_cap, timeline.schedule.devices) if self.memory_cap else None
            drawing = annotate.with_activations(drawing, timeline, free_at, cap)
        return drawing


class Look(NamedTuple):
    """How the terminal draws it."""

    width: Annotated[int | None, _look("--width", text="Columns. Default the terminal's.", **COLUMNS)] = None
    color_by: Annotated[ColorBy, _look("--color-by", text="What colours mean.")] = "kind"
    wrap: Annotated[bool, _look("--wrap", text="Fold a long chart, so that cells show their numbers.")] = (
        False
    )
    ascii_only: Annotated[bool, _look("--ascii", text="Letters instead of colours, 7-bit.")] = False

    @property
    def slack(self) -> bool:
        """Whether charts are to know the slack of ops."""
        return self.color_by == "slack"

    def picture(self, charts: "list[Chart]") -> "RenderableType":
        """What the terminal is to draw."""
        from pipesched.render.terminal import Gantt

        return Gantt(*charts, ascii=self.ascii_only, color_by=self.color_by, wrap=self.wrap)


def window(start: float | None, stop: float | None, makespan: float) -> tuple[float, float]:
    """The times to show; :class:`ShapeError` where there is nothing between them."""
    t0, t1 = 0.0 if start is None else start, makespan if stop is None else stop
    if not (0 <= t0 < makespan and t0 + _SHORTEST * makespan < t1):
        raise ShapeError(
            f"nothing to show from {t0:.12g} to {t1:.12g}: the schedule runs from 0 to {makespan:.12g}"
        )
    return t0, min(t1, makespan)


def device_range(text: str | None, count: int) -> range | None:
    """``0-3`` or ``2`` as a range of devices; None for all, but evenly spread ones of very many."""
    if text is None:
        return range(0, count, -(-count // MOST_DEVICES)) if count > MOST_DEVICES else None
    first, _, last = text.partition("-")
    low, high = whole(first), whole(last or first)
    chosen = range(0) if low is None or high is None else range(low, high + 1)
    if not chosen or chosen[0] < 0 or chosen[-1] >= count:
        raise ShapeError(f"--devices must be like 0-3 or 2, within 0-{count - 1}; got {text!r}")
    return chosen


def spread(drawing: "Chart", chosen: range | None, count: int) -> "Chart":
    """The chart of the chosen ones of so many devices, saying so where some between them are left out."""
    if chosen is None or chosen.step == 1:
        return drawing
    told = f"of {count:,} devices one in {chosen.step} is drawn"
    warn(f"{told}; --devices 0-{count - 1} draws all")
    return replace(drawing, caption=(*drawing.caption, told))


def warn(message: str) -> None:
    """A note beside the result."""
    warnings.warn(message, PipeschedWarning, stacklevel=3)
