"""The Gantt chart in the terminal, as a rich renderable."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.text import Text

from pipesched.render.terminal import cells as terminal_cells
from pipesched.render.terminal import fills as terminal_fills
from pipesched.render.terminal import letters as terminal_letters
from pipesched.render.terminal import shares as terminal_shares
from pipesched.render.chart import Chart
from pipesched.render.terminal.canvas import Canvas
from pipesched.render.terminal.colors import Colors
from pipesched.render.terminal.legend import flow, legend, ruler, scale_note
from pipesched.render.terminal.scale import Scale, fit, lower_quartile

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

COLOR_BY = ("kind", "microbatch")
#: Cells are drawn one by one while three quarters of them are wider than this, in columns.
_THINNEST = 0.7
#: What has no likeness in 7 bits of its own.
_IN_ASCII = str.maketrans({"\N{MICRO SIGN}": "u", "\N{GREEK SMALL LETTER MU}": "u", "…": "..."})


class Gantt:
    """A lane per device under a ruler, with legend, notes and caption.

    Never wider than the console. In colour, every cell is a fill with a thin border through which the
    terminal's background shows. Without colours (NO_COLOR, a pipe, ``ascii``) cells are letters and
    numbers: ``F12``, a pair ``F7&b13``, lower case for the second direction or chunk; ``ascii`` keeps
    to 7 bits. ``color_by`` is "kind" or "microbatch".

    Where cells are thinner than a character, each column shows how its time is shared out, and idle
    time from a sixteenth of a column up: see :mod:`pipesched.render.terminal.shares`.
    """

    def __init__(self, chart: Chart, *, ascii: bool = False, color_by: str = "kind") -> None:  # noqa: A002
        if color_by not in COLOR_BY:
            raise ValueError(f"color_by must be {' or '.join(COLOR_BY)}; got {color_by!r}")
        self.chart = chart
        self.ascii = ascii
        self.color_by = color_by

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        chart, width = self.chart, options.max_width
        ascii_only = self.ascii or options.ascii_only
        colors = Colors(
            chart, self.color_by, None if ascii_only or console.no_color else console.color_system
        )
        idle, bars = (".", "||") if ascii_only else ("·", "▏▕")
        digits = min(len(str(max(chart.lanes, default=0))), width - 1)
        scale, margin = _scale(chart, width, digits, bordered=colors.system is not None)
        canvas = Canvas(len(chart.lanes), scale.columns)
        shown = _paint(canvas, chart, colors, scale, idle)
        times, power = ruler(scale, chart.t1, bars)

        def folded(*lines: Text) -> "RenderResult":
            for line in lines:
                yield from _folded(line, console, width, ascii_only)

        unit = f"1e{power} {chart.unit}" if power else chart.unit
        yield from folded(Text(f"{chart.title}; time in {unit}"))
        yield Segment(f"{'':{margin}}{times}\n")
        for row, lane in enumerate(chart.lanes):
            yield Segment(f"{lane:>{digits}}".ljust(margin)[:margin])
            yield from canvas.row(row, colors.style)
            yield Segment.line()
        yield Segment.line()
        yield from folded(*flow(legend(chart, colors, idle), width))
        yield from folded(*scale_note(scale, chart, colors, shown), *map(Text, chart.caption))


def _scale(chart: Chart, width: int, digits: int, *, bordered: bool) -> tuple[Scale, int]:
    """The scale, and the columns left of the lanes: the digits of a device number and a space.

    Where cells have a border, the space is given up if all cells are whole columns wide without it.
    """
    margin = min(digits + 1, width - 1)
    scale = fit(chart, width - margin)
    if bordered and not scale.whole and margin > digits:
        wider = fit(chart, width - digits)
        if wider.whole:
            return wider, digits
    return scale, margin


def _paint(canvas: Canvas, chart: Chart, colors: Colors, scale: Scale, idle: str) -> int | None:
    """Draw all lanes; how many bars show their number, or None where there are no cells to show it."""
    in_color = colors.system is not None
    if lower_quartile(chart, scale) < _THINNEST:
        if in_color:
            terminal_shares.paint_colors(canvas, chart, colors)
        else:
            terminal_shares.paint_letters(canvas, chart, idle)
        return None
    cells = terminal_cells.lay(chart, scale)
    if in_color:
        return terminal_fills.paint(canvas, chart, cells, colors)
    return terminal_letters.paint(canvas, chart, cells, idle)


def _folded(text: Text, console: "Console", width: int, ascii_only: bool) -> Iterator[Segment]:
    """A text in as many lines as it needs, none wider than ``width``."""
    characters = (c if c.isprintable() else "?" for c in text.plain)
    text.plain = "".join(characters)
    if ascii_only:
        text.plain = text.plain.translate(_IN_ASCII).encode("ascii", "replace").decode()
    for line in text.wrap(console, width):
        line.rstrip()
        yield from line.render(console, end="\n")
