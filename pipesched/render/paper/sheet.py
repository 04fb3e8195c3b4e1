"""A figure: schedules under each other on one time axis, with legend and cost model below."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pipesched.errors import CostError, OutputError
from pipesched.render.chart import Chart
from pipesched.render.paper import breaks, strips
from pipesched.render.paper.axis import TICK, Axis, arrow, number, ruler
from pipesched.render.paper.cells import Rows, cells, detail
from pipesched.render.paper.lanes import Style, lanes
from pipesched.render.paper.legend import items, legend
from pipesched.render.paper.look import WIDTH, Look
from pipesched.render.paper.page import Page, Shape, Text, Width
from pipesched.render.paper.shares import NOTE
from pipesched.render.paper.text import clean, fitting, text_width, wrapped
from pipesched.render.paper.theme import theme_named

#: Letters of a title, of a line of the caption, of a unit and of a mark's text, at most.
_TITLE, _LINE, _UNIT, _TEXT = 200, 1000, 40, 200
#: Height of a lane's cells: in their typical width, at least, at most; of all lanes together, unless that
#: makes a lane lower than the last, in points.
_SHAPE, _LOW, _HIGH, _ALL, _LEAST = 1.45, 8.5, 15.0, 700.0, 1.5
#: Free space around the figure, between a lane and its name, and between a lane and its peak, in points.
_EDGE, _GAP, _BESIDE = 4.0, 4.0, 3.0


def figure(charts: Sequence[Chart], look: Look | None = None) -> Page:
    """Lay out one chart, or several on one axis.

    Raises :class:`OutputError` for no chart, for a width or theme that is none and for a wrong number of
    titles, :class:`CostError` for charts in different units of time.
    """
    if not charts:
        raise OutputError("a figure needs a schedule at least")
    charts = list(map(_printable, charts))
    units = sorted({chart.unit for chart in charts})
    if len(units) > 1:
        raise CostError(f"schedules in {' and '.join(units)} cannot share one time axis")
    look = look or Look()
    sheet = _Sheet(charts, _titles(charts, look), look)
    shapes = tuple(sheet.draw())
    return Page(
        width=sheet.width,
        height=sheet.y + _EDGE,
        background=sheet.style.theme.background,
        title="; ".join(title or chart.title for title, chart in zip(sheet.titles, charts, strict=True)),
        description="; ".join(dict.fromkeys(text for each in charts for text in _told(each))),
        shapes=shapes,
    )


def _printable(chart: Chart) -> Chart:
    """The chart with texts that every format can hold and every layout has room for."""
    marks = chart.marks and chart.marks._replace(text=tuple(clean(text, _TEXT) for text in chart.marks.text))
    caption = tuple(clean(line, _LINE) for line in chart.caption)
    title, unit = clean(chart.title, _TITLE), clean(chart.unit, _UNIT)
    left_out = tuple(each._replace(text=clean(each.text, _LINE)) for each in chart.breaks)
    return replace(chart, title=title, unit=unit, caption=caption, marks=marks, breaks=left_out)


def _told(chart: Chart) -> tuple[str, ...]:
    """All that a figure says of a chart, whichever of it is shown."""
    return (chart.title, *breaks.caption(chart, None))


def _titles(charts: Sequence[Chart], look: Look) -> list[str]:
    """What stands over each chart; empty for nothing."""
    if look.titles is None:
        return [chart.title for chart in charts]
    if len(look.titles) not in (0, len(charts)):
        count = f"{len(charts)} schedule{'s' if len(charts) > 1 else ''}"
        raise OutputError(f"a figure of {count} has as many titles, or none; got {len(look.titles)}")
    return [clean(title, _TITLE) for title in look.titles or [""] * len(charts)]


class _Sheet:
    """The page while it grows: ``y`` is where the next thing begins."""

    def __init__(self, charts: Sequence[Chart], titles: list[str], look: Look) -> None:
        self.titles, self.look, self.y = titles, look, _EDGE
        self.width = Width.parse(WIDTH if look.width is None else look.width)
        size = min(9.0, max(6.5, 5.2 + self.width.points / 180))
        charts, axis = breaks.opened(charts, *_edges(charts, self.width.points, size, ruled=look.ruler))
        self.charts = charts
        self.height, self.pitch = _heights(charts, axis)
        finely, self.drawn = detail([cells(chart, axis) for chart in charts], self.height, size)
        self.style = Style(
            axis=axis,
            ticks=axis.ticks(size) if look.ruler else [],
            theme=theme_named(look.theme),
            detail=finely,
            size=size,
            small=0.88 * size,
            names=(axis.left - _GAP, axis.left - _GAP - _EDGE),
            lanes=sum(len(chart.lanes) for chart in charts),
            top=strips.full(charts),
        )
        self.words = [breaks.words(chart, axis, self.style.small) for chart in charts]

    def draw(self) -> Iterator[Shape]:
        """Everything from top to bottom."""
        captions = list(map(breaks.caption, self.charts, self.words))
        shared = len(set(captions)) == 1
        for n, (chart, title, drawn) in enumerate(zip(self.charts, self.titles, self.drawn, strict=True)):
            self.y += 0.9 * self.style.size if n else 0.0
            yield from self._title(title)
            yield from self._words(n)
            rows = Rows(round(self.y, 2), self.pitch, self.height)
            yield from lanes(chart, drawn, rows, self.style)
            self.y = rows.y + rows.pitch * len(chart.lanes)
            if n == len(self.charts) - 1:
                yield from self._time()
            yield from self._lines(() if shared else captions[n])
        yield from self._legend()
        notes = [NOTE] if self.style.detail.merged else []
        yield from self._lines([*(captions[0] if shared else ()), *notes])

    def _title(self, title: str) -> Iterator[Shape]:
        size, axis = self.style.size, self.style.axis
        for line in wrapped(title, size, axis.right - axis.left, bold=True):
            yield self._text(line, size, bold=True)
            self.y += 0.3 * size

    def _words(self, n: int) -> Iterator[Shape]:
        """What a chart's breaks leave out, unless the chart above says the same."""
        words, size = self.words[n], self.style.small
        if words and (n == 0 or words != self.words[n - 1]):
            self.y += 1.35 * size
            for x, text in words:
                yield Text(x, self.y - 0.35 * size, text, size, self.style.theme.ink)
            self.y += 0.2 * size

    def _lines(self, texts: Sequence[str]) -> Iterator[Shape]:
        if not (self.look.caption and texts):
            return
        self.y += 2
        for text in texts:
            for line in wrapped(text, self.style.small, self.style.axis.right - self.style.axis.left):
                yield self._text(line, self.style.small)

    def _text(self, text: str, size: float, *, bold: bool = False) -> Text:
        """A line of text at ``y``, which moves below it."""
        self.y += 1.35 * size
        left, ink = self.style.axis.left, self.style.theme.ink
        return Text(left, self.y - 0.35 * size, text, size, ink, "start", bold)

    def _time(self) -> Iterator[Shape]:
        """Ruler or arrow."""
        size, theme, ticks = self.style.size, self.style.theme, self.style.ticks
        if self.look.ruler:
            yield from ruler(ticks, self.y, size, theme)
            overhang = text_width(ticks[0].text, size) / 2 if ticks else 0.0
            right, room = self.style.names
            text = fitting(_unit_label(self.charts[0]), size, room - overhang)
            yield Text(right - overhang, self.y + TICK + 0.9 * size, text, size, theme.ink, "end")
        else:
            yield from arrow(self.style.axis, self.y, size, theme)
        self.y += TICK + 1.2 * size

    def _legend(self) -> Iterator[Shape]:
        found = items(self.charts, self.style.theme) if self.look.legend else []
        if found:
            axis, size = self.style.axis, self.style.small
            top = self.y + 0.7 * self.style.size
            shapes, self.y = legend(found, axis.left, axis.right, top, size, self.style.theme)
            yield from shapes


