"""The Gantt chart in the terminal, as a rich renderable."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.segment import Segment
from rich.text import Text

from pipesched.choices import ColorBy
from pipesched.render.chart import Chart
from pipesched.render.terminal import breaks, strips
from pipesched.render.terminal.canvas import digits
from pipesched.render.terminal.colors import COLOR_BY, Colors
from pipesched.render.terminal.legend import flow, legend, scale_note
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.panel import THINNEST, Panel, device_digits
from pipesched.render.terminal.scale import WORTH, Scale, fit, lower_quartile, spacious, span
from pipesched.timeline import Floats

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

#: In letters a cell is as wide as its text and no wider: equal times equally wide are worth half the width.
_WORTH_IN_LETTERS = 0.5
#: What has no likeness in 7 bits of its own.
_IN_ASCII = str.maketrans({"\N{MICRO SIGN}": "u", "\N{GREEK SMALL LETTER MU}": "u", "…": "..."})


class _Layout(NamedTuple):
    """``charts`` have room for the marks of their breaks."""

    charts: Sequence[Chart]
    scale: Scale
    margin: int
    thin: bool


class Gantt:
    """A lane per device under a ruler, with legend, notes and caption; several charts on one time axis.

    Never wider than the console. In colour, every cell is a fill: with a thin border through which the
    terminal's background shows where all cells are whole columns wide, else to an eighth of a column, with
    two shades to tell neighbours apart. Without colours (NO_COLOR, a pipe, ``ascii``) cells are letters and
    numbers: ``F12``, a pair ``F7&b13``, lower case for the second direction or chunk; ``ascii`` keeps
    to 7 bits. ``color_by`` is "kind", "microbatch", "stage" or "slack". ``wrap`` folds what is too long to
    show its numbers into panels, one under the other. A chart's critical path and activations are drawn
    under its lanes, if it has them: :mod:`pipesched.render.annotate`.

    Where cells are thinner than a character, each column shows how its time is shared out, and idle
    time from a sixteenth of a column up: see :mod:`pipesched.render.terminal.shares`.
    """

    def __init__(
        self,
        chart: Chart,
        *more: Chart,
        ascii: bool = False,  # noqa: A002
        color_by: ColorBy = "kind",
        wrap: bool = False,
    ) -> None:
        if color_by not in COLOR_BY:
            raise ValueError(f"color_by must be {', '.join(COLOR_BY[:-1])} or slack; got {color_by!r}")
        self.charts = (chart, *more)
        self.ascii = ascii
        self.color_by = color_by
        self.wrap = wrap

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        width = options.max_width
        ascii_only = self.ascii or options.ascii_only
        system = None if ascii_only or console.no_color else console.color_system
        look = Look(Colors(self.charts, self.color_by, system), ascii_only)
        layout = _layout(self.charts, width, look, wrap=self.wrap)
        charts = layout.charts

        def folded(*lines: Text) -> "RenderResult":
            for line in lines:
                yield from _folded(line, console, width, ascii_only)

        shown: int | None = 0
        for number, window in enumerate(_windows(charts, layout.scale)):
            for chart in window:
                scale = layout.scale._replace(t0=chart.t0)
                panel = Panel(chart, scale, look, layout.margin, thin=layout.thin)
                shown = None if shown is None or panel.shown is None else shown + panel.shown
                if number == 0 or len(charts) > 1:
                    yield from folded(_title(chart, panel.power, number))
                for line in panel.lines():
                    yield from line
                    yield Segment.line()
                yield Segment.line()
        yield from folded(*flow(legend(charts, look), width))
        yield from folded(*_held(charts, look, width))
        yield from folded(*scale_note(layout.scale, charts, look, shown), *_captions(charts))


def _layout(charts: Sequence[Chart], width: int, look: Look, *, wrap: bool) -> _Layout:
    """The scale, and the columns left of the lanes: the digits of a device number and a space.

    Where cells have a border, the space is given up if all cells are whole columns wide without it.
    """
    number = min(device_digits(tuple(charts)), width - 1)
    margin = min(number + 1, width - 1)
    worth = WORTH if look.in_color else _WORTH_IN_LETTERS
    gap = breaks.width(charts, width - margin)
    taken = gap * max(len(chart.breaks) for chart in charts)
    scale = fit(charts, width - margin - taken, worth)
    if look.in_color and not scale.whole and margin > number and not wrap:
        wider = fit(charts, width - number - taken, worth)
        if wider.whole:
            scale, margin = wider, number
    if wrap:
        needed = np.concatenate([_needed(chart, look) for chart in charts])
        scale = spacious(charts, width - margin, needed)
        gap = -(-gap // scale.grid) * scale.grid  # so that panels begin and end at whole ticks after it
    thin = lower_quartile(charts, scale) < THINNEST
    if gap and scale.rate:
        charts = [chart.opened(gap / scale.rate) for chart in charts]
        scale = scale if wrap else scale._replace(columns=scale.columns + taken)
    return _Layout(charts, scale, margin, thin)


def _needed(chart: Chart, look: Look) -> Floats:
    """How many columns each bar needs to show its number, float64[N]."""
    if look.in_color:
        beside = 1.0 + look.colors.lettered + np.zeros(len(chart.half))  # the border
    else:
        beside = 1.0 + (chart.half > 0) / 2  # the letter, and of a pair half an ampersand
    needed: Floats = digits(chart.label) + beside
    return needed


def _windows(charts: Sequence[Chart], scale: Scale) -> Iterator[list[Chart]]:
    """The charts panel by panel, each on the axis of all; a chart that has ended is left out."""
    t0, t1 = span(charts)
    length = scale.columns / scale.rate if scale.rate else 0.0
    if not scale.rate or t0 + length >= t1 - 1e-9 * abs(t1):
        yield [replace(chart, t0=t0) for chart in charts]
        return
    yield from _halved(charts, t0, length, range(math.ceil((t1 - t0) / length - 1e-9)))


def _halved(charts: Sequence[Chart], t0: float, length: float, panels: range) -> Iterator[list[Chart]]:
    """Windows by halves of halves: each bar is looked at as often as the panels can be halved."""
    start, end = (t0 + number * length for number in (panels.start, panels.stop))
    shown = [chart.window(start, min(end, chart.t1)) for chart in charts if chart.t1 > start]
    if len(panels) == 1:
        yield shown
        return
    middle = len(panels) // 2
    yield from _halved(shown, t0, length, panels[:middle])
    yield from _halved(shown, t0, length, panels[middle:])


def _title(chart: Chart, power: int, number: int) -> Text:
    unit = f"1e{power} {chart.unit}" if power else chart.unit
    return Text(chart.name if number else f"{chart.title}; time in {unit}")


def _held(charts: Sequence[Chart], look: Look, width: int) -> Iterator[Text]:
    """The activations of each of several charts."""
    if len(charts) > 1:
        for chart in charts:
            if chart.held is not None:
                name = Text(f"{chart.name}:")
                yield from flow([name, *strips.activations_legend(chart.held, look)], width)


def _captions(charts: Sequence[Chart]) -> Iterator[Text]:
    """What is said of all once, the rest with the name of its schedule."""
    common = [line for line in charts[0].caption if all(line in chart.caption for chart in charts)]
    for chart in charts:
        own = (line for line in chart.caption if line not in common)
        yield from (Text(f"{chart.name}: {line}") for line in own)
    yield from map(Text, common)


def _folded(text: Text, console: "Console", width: int, ascii_only: bool) -> Iterator[Segment]:
    """A text in as many lines as it needs, none wider than ``width``."""
    characters = (c if c.isprintable() else "?" for c in text.plain)
    text.plain = "".join(characters)
    if ascii_only:
        text.plain = text.plain.translate(_IN_ASCII).encode("ascii", "replace").decode()
    for line in text.wrap(console, width):
        line.rstrip()
        yield from line.render(console, end="\n")
