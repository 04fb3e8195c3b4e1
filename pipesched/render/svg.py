"""Figures as SVG."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from pipesched.render.chart import Chart
from pipesched.render.paper import Box, Line, Page, Shape, Steps, Text, Width
from pipesched.render.paper_figure import figure


def write(
    charts: Sequence[Chart], *, width: Width | str = "180mm", theme: str = "print", ruler: bool = True
) -> Iterator[str]:
    """One SVG document, in parts; the same charts give the same text.

    Raises what :func:`pipesched.render.paper_figure.figure` raises.
    """
    return draw(figure(charts, width=width, theme=theme, ruled=ruler))


def draw(page: Page) -> Iterator[str]:
    """The page as SVG; its user unit is the point."""
    wide, unit = page.width
    w, h = _number(page.width.points), _number(page.height)
    high = page.height * wide / page.width.points
    yield (
        '<svg xmlns="http://www.w3.org/2000/svg"'
        f' width="{_number(wide)}{unit}" height="{_number(high)}{unit}"'
        f' viewBox="0 0 {w} {h}" role="img" aria-labelledby="title description"'
        " font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
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


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _style(shape: Shape) -> str:
    """What neighbours have in common, said once."""
    if isinstance(shape, Text):
        bold = ' font-weight="bold"' if shape.bold else ""
        return (
            f'fill="{shape.color}" font-size="{_number(shape.size)}"{bold} text-anchor="{shape.anchor}"'
            ' pointer-events="none"'
        )
    if isinstance(shape, Line):
        return f'stroke="{shape.color}" stroke-width="{_number(shape.thickness)}"'
    stroke = ""
    if isinstance(shape, Box) and shape.line:
        stroke = f' stroke="{shape.line}" stroke-width="{_number(shape.thickness)}"'
    return f'fill="{shape.fill or "none"}"{stroke}'


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return f'<text x="{_number(shape.x)}" y="{_number(shape.y)}">{escape(shape.text)}</text>\n'
    if isinstance(shape, Line):
        return (
            f'<path d="M{_number(shape.x0)} {_number(shape.y0)}L{_number(shape.x1)} {_number(shape.y1)}"/>\n'
        )
    if isinstance(shape, Steps):
        return f'<path d="{_outline(shape)}"/>\n'
    x, y, width, height = map(_number, shape[:4])
    rectangle = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"'
    return f"{rectangle}><title>{escape(shape.hint)}</title></rect>\n" if shape.hint else f"{rectangle}/>\n"


def _outline(steps: Steps) -> str:
    """A path of steps to the side and up or down, which are short to write."""
    parts = [f"M{_number(steps.edges[0])} {_number(steps.foot)}"]
    x, y = steps.edges[0], steps.foot
    for right, top in zip(steps.edges[1:], steps.tops, strict=True):
        parts.append(f"v{_number(top - y)}h{_number(right - x)}")
        x, y = right, top
    return "".join([*parts, f"V{_number(steps.foot)}z"])