def _unit_label(chart: Chart) -> str:
    return f"time ({chart.unit})"


def _edges(charts: Sequence[Chart], width: float, size: float, *, ruled: bool) -> tuple[float, float]:
    """Between the lanes' names and what reaches beyond their ends: the last tick's number, and peaks."""
    t1 = max(chart.time(chart.t1) for chart in charts)
    names = [f"Device {chart.lanes[-1]}" for chart in charts if chart.lanes]
    names += [_unit_label(charts[0])] if ruled else []
    widest = max((text_width(name, size) for name in names), default=0.0) + 0.3 * size
    peaks = {number(peak) for chart in charts if chart.held for peak in chart.held.peak.tolist()}
    beyond = [text_width(peak, size) + _BESIDE for peak in peaks]
    last = f"{t1:,.6g}" if t1 < 1e6 else f"{t1:,.0f}" if t1 < 1e15 else number(t1)
    beyond += [text_width(last, size) / 2 if ruled else 1.0]
    left, right = _EDGE + min(widest, width / 5) + _GAP, width - _EDGE - min(max(beyond), width / 5)
    return round(left, 2), round(right, 2)


def _heights(charts: Sequence[Chart], axis: Axis) -> tuple[float, float]:
    """Of a lane's cells, and of a lane with what stands under it."""
    lengths = np.concatenate([chart.end - chart.start for chart in charts])
    span = (axis.t1 - axis.t0) or 1.0
    typical = float(np.median(lengths)) / span * (axis.right - axis.left) if len(lengths) else 0.0
    under = strips.CRITICAL * any(chart.critical is not None for chart in charts)
    under += strips.HELD * any(chart.held is not None for chart in charts)
    most = _ALL / max(sum(len(chart.lanes) for chart in charts), 1)
    pitch = (1 + under) * max(_LOW, min(_HIGH, _SHAPE * typical))
    pitch = round(max(_LEAST, min(pitch, most)), 2)
    return round(pitch / (1 + under), 2), pitch
