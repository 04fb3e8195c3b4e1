"""A figure for paper: schedules under each other on one time axis, legend and cost model below.

Cells are drawn one by one unless more than a quarter of them are thinner than ``THINNEST``, or there are
more than ``MOST_CELLS``; then lanes are strips of shares (:mod:`paper_strips`), which the caption says.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from pipesched.errors import CostError, OutputError
from pipesched.render.chart import Chart
from pipesched.render.paper import Box, Line, Page, Shape, Text, Width
from pipesched.render.paper_cells import Cells, Frame, boxes, cells, marked, numbers
from pipesched.render.paper_legend import legend
from pipesched.render.paper_ruler import arrow, ruler, ticks
from pipesched.render.paper_strips import strips
from pipesched.render.paper_text import BOLDER, HEIGHT, clean, fitting, text_width, wrapped
from pipesched.render.paper_theme import Theme, theme_named

#: A quarter of the cells may be thinner than this, in points.
THINNEST = 1 / 3
#: So many cells are drawn in a figure.
MOST_CELLS = 20_000
#: Up to here every cell says what it is when the mouse is over it.
MOST_HINTS = 3000
#: Height of lanes: in their cells' width, at least, at most; and of all together.
_SHAPE, _LOW, _HIGH, _ALL = 1.45, 8.5, 15.0, 700.0
#: Free space around the figure, and between a lane and its name, in points.
_EDGE, _GAP = 4.0, 4.0


def figure(
    charts: Sequence[Chart], *, width: Width | str = "180mm", theme: str = "print", ruled: bool = True
) -> Page:
    """Lay out one chart, or several on one axis; ``ruled`` adds a ruler of time.

    Raises :class:`OutputError` for no chart and for a width or theme that is none, :class:`CostError`
    for charts in different units of time.
    """
    if not charts:
        raise OutputError("a figure needs a schedule at least")
    units = sorted({chart.unit for chart in charts})
    if len(units) > 1:
        raise CostError(f"schedules in {' and '.join(units)} cannot share one time axis")
    width = Width.parse(width) if isinstance(width, str) else width
    sheet = _Sheet(charts, width, theme_named(theme), ruled=ruled)
    shapes = tuple(sheet.draw())
    texts = dict.fromkeys(text for chart in charts for text in (chart.title, *chart.caption))
    return Page(
        width=width,
        height=round(sheet.y + _EDGE, 2),
        background=sheet.theme.background,
        title=clean("; ".join(chart.title for chart in charts)),
        description=clean("; ".join(texts)),
        shapes=shapes,
    )


class _Sheet:
    """The page while it grows: ``y`` is where the next thing begins."""

    def __init__(self, charts: Sequence[Chart], width: Width, theme: Theme, *, ruled: bool) -> None:
        self.charts, self.theme, self.ruled, self.y = charts, theme, ruled, _EDGE
        self.size = round(min(9.0, max(6.5, 5.2 + width.points / 180)), 1)
        self.small = round(0.88 * self.size, 1)
        self.t0, self.t1 = min(chart.t0 for chart in charts), max(chart.t1 for chart in charts)
        self.unit_label = f"time ({clean(charts[0].unit)})" if ruled else ""
        names = [self.unit_label, *(f"Device {lane}" for chart in charts for lane in chart.lanes[-1:])]
        widest = min(max(text_width(name, self.size) for name in names) + 0.3 * self.size, width.points / 5)
        overhang = text_width(f"{self.t1:.6g}", self.size) / 2 if ruled else 1.0
        self.left = round(_EDGE + widest + _GAP, 2)
        self.right = round(width.points - _EDGE - overhang, 2)
        self.rate = (self.right - self.left) / ((self.t1 - self.t0) or 1.0)
        self.lanes = sum(len(chart.lanes) for chart in charts)
        self.pitch = self._pitch()
        self.marks = ticks(self.t0, self.t1, self.rate, self.size) if ruled else []

    def _pitch(self) -> float:
        lengths = np.concatenate([chart.end - chart.start for chart in self.charts])
        typical = float(np.median(lengths)) * self.rate if len(lengths) else 0.0
        return round(max(1.5, min(max(_LOW, min(_HIGH, _SHAPE * typical)), _ALL / max(self.lanes, 1))), 2)

    def draw(self) -> Iterator[Shape]:
        """Everything from top to bottom."""
        shared = len({chart.caption for chart in self.charts}) == 1
        notes: list[str] = []
        for number, chart in enumerate(self.charts):
            self.y += 0.9 * self.size if number else 0.0
            yield from self._title(chart)
            drawn = cells(chart, Frame(self.left, self.y, self.rate, self.t0, self.pitch))
            merged = drawn.thin < THINNEST or len(drawn.bar) > MOST_CELLS // len(self.charts)
            notes += [_MERGED] * merged
            yield from self._lanes(chart, drawn, merged=merged)
            if number == len(self.charts) - 1:
                yield from self._axis()
            yield from self._lines(() if shared else chart.caption)
        self.y = round(self.y + 0.7 * self.size, 2)
        entries, self.y = legend(self.charts, self.left, self.right, self.y, self.size, self.theme)
        yield from entries
        yield from self._lines([*(self.charts[0].caption if shared else ()), *notes[:1]])

    def _title(self, chart: Chart) -> Iterator[Shape]:
        lines = wrapped(chart.title, self.size * BOLDER, self.right - _EDGE)
        for line in lines:
            yield self._text(_EDGE, line, self.size, bold=True)
        self.y = round(self.y + 0.3 * self.size * bool(lines), 2)

    def _lines(self, texts: Sequence[str]) -> Iterator[Shape]:
        self.y = round(self.y + 2 * bool(texts), 2)
        for text in texts:
            for line in wrapped(text, self.small, self.right - self.left):
                yield self._text(self.left, line, self.small)

    def _text(self, x: float, text: str, size: float, *, bold: bool = False) -> Text:
        """A line of text at ``y``, which moves below it."""
        self.y = round(self.y + 1.35 * size, 2)
        return Text(x, round(self.y - 0.35 * size, 2), text, size, self.theme.ink, "start", bold)

    def _lanes(self, chart: Chart, drawn: Cells, *, merged: bool) -> Iterator[Shape]:
        frame = Frame(self.left, self.y, self.rate, self.t0, self.pitch)
        height = round(self.pitch * len(chart.lanes), 2)
        yield from self._ground(chart, frame, height)
        if merged:
            yield from strips(chart, frame, self.theme, self.lanes)
        else:
            yield from boxes(chart, drawn, self.theme, hints=len(drawn.bar) <= MOST_HINTS)
            yield from numbers(chart, drawn, self.theme, self.size)
        yield from marked(chart, frame, self.theme)
        yield from self._names(chart)
        self.y = round(self.y + height, 2)

    def _ground(self, chart: Chart, frame: Frame, height: float) -> Iterator[Shape]:
        """What idle time shows, with the ruler's lines on it."""
        x0, x1 = frame.at(np.array([chart.t0, chart.t1])).tolist()
        yield Box(x0, self.y, round(x1 - x0, 2), height, self.theme.idle, self.theme.faint, 0.3)
        for mark in self.marks:
            x = round(self.left + mark.x, 2)
            if x0 < x < x1:
                yield Line(x, self.y, x, round(self.y + height, 2), self.theme.faint, 0.2)

    def _names(self, chart: Chart) -> Iterator[Shape]:
        """The devices, as many as have room for their names."""
        size = round(min(self.size, max(self.pitch, 0.8 * self.size)), 2)
        every = max(1, -(-size // self.pitch))
        for row, lane in enumerate(chart.lanes):
            if row % every == 0:
                base = self.y + self.pitch * (row + 0.5) + HEIGHT / 2 * size
                yield self._name(f"Device {lane}", round(base, 2), size, 0.0)

    def _name(self, text: str, base: float, size: float, gap: float) -> Text:
        """A text left of the lanes."""
        x = round(self.left - _GAP - gap, 2)
        return Text(x, base, fitting(text, size, x - _EDGE), size, self.theme.ink, "end")

    def _axis(self) -> Iterator[Shape]:
        """Ruler or arrow."""
        if self.ruled:
            yield from ruler(self.marks, self.left, self.y, self.size, self.theme)
            before_first = text_width(self.marks[0].text, self.size) / 2 if self.marks else 0.0
            yield self._name(self.unit_label, round(self.y + 3 + 0.9 * self.size, 2), self.size, before_first)
        else:
            yield from arrow(self.left, self.right, self.y, self.size, self.theme)
        self.y = round(self.y + 3 + 1.2 * self.size, 2)


_MERGED = (
    "Cells too thin to draw are merged: in each column of a lane, heights are shares of time, forward at the "
    "foot, then backward; blank is idle."
)
