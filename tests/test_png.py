"""PNG: size, colours, and a clear word where Pillow is missing."""

import struct
import sys
from io import BytesIO

import pytest
from papers import charted, grounds, inside

from pipesched.errors import OutputError
from pipesched.render.paper import Look, draw
from pipesched.render.paper.page import Box, Page, Steps, Text, Width
from pipesched.render.paper.png import png
from pipesched.render.paper.sheet import figure


@pytest.fixture(scope="module")
def dualpipe():
    return charted("dualpipe", 8, 20)


def written(charts, **options):
    return draw(charts, ".png", Look(**options))


def image(charts, **options):
    return pytest.importorskip("PIL.Image").open(BytesIO(written(charts, **options)))


@pytest.mark.parametrize(
    ("width", "pixels", "dots"),
    [("1200px", 1200, 96), ("180mm", 2126, 300), ("85mm", 1004, 300), ("640px", 640, 96)],
)
def test_size_is_the_one_asked_for(dualpipe, width, pixels, dots):
    drawn, page = image([dualpipe], width=width), figure([dualpipe], Look(width=width))
    assert drawn.size == (pixels, round(page.height * pixels / page.width.points))
    assert drawn.info["dpi"] == pytest.approx((dots, dots), abs=0.1)


def test_missing_pillow_is_told_with_the_way_out(dualpipe, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(OutputError, match=r"writing PNG needs Pillow: pip install pillow"):
        written([dualpipe])


@pytest.mark.parametrize("theme", ["print", "screen", "dark"])
def test_cells_have_their_colours(dualpipe, theme):
    drawn, page = (
        image([dualpipe], theme=theme, width="1600px"),
        figure([dualpipe], Look(theme=theme, width="1600px")),
    )
    scale = 1600 / page.width.points
    cells = [shape for shape in inside(page, grounds(page)[0], Box) if shape.fill]
    assert len(cells) == len(dualpipe.op)
    for cell in cells:
        corner = (round((cell.x + 2) * scale), round((cell.y + 2) * scale))
        assert "#{:02x}{:02x}{:02x}".format(*drawn.getpixel(corner)) == cell.fill
    assert "#{:02x}{:02x}{:02x}".format(*drawn.getpixel((1, 1))) == (page.background or "#ffffff")


def test_merged_lanes_keep_their_shares():
    long = charted("1f1b", 4, 4000)
    drawn, page = image([long], width="1600px"), figure([long], Look(width="1600px"))
    scale = 1600 / page.width.points
    feet = sorted({shape.foot for shape in page.shapes if isinstance(shape, Steps)})
    assert len(feet) == 4
    pitch = feet[1] - feet[0]
    for foot in feet:  # in the middle of the chart: a third forward at the foot, then backward
        column = [drawn.getpixel((800, round((foot - part * pitch) * scale))) for part in (0.1, 0.6)]
        (red, _, blue), (_, green, _) = column
        assert red > 2 * blue
        assert green == max(column[1])


@pytest.mark.parametrize(
    ("text", "bold"), [("0123456789", False), ("micro-batches", False), ("zb1p: 8", True)]
)
def test_text_is_no_wider_than_measured(text, bold):
    image = pytest.importorskip("PIL.Image")
    shape = Text(100, 40, text, 20, "#000000", "middle", bold)
    page = Page(Width(200, "pt"), 60, None, "", "", (shape,))
    drawn = image.open(BytesIO(png(page))).convert("L")
    left, top, right, bottom = drawn.point(lambda grey: 255 - grey).getbbox()
    scale = drawn.width / 200
    assert (right - left) / scale <= shape.width + 0.5
    assert (left + right) / 2 / scale == pytest.approx(100, abs=1.5)
    assert 40 - 0.8 * 20 < top / scale < bottom / scale < 40 + 0.25 * 20


def test_too_large_a_picture_is_refused():
    pytest.importorskip("PIL")
    with pytest.raises(
        OutputError, match=r"a picture of \d+ x \d+ pixels is too large; give a smaller --width"
    ):
        written([charted("1f1b", 64, 64)], width="2000mm")


def test_same_charts_same_bytes(dualpipe):
    pytest.importorskip("PIL")
    first, second = (written([dualpipe]) for _ in range(2))
    assert first == second
    assert struct.unpack(">II", first[16:24])[0] == 1200
