"""Figures as SVG."""

from collections.abc import Iterator
from html import escape
from itertools import groupby

from pipesched.render.paper.page import Box, Line, Page, Shape, Steps, Text, number

#: All of them are as wide as each other, letter by letter.
_FONT = "font-family=\"Helvetica, Arial, Arimo, 'Liberation Sans', sans-serif\""


def svg(page: Page) -> bytes:
    """The page as SVG, whose user unit is the point; the same page gives the same bytes."""
    return "".join(_document(page)).encode()


def _document(page: Page) -> Iterator[str]:
    wide, unit = page.width
    w, h = number(page.width.points), number(page.height)
    high = page.height * wide / page.width.points
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(wide)}{unit}" height="{number(high)}{unit}"'
        f' viewBox="0 0 {w} {h}" role="img" aria-labelledby="title description" {_FONT}>\n'
        f'<title id="title">{escape(page.title)}</title>\n'
        f'<desc id="description">{escape(page.description)}</desc>\n'
    )
    if page.background:
        yield f'<rect width="{w}" height="{h}" fill="{page.background}"/>\n'
    for style, shapes in groupby(page.shapes, _style):
        yield f"<g {style}>\n"
        yield from map(_element, shapes)
        yield "</g>\n"
    yield "</svg>\n"


def _style(shape: Shape) -> str:
    """What neighbours have in common, said once."""
    if isinstance(shape, Text):
        bold = ' font-weight="bold"' if shape.bold else ""
        anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
        return f'fill="{shape.color}" font-size="{number(shape.size)}"{bold}{anchor} pointer-events="none"'
    if isinstance(shape, Line):
        return f'fill="none" stroke="{shape.color}" stroke-width="{number(shape.thickness)}"'
    stroke = ""
    if isinstance(shape, Box) and shape.line:
        stroke = f' stroke="{shape.line}" stroke-width="{number(shape.thickness)}"'
    return f'fill="{shape.fill or "none"}"{stroke}'


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return f'<text x="{number(shape.x)}" y="{number(shape.y)}">{escape(shape.text)}</text>\n'
    if isinstance(shape, Line):
        return f'<path d="M{"L".join(f"{number(x)} {number(y)}" for x, y in shape.points)}"/>\n'
    if isinstance(shape, Steps):
        columns = zip(map(number, shape.tops), map(number, shape.edges[1:]), strict=True)
        outline = "".join(f"V{top}H{right}" for top, right in columns)
        foot = number(shape.foot)
        return f'<path d="M{number(shape.edges[0])} {foot}{outline}V{foot}z"/>\n'
    x, y, width, height = map(number, shape[:4])
    rectangle = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"'
    return f"{rectangle}><title>{escape(shape.hint)}</title></rect>\n" if shape.hint else f"{rectangle}/>\n"
