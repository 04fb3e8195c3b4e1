"""SVG: valid XML that says what the shapes say."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from papers import charted

from pipesched.render.paper import Look, draw
from pipesched.render.paper.page import Box, Steps, Text
from pipesched.render.paper.sheet import figure

SVG = "{http://www.w3.org/2000/svg}"


def parsed(charts, **options):
    return ET.fromstring(draw(charts, ".svg", Look(**options)))  # noqa: S314  our own


@pytest.fixture(scope="module")
def dualpipe():
    return charted("dualpipe", 8, 20)


@pytest.mark.parametrize("theme", ["print", "screen", "dark"])
def test_every_shape_is_one_element(dualpipe, theme):
    root, page = parsed([dualpipe], theme=theme), figure([dualpipe], Look(theme=theme))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts == [shape.text for shape in page.shapes if isinstance(shape, Text)]
    boxes = [box for box in root.iter(f"{SVG}rect") if "x" in box.attrib]
    shapes = [shape for shape in page.shapes if isinstance(shape, Box)]
    for name in ("x", "y", "width", "height"):
        expected = [getattr(shape, name) for shape in shapes]
        assert [float(box.get(name)) for box in boxes] == pytest.approx(expected, abs=0.00501)
    grounds = root.findall(f"{SVG}rect")
    assert [box.get("fill") for box in grounds] == ([page.background] if page.background else [])


@pytest.mark.parametrize(("width", "points"), [("180mm", 510.24), ("1200px", 900), ("85mm", 240.94)])
def test_size_is_the_one_asked_for(dualpipe, width, points):
    root = parsed([dualpipe], width=width)
    assert root.get("width") == width
    unit = width.lstrip("0123456789")
    assert root.get("height").endswith(unit)
    _, _, wide, high = map(float, root.get("viewBox").split())
    assert wide == points
    assert float(root.get("height").removesuffix(unit)) / float(width.removesuffix(unit)) == pytest.approx(
        high / wide, rel=1e-4
    )


def test_screen_readers_are_told_what_it_is(dualpipe):
    root = parsed([dualpipe])
    names = [root.find(f"{SVG}{tag}") for tag in ("title", "desc")]
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [name.get("id") for name in names]
    assert names[0].text == dualpipe.title
    assert "costs: F=1 B=2" in names[1].text


def test_each_cell_says_what_it_is_on_a_screen(dualpipe):
    root = parsed([dualpipe], theme="screen")
    hints = [box.find(f"{SVG}title").text for box in root.iter(f"{SVG}rect") if len(box)]
    assert len(hints) == len(dualpipe.op)
    assert hints[0] == "forward, down, micro-batch 0, device 0, 0 to 1 F"
    assert len(set(hints)) == len(hints)
    assert not [box for box in parsed([dualpipe]).iter(f"{SVG}rect") if len(box)]  # on paper nobody points


def test_hints_go_where_cells_are_many():
    root = parsed([charted("1f1b", 16, 128)], theme="screen")
    assert not [box for box in root.iter(f"{SVG}rect") if len(box)]


def test_text_of_the_user_is_escaped():
    title, caption = "<b>&amp;\"'</b>\x1b[1m]]>", "a & b < c"
    root = parsed([replace(charted("1f1b", 2, 4), title=title, caption=(caption,), unit="<ms>")])
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert title.replace("\x1b", "?") in texts
    assert caption in texts
    assert "time (<ms>)" in texts


def test_same_charts_same_text():
    assert len({draw([charted("zb1p", 4, 8), charted("dualpipev", 4, 10)], ".svg") for _ in range(2)}) == 1


def test_merged_lanes_are_paths_that_say_their_steps():
    long = charted("1f1b", 4, 4000)
    root = parsed([long])
    steps = [shape for shape in figure([long]).shapes if isinstance(shape, Steps)]
    paths = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("d").endswith("z")]
    assert len(paths) == len(steps)
    for path, shape in zip(paths, steps, strict=True):
        start, *columns, end = path.removesuffix("z").split("V")
        tops, rights = zip(*(map(float, column.split("H")) for column in columns), strict=True)
        assert start == f"M{shape.edges[0]:g} {end}"
        assert float(end) == pytest.approx(shape.foot, abs=0.00501)
        assert tops == pytest.approx(shape.tops, abs=0.00501)
        assert rights == pytest.approx(shape.edges[1:], abs=0.00501)
