"""A ruler and the lanes of one chart, painted: lines of segments."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.segment import Segment

from pipesched.render.chart import Chart
from pipesched.render.terminal import breaks, cells, fills, letters, shares, strips
from pipesched.render.terminal.canvas import Canvas
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.ruler import ruler
from pipesched.render.terminal.scale import Scale, lower_quartile
from pipesched.render.terminal.signs import signs

#: What may stand under a lane.
_STRIPS = (signs, strips.critical, strips.activations)
#: Cells are drawn one by one while three quarters of them are wider than this, in columns.
THINNEST = 0.7


class Panel:
    """One chart at one scale. ``margin`` columns left of the lanes hold device numbers of ``digits``.

    ``shown`` bars show their number; None where columns show shares instead of cells. ``power`` is the
    power of ten that the ruler's times are to be multiplied by.
    """

    def __init__(
        self, chart: Chart, scale: Scale, look: Look, margin: int, *, thin: bool | None = None
    ) -> None:
        self.chart = chart
        self.scale = scale
        self.look = look
        self.margin = margin
        self.digits = min(device_digits([chart]), margin)
        self.canvas = Canvas(len(chart.lanes), scale.columns)
        self.times, self.power = ruler(scale, chart.pieces, look.bars)
        self.breaks = breaks.left_out(chart, scale)
        shares_only = lower_quartile([chart], scale) < THINNEST if thin is None else thin
        self.shown: int | None = None
        if shares_only:
            self._paint_shares()
        else:
            self.shown = self._paint_cells()

    def lines(self) -> Iterator[list[Segment]]:
        """What breaks leave out, the ruler, then every lane with what stands under it."""
        blank = Segment(" " * self.margin)
        for words in breaks.words(self.breaks, self.margin, self.scale.columns, self.look):
            yield [Segment(words)]
        yield [blank, Segment(self.times)]
        yield from itertools.chain.from_iterable(self.lanes())

    def lanes(self) -> Iterator[list[list[Segment]]]:
        """The lines of every lane: itself, and what stands under it."""
        blank, number = Segment(" " * self.margin), itertools.count()
        rows = self.canvas.rows(self.look.colors.style)
        for row, (lane, runs) in enumerate(zip(self.chart.lanes, rows, strict=True)):
            label = Segment(f"{lane:>{self.digits}}".ljust(self.margin)[: self.margin])
            drawn = [label, *self._broken(runs, next(number), exact=self.look.in_color)]
            under = [strip(self.chart, row, self.scale, self.look) for strip in _STRIPS]
            yield [
                drawn,
                *([blank, *self._broken(line, next(number), exact=False)] for line in under if line),
            ]

    def _broken(self, line: Iterable[Segment], row: int, *, exact: bool) -> Iterable[Segment]:
        return breaks.broken(line, self.breaks, row, self.look, exact=exact) if self.breaks else line

    def _paint_cells(self) -> int:
        if self.look.in_color:
            return fills.paint(self.canvas, self.chart, self.scale, self.look.colors)
        stop = self.scale.last(self.chart.t1)
        laid = cells.lay(self.chart, self.scale)
        return letters.paint(self.canvas, self.chart, laid, self.look.idle, stop)

    def _paint_shares(self) -> None:
        scale = self.scale
        whole = replace(self.chart, t0=scale.t0, t1=scale.t0 + scale.columns / (scale.rate or 1.0))
        if self.look.in_color:
            shares.paint_colors(self.canvas, whole, self.look.colors)
        else:
            shares.paint_letters(self.canvas, whole, self.look.idle, scale.last(self.chart.t1))


def device_digits(charts: list[Chart] | tuple[Chart, ...]) -> int:
    """How many digits the largest device number has."""
    return max(len(str(max(chart.lanes, default=0))) for chart in charts)
