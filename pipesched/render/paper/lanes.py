"""The lanes of one chart: ground, cells or shares of them, what stands under each lane, marks, names."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pipesched.render.chart import Chart
from pipesched.render.paper import breaks
from pipesched.render.paper.axis import Axis, Tick, number
from pipesched.render.paper.cells import Cells, Detail, Rows, boxes, numbers
from pipesched.render.paper.page import Box, Line, Shape, Text
from pipesched.render.paper.shares import shares
from pipesched.render.paper.strips import activations, critical
from pipesched.render.paper.text import fitting
from pipesched.render.paper.theme import Theme

#: Width of a mark, of its head, and its height in a lane: of an unknown action, and of a known one.
_MARK, _HEAD, _UNKNOWN, _KNOWN = 1.4, 4.2, 1.0, 0.45


class Style(NamedTuple):
    """What all charts of a figure share.

    ``size`` is that of texts, ``small`` of lesser ones; ``names`` where the lanes' names end and how much
    room they have; ``lanes`` how many the figure has; ``top`` how many activations fill a strip.
    """

    axis: Axis
    ticks: list[Tick]
    theme: Theme
    detail: Detail
    size: float
    small: float
    names: tuple[float, float]
    lanes: int
    top: float


def lanes(chart: Chart, drawn: Cells, rows: Rows, style: Style) -> Iterator[Shape]:
    """Everything between a chart's title and its time axis."""
    axis, theme = style.axis, style.theme
    yield from _ground(chart, rows, style)
    if style.detail.merged:
        for piece in chart.pieces:
            yield from shares(chart.window(piece.t0, piece.t1), axis, rows, theme, style.lanes)
    else:
        yield from boxes(chart, drawn, rows, style.detail.border, theme)
        yield from numbers(chart, drawn, rows, style.detail, theme)
    yield from critical(chart, axis, rows, theme)
    yield from activations(chart, axis, rows, theme, style.top, style.small)
    yield from _marked(chart, rows, style)
    yield from breaks.marks(chart, axis, rows.y, rows.pitch * len(chart.lanes), theme)
    yield from _names(chart, rows, style)


def _ground(chart: Chart, rows: Rows, style: Style) -> Iterator[Shape]:
    """What idle time shows, with the ruler's lines on it."""
    height, theme = rows.pitch * len(chart.lanes), style.theme
    for piece in chart.pieces:
        left, right = style.axis.edges(piece)
        yield Box(left, rows.y, round(right - left, 2), height, theme.idle, theme.faint, 0.3)
        for x, _ in style.ticks:
            if left < x < right:
                yield Line(((x, rows.y), (x, rows.y + height)), theme.grid, 0.3)


def _marked(chart: Chart, rows: Rows, style: Style) -> Iterator[Box]:
    """What takes no time, as a flag at its time: a high one for unknown actions, else a short line."""
    theme = style.theme
    for lane, time, opaque, text in chart.marks.by_place() if chart.marks else ():
        x = float(style.axis.at(np.array([time]))[0])
        height = rows.height * (_UNKNOWN if opaque else _KNOWN)
        top = rows.y + rows.pitch * lane + rows.height - height
        when = f"device {chart.lanes[lane]}, at {number(chart.time(time))} {chart.unit}, takes no time"
        hint = f"{text}, {when}" if theme.hints else ""
        yield Box(x - _MARK / 2, top, _MARK, height, theme.mark, None, 0.0, hint)
        if opaque:
            head = min(_HEAD, 0.5 * rows.height)
            yield Box(x - head / 2, top, head, head, theme.mark, theme.idle, 0.3, hint)


def _names(chart: Chart, rows: Rows, style: Style) -> Iterator[Text]:
    """The devices, as many as have room for their names."""
    size = min(style.size, max(rows.pitch, style.small))
    right, room = style.names
    for row in range(0, len(chart.lanes), max(1, math.ceil(size / rows.pitch))):
        middle = rows.y + rows.pitch * row + rows.height / 2
        text = fitting(f"Device {chart.lanes[row]}", size, room)
        yield Text.level(right, middle, text, size, style.theme.ink, "end")
