"""Figures as PDF 1.4: one page, one stream, and the font in it, which publishers ask for.

ISO 32000-1: 7.5 the file, 8.5 paths, 9.4 text, 9.6.3 TrueType fonts, 9.9 font programs.
"""

import zlib
from functools import cache

from pipesched.render.paper.page import Line, Page, Shape, Steps, Text, number
from pipesched.render.paper.text import Font, font

#: Of the font, in thousandths of its size: ascent, descent, height of a capital, and what surrounds all.
_MEASURES = "/FontBBox[-544 -389 2797 1043]/Ascent 905/Descent -212/CapHeight 688/StemV 80/ItalicAngle 0"


def pdf(page: Page) -> bytes:
    """The page as PDF: header, objects, the table of where each begins; the same page, the same bytes."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for n, body in enumerate(_objects(page), 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    table, count = len(out), len(offsets) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % count
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (count, table)
    return bytes(out)


def _objects(page: Page) -> list[bytes]:
    """Catalog, pages, page, content, title; then three for each of the fonts that are used."""
    size = f"{number(page.width.points)} {number(page.height)}"
    faces = sorted({shape.bold for shape in page.shapes if isinstance(shape, Text)})
    used = "".join(f"/{'RB'[face]} {6 + 3 * n} 0 R" for n, face in enumerate(faces))
    return [
        b"<</Type/Catalog/Pages 2 0 R/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size}]/Contents 4 0 R"
        f"/Resources<</Font<<{used}>>>>>>".encode(),
        _stream("", _content(page).encode("ascii")),
        f"<</Title{_label(page.title)}/Subject{_label(page.description)}/Creator(pipesched)>>".encode(),
        *(part for n, face in enumerate(faces) for part in _font(font(bold=face), 7 + 3 * n)),
    ]


def _font(used: Font, descriptor: int) -> list[bytes]:
    """A font, its descriptor, which has this number, and its file, which has the next.

    The six letters say that it holds not all letters of the font of that name.
    """
    name = f"PIPESC+{used.name}"
    codes = (bytes([code]).decode("cp1252", errors="ignore") for code in range(32, 256))
    widths = " ".join(f"{1000 * used.widths.get(letter, 0):.0f}" for letter in codes)
    return [
        f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/FirstChar 32/LastChar 255/Widths[{widths}]"
        f"/FontDescriptor {descriptor} 0 R/Encoding/WinAnsiEncoding>>".encode(),
        f"<</Type/FontDescriptor/FontName/{name}/Flags 32{_MEASURES}"
        f"/FontFile2 {descriptor + 1} 0 R>>".encode(),
        _stream(f"/Length1 {len(used.data)}", used.data),
    ]


def _stream(keys: str, data: bytes) -> bytes:
    packed = zlib.compress(data, 9)
    return b"<</Length %d%s/Filter/FlateDecode>>\nstream\n%s\nendstream" % (
        len(packed),
        keys.encode(),
        packed,
    )


def _content(page: Page) -> str:
    """The drawing, in a system whose y grows down; colours and widths are set where they change."""
    lines = [f"1 0 0 -1 0 {number(page.height)} cm"]
    if page.background:
        size = f"{number(page.width.points)} {number(page.height)}"
        lines.append(f"{_color(page.background)} rg 0 0 {size} re f")
    now = ("", "")
    for shape in page.shapes:
        inks = _inks(shape)
        lines += [ink for ink, set_ in zip(inks, now, strict=True) if ink not in ("", set_)]
        now = (inks[0] or now[0], inks[1] or now[1])
        lines.append(_path(shape))
    return "\n".join(lines)


def _inks(shape: Shape) -> tuple[str, str]:
    """What sets the colour of the shape's fill, and colour and width of its border; empty for none."""
    if isinstance(shape, Text):
        return f"{_color(shape.color)} rg", ""
    if isinstance(shape, Line):
        return "", f"{_color(shape.color)} RG {number(shape.thickness)} w"
    fill = f"{_color(shape.fill)} rg" if shape.fill else ""
    if isinstance(shape, Steps) or not shape.line:
        return fill, ""
    return fill, f"{_color(shape.line)} RG {number(shape.thickness)} w"


def _path(shape: Shape) -> str:
    if isinstance(shape, Text):
        place = f"{number(shape.left)} {number(shape.y)}"
        return (
            f"BT /{'RB'[shape.bold]} {number(shape.size)} Tf 1 0 0 -1 {place} Tm {_string(shape.text)} Tj ET"
        )
    if isinstance(shape, Line):
        first, *more = (f"{number(x)} {number(y)}" for x, y in shape.points)
        return f"{first} m " + "".join(f"{point} l " for point in more) + "S"
    if isinstance(shape, Steps):
        edges, foot = [number(edge) for edge in shape.edges], number(shape.foot)
        columns = zip(edges, edges[1:], map(number, shape.tops), strict=False)
        sides = "\n".join(f"{left} {top} l {right} {top} l" for left, right, top in columns)
        return f"{edges[0]} {foot} m\n{sides}\n{edges[-1]} {foot} l f"
    paint = ("B" if shape.line else "f") if shape.fill else "S"
    return " ".join(map(number, shape[:4])) + f" re {paint}"


@cache
def _color(name: str) -> str:
    return " ".join(f"{int(name[at : at + 2], 16) / 255:.3f}" for at in (1, 3, 5))


def _string(text: str) -> str:
    """Text to show, in ASCII; letters that Windows-1252 lacks become question marks."""
    parts = []
    for byte in text.encode("cp1252", errors="replace"):
        letter = chr(byte)
        if letter in "()\\":
            parts.append(f"\\{letter}")
        else:
            parts.append(letter if 32 <= byte < 127 else f"\\{byte:03o}")
    return f"({''.join(parts)})"


def _label(text: str) -> str:
    """Text that a viewer shows beside the page, in any letters."""
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
