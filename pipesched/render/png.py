"""Figures as PNG, drawn by Pillow (the extra ``png``).

Pillow brings a font of its own, so that the picture is the same on machines without any. Shapes are drawn
larger and averaged, which is what smooths them.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from pipesched.errors import OutputError
from pipesched.render.chart import Chart
from pipesched.render.paper import Line, Page, Shape, Steps, Text, Width
from pipesched.render.paper_figure import figure

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

#: Pixels to an inch where the width is a length.
_DPI = 300
#: Pixels that a picture may have, and the finest grid that is averaged.
_MOST_PIXELS, _FINEST = 40_000_000, 4


def write(
    charts: Sequence[Chart], *, width: Width | str = "1200px", theme: str = "screen", ruler: bool = True
) -> Iterator[bytes]:
    """One PNG picture: as many pixels wide as asked, or at 300 to the inch for a width in mm, cm, in or pt.

    Raises :class:`OutputError` where Pillow is not installed, and what
    :func:`pipesched.render.paper_figure.figure` raises.
    """
    return iter([draw(figure(charts, width=width, theme=theme, ruled=ruler))])


def draw(page: Page) -> bytes:
    """The page as PNG."""
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415  an extra
    except ImportError:
        raise OutputError(
            "writing PNG needs Pillow: pip install 'pipesched[png]' (.svg and .pdf need nothing)"
        ) from None
    wide, unit = page.width
    dots = 96 if unit == "px" else _DPI
    scale = wide / page.width.points if unit == "px" else dots / 72
    size = max(1, round(page.width.points * scale)), max(1, round(page.height * scale))
    if size[0] * size[1] > _MOST_PIXELS:
        raise OutputError(f"a picture of {size[0]} x {size[1]} pixels is too large; give a smaller --width")
    finer = max(1, min(_FINEST, int((_MOST_PIXELS / (size[0] * size[1])) ** 0.5)))
    image = Image.new("RGB", (size[0] * finer, size[1] * finer), page.background or "#ffffff")
    pen = ImageDraw.Draw(image)
    for shape in page.shapes:
        _paint(pen, shape, scale * finer)
    out = BytesIO()
    image.reduce(finer).save(out, "PNG", dpi=(dots, dots))
    return out.getvalue()


def _paint(pen: "ImageDraw", shape: Shape, scale: float) -> None:
    if isinstance(shape, Text):
        _write(pen, shape, scale)
    elif isinstance(shape, Line):
        ends = [(shape.x0 * scale, shape.y0 * scale), (shape.x1 * scale, shape.y1 * scale)]
        pen.line(ends, shape.color, max(1, round(shape.thickness * scale)))
    elif isinstance(shape, Steps):
        for left, right, top in zip(shape.edges, shape.edges[1:], shape.tops, strict=False):
            _rectangle(pen, (left, top, right, shape.foot), scale, shape.fill)
    else:
        right, foot = shape.x + shape.width, shape.y + shape.height
        if shape.fill:
            _rectangle(pen, (shape.x, shape.y, right, foot), scale, shape.fill)
        if shape.line:
            half = shape.thickness / 2
            edge = (shape.x - half, shape.y - half, right + half, foot + half)
            _rectangle(pen, edge, scale, None, shape.line, max(1, round(shape.thickness * scale)))


def _rectangle(
    pen: "ImageDraw",
    corners: tuple[float, float, float, float],
    scale: float,
    fill: str | None,
    outline: str | None = None,
    thickness: int = 0,
) -> None:
    """Corners in points; the pixels that they round to, the last ones excluded."""
    x0, y0, x1, y1 = (round(corner * scale) for corner in corners)
    if x1 > x0 and y1 > y0:
        pen.rectangle((x0, y0, x1 - 1, y1 - 1), fill, outline, thickness)


def _write(pen: "ImageDraw", text: Text, scale: float) -> None:
    """The text, a little smaller where this font is wider than the one that was measured."""
    font = _font(text.size * scale)
    wider = font.getlength(text.text) / (text.width * scale)
    if wider > 1:
        font = _font(text.size * scale / wider)
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
    heavier = round(0.025 * text.size * scale) if text.bold else 0  # there is no bold face
    pen.text((text.x * scale, text.y * scale), text.text, text.color, font, anchor, stroke_width=heavier)


@cache
def _font(size: float) -> "FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415  an extra

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise OutputError("this Pillow lacks FreeType, which draws text; write .svg or .pdf instead")
    return font
