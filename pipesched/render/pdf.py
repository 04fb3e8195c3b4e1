"""Figures as PDF 1.4: one page, one stream, the viewer's own Helvetica (nothing is embedded).

ISO 32000-1: 7.5 the file, 8.5 paths, 9.4 text, 9.6.2.2 the standard fonts.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import cache

from pipesched.render.chart import Chart
from pipesched.render.paper import Line, Page, Shape, Steps, Text, Width
from pipesched.render.paper_figure import figure


def write(
    charts: Sequence[Chart], *, width: Width | str = "180mm", theme: str = "print", ruler: bool = True
) -> Iterator[bytes]:
    """One PDF document, in parts; the same charts give the same bytes.

    Raises what :func:`pipesched.render.paper_figure.figure` raises.
    """
    return draw(figure(charts, width=width, theme=theme, ruled=ruler))


def draw(page: Page) -> Iterator[bytes]:
    """The page as PDF: header, objects, the table of where each begins."""
    head = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    yield head
    at, offsets = len(head), []
    for number, body in enumerate(_objects(page), 1):
        part = b"%d 0 obj\n%s\nendobj\n" % (number, body)
        offsets.append(at)
        at += len(part)
        yield part
    count = len(offsets) + 1
    yield b"xref\n0 %d\n0000000000 65535 f \n" % count
    yield b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    yield b"trailer\n<</Size %d/Root 1 0 R/Info 7 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (count, at)


def _objects(page: Page) -> list[bytes]:
    size = f"{_number(page.width.points)} {_number(page.height)}"
    drawn = zlib.compress(_content(page).encode("ascii"), 9)
    font = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
    return [
        b"<</Type/Catalog/Pages 2 0 R/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]/Contents 4 0 R"
        "/Resources<</Font<</R 5 0 R/B 6 0 R>>>>>>".encode(),
        b"<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream" % (len(drawn), drawn),
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
        f"<</Title{_string(page.title)}/Subject{_string(page.description)}/Creator(pipesched)>>".encode(),
    ]


def _content(page: Page) -> str:
    """The drawing, in a system whose y grows down; colours and widths are set where they change."""
    lines = [f"1 0 0 -1 0 {_number(page.height)} cm"]
    if page.background:
        size = f"{_number(page.width.points)} {_number(page.height)}"
        lines.append(f"{_color(page.background)} rg 0 0 {size} re f")
    fill = stroke = ""
    for shape in page.shapes:
        filled, stroked = _inks(shape)
        if filled not in ("", fill):
            lines.append(filled)
            fill = filled
        if stroked not in ("", stroke):
            lines.append(stroked)
            stroke = stroked
        lines.append(_path(shape))
    return "\n".join(lines)


def _inks(shape: Shape) -> tuple[str, str]:
    """What sets the colour of the shape's fill, and colour and width of its border; empty for none."""
    if isinstance(shape, Text):
        return f"{_color(shape.color)} rg", ""
    if isinstance(shape, Steps):
        return f"{_color(shape.fill)} rg", ""
    line = shape.color if isinstance(shape, Line) else shape.line
    stroked = f"{_color(line)} RG {_number(shape.thickness)} w" if line else ""
    return "" if isinstance(shape, Line) or not shape.fill else f"{_color(shape.fill)} rg", stroked


def _path(shape: Shape) -> str:
    if isinstance(shape, Text):
        font, size = "B" if shape.bold else "R", _number(shape.size)
        place = f"{_number(shape.left)} {_number(shape.y)}"
        return f"BT /{font} {size} Tf 1 0 0 -1 {place} Tm {_string(shape.text)} Tj ET"
    if isinstance(shape, Line):
        return f"{_number(shape.x0)} {_number(shape.y0)} m {_number(shape.x1)} {_number(shape.y1)} l S"
    if isinstance(shape, Steps):
        return _outline(shape)
    paint = ("B" if shape.line else "f") if shape.fill else "S"
    return " ".join(map(_number, shape[:4])) + f" re {paint}"


def _outline(steps: Steps) -> str:
    foot = _number(steps.foot)
    parts = [f"{_number(steps.edges[0])} {foot} m"]
    for left, right, top in zip(steps.edges, steps.edges[1:], map(_number, steps.tops), strict=False):
        parts.append(f"{_number(left)} {top} l {_number(right)} {top} l")
    return "\n".join([*parts, f"{_number(steps.edges[-1])} {foot} l f"])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@cache
def _color(name: str) -> str:
    return " ".join(f"{int(name[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _string(text: str) -> str:
    """A PDF string in ASCII; letters that Windows-1252 lacks become question marks."""
    parts = []
    for byte in text.encode("cp1252", errors="replace"):
        letter = chr(byte)
        if letter in "()\\":
            parts.append(f"\\{letter}")
        else:
            parts.append(letter if 32 <= byte < 127 else f"\\{byte:03o}")
    return f"({''.join(parts)})"
