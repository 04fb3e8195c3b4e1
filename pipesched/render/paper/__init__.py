"""Figures for papers: SVG, PDF and PNG, in the style of the published ones.

``sheet`` lays charts out as a :class:`~pipesched.render.paper.page.Page` of plain shapes, and each format is
one function that draws a page.

>>> from pipesched import generate, simulate
>>> from pipesched.render.chart import chart
>>> picture = draw([chart(simulate(generate("1f1b", pp=2, mb=4)))], ".pdf", Look(width="84mm", caption=False))
>>> picture[:8]
b'%PDF-1.4'
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipesched.errors import OutputError, PipeschedWarning
from pipesched.render.chart import Chart
from pipesched.render.paper.look import WIDTH, Look
from pipesched.render.paper.page import Page, Text
from pipesched.render.paper.pdf import pdf
from pipesched.render.paper.png import png
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.svg import svg
from pipesched.render.paper.text import legible

__all__ = ["FORMATS", "Look", "draw"]


class Format(NamedTuple):
    """What draws a page, how wide it is unless asked otherwise, and whether it has every letter there is."""

    write: Callable[[Page], bytes]
    width: str
    all_letters: bool


#: Every format of figures, by suffix; ``export`` offers these.
FORMATS = {
    ".svg": Format(svg, WIDTH, all_letters=True),
    ".pdf": Format(pdf, WIDTH, all_letters=False),
    ".png": Format(png, "1200px", all_letters=False),
}
#: So many lost letters are named.
_TOLD = 8


def draw(charts: Sequence[Chart], suffix: str = ".svg", look: Look | None = None) -> bytes:
    """The file: one chart, or several under each other on one time axis; the same charts, the same bytes.

    Raises :class:`OutputError` for no chart, for a suffix, width or theme that is none, for a wrong number
    of titles, and for PNG where Pillow is not installed; :class:`CostError` for charts in different units.
    Warns with a :class:`PipeschedWarning` of letters that PDF and PNG lack.
    """
    if suffix not in FORMATS:
        raise OutputError(f"a figure is one of {', '.join(FORMATS)}; got {suffix!r}")
    look = look or Look()
    write, width, all_letters = FORMATS[suffix]
    page = figure(charts, replace(look, width=width if look.width is None else look.width))
    return write(page if all_letters else _legible(page, suffix))


def _legible(page: Page, suffix: str) -> Page:
    """The page with a ``?`` for every letter that the font lacks, and a note if there are any."""
    written = "".join(shape.text for shape in page.shapes if isinstance(shape, Text))
    lost = list(dict.fromkeys(letter for letter in written if legible(letter) != letter))
    if not lost:
        return page
    named = " ".join(lost[:_TOLD]) + (f" and {len(lost) - _TOLD} more" if len(lost) > _TOLD else "")
    message = (
        f"a {suffix} figure has Western European letters only, and a ? for {named}; "
        f"write .svg, which has all, or give another --title or --unit"
    )
    warnings.warn(message, PipeschedWarning, stacklevel=3)
    shapes = (
        shape._replace(text=legible(shape.text)) if isinstance(shape, Text) else shape
        for shape in page.shapes
    )
    return replace(page, shapes=tuple(shapes))
