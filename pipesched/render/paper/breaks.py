"""Where the axis leaves time out: room for a mark across the lanes, and words above it."""

from collections.abc import Iterator, Sequence

import numpy as np

from pipesched.errors import OutputError
from pipesched.render.axis import Break, pieces
from pipesched.render.chart import Chart
from pipesched.render.paper.axis import Axis
from pipesched.render.paper.page import Line
from pipesched.render.paper.text import text_width
from pipesched.render.paper.theme import Theme

#: Width of a break: in points, as a part of the axis if that is more, and of all of them at most.
_WIDTH, _SHARE, _MOST = 9.0, 0.016, 0.3
#: The mark, two zigzag lines: how far they swing, how far apart they are, as parts of a break's width, how
#: high a tooth is in points, and how thick the lines are.
_SWING, _APART, _TOOTH, _THICK = 0.12, 0.2, 3.0, 0.5
#: Between two texts, in their size.
_BETWEEN = 1.5


def opened(charts: Sequence[Chart], left: float, right: float) -> tuple[list[Chart], Axis]:
    """The charts with room at their breaks, and the axis from ``left`` to ``right`` that all of them share.

    Raises :class:`OutputError` where they leave out different times.
    """
    breaks = _common(charts)
    t0, t1 = min(chart.t0 for chart in charts), max(chart.t1 for chart in charts)
    if breaks:
        room = right - left
        taken = min(max(_WIDTH, _SHARE * room) * len(breaks), _MOST * room)
        width = taken / len(breaks) / (room - taken) * (t1 - t0)
        charts = [chart.opened(width) for chart in charts]
        breaks, t1 = _common(charts), t1 + width * len(breaks)
    return list(charts), Axis(tuple(pieces(breaks, t0, t1)), left, right)


def _common(charts: Sequence[Chart]) -> tuple[Break, ...]:
    """The breaks of the chart that has most; others may end before one."""
    breaks = max((chart.breaks for chart in charts), key=len)
    noise = 1e-6 * max(chart.t1 - chart.t0 for chart in charts)
    for chart in charts:
        same = [[each.at, each.end - each.start] for each in breaks[: len(chart.breaks)]]
        own = [[each.at, each.end - each.start] for each in chart.breaks]
        rest = breaks[len(own) :]
        if not np.allclose(own, same, rtol=1e-9, atol=noise) or (rest and chart.t1 > rest[0].at + noise):
            raise OutputError("schedules that leave out different times cannot share one time axis")
    return breaks


def marks(chart: Chart, axis: Axis, y: float, height: float, theme: Theme) -> Iterator[Line]:
    """Two zigzag lines through all lanes at every break."""
    for each in chart.breaks:
        left, right = axis.at(np.array([each.at, each.at + each.width])).tolist()
        middle, width = (left + right) / 2, right - left
        teeth = max(2, round(height / _TOOTH))
        for side in (-1, 1):
            x = middle + side * _APART * width
            swing = _SWING * width
            points = [(x + (swing if n % 2 else -swing), y + height * n / teeth) for n in range(teeth + 1)]
            yield Line(tuple(points), theme.ink, _THICK)


def words(chart: Chart, axis: Axis, size: float) -> list[tuple[float, str]] | None:
    """What is left out, with where each text begins above its break; None where there is no room for all."""
    texts = [f"… {each.text} …" for each in chart.breaks]
    widths = [text_width(text, size) for text in texts]
    places = axis.at(np.array([each.at + each.width / 2 for each in chart.breaks])).tolist()
    starts, least = list[float](), axis.left
    for place, width in zip(places, widths, strict=True):
        starts.append(max(least, place - width / 2))
        least = starts[-1] + width + _BETWEEN * size
    most = axis.right
    for n in reversed(range(len(starts))):
        starts[n] = min(starts[n], most - widths[n])
        most = starts[n] - _BETWEEN * size
    spans = zip(starts, places, widths, strict=True)
    fits = all(axis.left <= start <= place <= start + width for start, place, width in spans)
    return list(zip(starts, texts, strict=True)) if fits else None


def caption(chart: Chart, above: list[tuple[float, str]] | None) -> tuple[str, ...]:
    """The chart's caption, and what its breaks leave out if that does not stand ``above`` them."""
    texts = [each.text for each in chart.breaks]
    told = (f"left out where the axis breaks: {'; '.join(texts)}",) if texts and above is None else ()
    return (*chart.caption, *told)
