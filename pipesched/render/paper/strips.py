"""What may stand under a lane: its part of the critical path, and the activations that the device holds."""

from collections.abc import Iterator, Sequence

import numpy as np

from pipesched.render.axis import Piece
from pipesched.render.chart import Chart
from pipesched.render.paper.axis import FINEST, Axis, number
from pipesched.render.paper.cells import Rows
from pipesched.render.paper.page import Box, Line, Shape, Steps, Text
from pipesched.render.paper.shares import runs
from pipesched.render.paper.theme import Theme
from pipesched.timeline import Floats

#: Room under a lane for a line, and for a staircase, in heights of its cells; and what is drawn of each.
CRITICAL, HELD = 0.24, 0.75
_LINE, _STAIRS, _BELOW = 0.13, 0.5, 0.2


def critical(chart: Chart, axis: Axis, rows: Rows, theme: Theme) -> Iterator[Box]:
    """A line under the cells that are on the critical path; stretches that touch are one."""
    if chart.critical is None:
        return
    chosen = np.flatnonzero(chart.critical & (chart.end > chart.t0) & (chart.start < chart.t1))
    if not len(chosen):
        return
    lane, left, right = chart.lane[chosen], axis.at(chart.start[chosen]), axis.at(chart.end[chosen])
    apart = (np.diff(lane) != 0) | (left[1:] - right[:-1] > FINEST)
    first, last = np.append(True, apart), np.append(apart, True)
    y = rows.top(lane[first]) + rows.height + (CRITICAL - _LINE) / 2 * rows.height
    for x0, x1, top in zip(left[first].tolist(), right[last].tolist(), y.tolist(), strict=True):
        yield Box(x0, top, max(x1 - x0, FINEST), _LINE * rows.height, theme.ink)


def full(charts: Sequence[Chart]) -> float:
    """The level that fills a strip: the highest peak or cap of all devices of all charts."""
    found = [chart.held for chart in charts if chart.held]
    levels = [level for held in found for level in (held.peak, held.cap) if level is not None and len(level)]
    return max((float(level.max()) for level in levels), default=0.0) or 1.0


def activations(
    chart: Chart, axis: Axis, rows: Rows, theme: Theme, top: float, size: float
) -> Iterator[Shape]:
    """A staircase under each lane, ``top`` activations high, with the peak in digits on its right."""
    if chart.held is None:
        return
    scale = _STAIRS * rows.height / top
    pieces = chart.pieces
    _, right = axis.edges(pieces[-1])
    for row, device in enumerate(chart.lanes):
        foot = round(rows.y + rows.pitch * (row + 1) - _BELOW * rows.height, 2)
        for piece in pieces:
            edges, levels = _staircase(chart.held.steps[device], piece, axis)
            yield from _above(edges, levels, 0.0, foot, scale, theme.held)
            if chart.held.cap is not None:
                cap = float(chart.held.cap[device])
                yield from _above(edges, levels, cap, foot, scale, theme.mark)
                level = foot - cap * scale
                yield Line(((float(edges[0]), level), (float(edges[-1]), level)), theme.mark, 0.3)
        peak = number(float(chart.held.peak[device]))
        yield Text.level(right + 2, foot - _STAIRS * rows.height / 2, peak, size, theme.ink)


def _above(
    edges: Floats, levels: Floats, least: float, foot: float, scale: float, fill: str
) -> Iterator[Steps]:
    """What of a staircase is higher than ``least``."""
    tops = np.round(foot - levels * scale, 2)
    base = round(foot - least * scale, 2)
    for first, last in runs((levels > least + 1e-9) & (tops < base)):
        yield Steps.of(edges[first : last + 1], tops[first:last], base, fill)


def _staircase(steps: tuple[Floats, Floats], piece: Piece, axis: Axis) -> tuple[Floats, Floats]:
    """Edges float64[n + 1] in points, and the highest level that is held at any time between two of them.

    Every step has its edge, unless there are more than the page can show.
    """
    times, levels = (column[_during(piece, steps[0])] for column in steps)
    left, right = axis.edges(piece)
    places = axis.at(np.clip(times, piece.t0, piece.t1))
    edges = np.unique(np.concatenate((places, [left, right])))
    most = max(1, int((right - left) / FINEST))
    if len(edges) > most + 1:
        edges = np.linspace(left, right, most + 1)
    if len(edges) < 2 or not len(times):
        return np.array([left, right]), np.zeros(1)
    begun = np.searchsorted(places, edges[:-1], side="left")
    first = np.where(np.append(places, np.inf)[begun] > edges[:-1], begun - 1, begun)
    stop = np.maximum(np.searchsorted(places, edges[1:], side="left"), first + 1)
    spans = np.stack((np.maximum(first, 0), np.maximum(stop, 1)), axis=1).ravel()
    highest: Floats = np.maximum.reduceat(np.append(levels, 0.0), spans)[::2]
    return edges, np.where(first >= 0, highest, 0.0)


def _during(piece: Piece, times: Floats) -> slice:
    """The steps of a piece: from the last one that is there when it begins."""
    first = int(np.searchsorted(times, piece.t0, side="right")) - 1
    return slice(max(first, 0), int(np.searchsorted(times, piece.t1)))
