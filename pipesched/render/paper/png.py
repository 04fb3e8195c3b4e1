"""Figures as PNG, drawn by Pillow (the extra ``png``).

Shapes are drawn larger and averaged, which is what smooths them.
"""

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from pipesched.errors import OutputError
from pipesched.render.paper.page import Box, Line, Page, Shape, Steps, Text
from pipesched.render.paper.text import font

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

#: Pixels to an inch where the width is a length, and where it is in pixels.
_PRINT_DPI, _SCREEN_DPI = 300, 96
#: Pixels that a picture may have, and the finest grid that is averaged.
_MOST_PIXELS, _FINEST = 40_000_000, 4


def png(page: Page) -> bytes:
    """The page as PNG: as many pixels wide as asked, or 300 to the inch for a width in mm, cm, in or pt.

    Raises :class:`OutputError` where Pillow is not installed, and for too large a picture.
    """
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415  an extra
    except ImportError:
        raise OutputError(
            "writing PNG needs Pillow: pip install pillow (.svg and .pdf need nothing)"
        ) from None
    dpi = _SCREEN_DPI if page.width.unit == "px" else _PRINT_DPI
    scale = dpi / 72
    size = max(1, round(page.width.points * scale)), max(1, round(page.height * scale))
    if size[0] * size[1] > _MOST_PIXELS:
        raise OutputError(f"a picture of {size[0]} x {size[1]} pixels is too large; give a smaller --width")
    finer = max(1, min(_FINEST, int((_MOST_PIXELS / (size[0] * size[1])) ** 0.5)))
    image = Image.new("RGB", (size[0] * finer, size[1] * finer), page.background or "#ffffff")
    pen = ImageDraw.Draw(image)
    for shape in page.shapes:
        _paint(pen, shape, scale * finer)
    out = BytesIO()
    image.reduce(finer).save(out, "PNG", dpi=(dpi, dpi))
    return out.getvalue()


def _paint(pen: "ImageDraw", shape: Shape, scale: float) -> None:
    if isinstance(shape, Text):
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
        face, place = _face(shape.size * scale, bold=shape.bold), (shape.x * scale, shape.y * scale)
        pen.text(place, shape.text, shape.color, face, anchor)
    elif isinstance(shape, Line):
        points = [(x * scale, y * scale) for x, y in shape.points]
        pen.line(points, shape.color, max(1, round(shape.thickness * scale)), "curve")
    elif isinstance(shape, Steps):
        for left, right, top in zip(shape.edges, shape.edges[1:], shape.tops, strict=False):
            _rectangle(pen, (left, top, right, shape.foot), scale, shape.fill)
    else:
        _box(pen, shape, scale)


def _box(pen: "ImageDraw", box: Box, scale: float) -> None:
    right, foot = box.x + box.width, box.y + box.height
    if box.fill:
        _rectangle(pen, (box.x, box.y, right, foot), scale, box.fill)
    if box.line:
        half = box.thickness / 2
        edge = (box.x - half, box.y - half, right + half, foot + half)
        _rectangle(pen, edge, scale, None, box.line, max(1, round(box.thickness * scale)))


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


@cache
def _face(size: float, *, bold: bool) -> "FreeTypeFont":
    from PIL import ImageFont, features  # noqa: PLC0415  an extra

    if not features.check("freetype2"):
        raise OutputError("this Pillow lacks FreeType, which draws text; write .svg or .pdf instead")
    return ImageFont.truetype(BytesIO(font(bold=bold).data), size, layout_engine=ImageFont.Layout.BASIC)
