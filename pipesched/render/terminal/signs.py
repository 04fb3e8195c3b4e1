"""Signs under a lane where something stands that takes no time: unknown actions, gathers, reductions."""

from collections.abc import Iterator, Sequence

import numpy as np
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from pipesched.render.chart import Chart
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.scale import Scale

_STYLES = {"truecolor": "#c2187f", "256": "color(162)", "standard": "magenta", "windows": "magenta"}


def signs(chart: Chart, row: int, scale: Scale, look: Look) -> list[Segment]:
    """Points up to the column that begins at the time; the sign of an unknown action covers others."""
    marks = chart.marks
    if marks is None:
        return []
    here = marks.lane == row
    line = [" "] * scale.columns
    for opaque in (False, True):
        columns = np.minimum(scale.edge(marks.time[here & (marks.opaque == opaque)]), scale.columns - 1)
        for column in columns.tolist():
            line[column] = _sign(look, opaque=opaque)
    text = "".join(line).rstrip()
    return [Segment(text, _style(look))] if text else []


def signs_legend(charts: Sequence[Chart], look: Look) -> Iterator[Text]:
    """What the signs mean; the caption under the chart names the actions."""
    found = {opaque for chart in charts if chart.marks for opaque in chart.marks.opaque.tolist()}
    for opaque, what in ((True, "action of unknown type"), (False, "action that takes no time")):
        if opaque in found:
            yield Text.assemble((_sign(look, opaque=opaque), _style(look)), f" {what}")


def _sign(look: Look, *, opaque: bool) -> str:
    if look.ascii:
        return "?" if opaque else "'"
    return "▴" if opaque else "▵"


def _style(look: Look) -> Style:
    system = look.colors.system
    return Style.null() if system is None else Style.parse(_STYLES[system])
