"""Figures for papers: SVG, PDF and PNG, in the style of the published ones.

``sheet`` lays charts out as a :class:`~pipesched.render.paper.page.Page` of plain shapes, and each format is
one function that draws a page.

>>> from pipesched import generate, simulate
>>> from pipesched.render.chart import chart
>>> picture = draw([chart(simulate(generate("1f1b", pp=2, mb=4)))], ".pdf", Look(width="84mm", caption=False))
>>> picture[:8]
b'%PDF-1.4'
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipesched.errors import OutputError
from pipesched.render.chart import Chart
from pipesched.render.paper.look import WIDTH, Look
from pipesched.render.paper.page import Page
from pipesched.render.paper.pdf import pdf
from pipesched.render.paper.png import png
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.svg import svg

__all__ = ["FORMATS", "Look", "draw"]


class Format(NamedTuple):
    """What draws a page, and how wide it is unless asked otherwise."""

    write: Callable[[Page], bytes]
    width: str


#: Every format of figures, by suffix; ``export`` offers these.
FORMATS = {".svg": Format(svg, WIDTH), ".pdf": Format(pdf, WIDTH), ".png": Format(png, "1200px")}


def draw(charts: Sequence[Chart], suffix: str = ".svg", look: Look | None = None) -> bytes:
    """The file: one chart, or several under each other on one time axis; the same charts, the same bytes.

    Raises :class:`OutputError` for no chart, for a suffix, width or theme that is none, for a wrong number
    of titles, and for PNG where Pillow is not installed; :class:`CostError` for charts in different units.
    """
    if suffix not in FORMATS:
        raise OutputError(f"a figure is one of {', '.join(FORMATS)}; got {suffix!r}")
    look = look or Look()
    write, width = FORMATS[suffix]
    return write(figure(charts, replace(look, width=width if look.width is None else look.width)))
