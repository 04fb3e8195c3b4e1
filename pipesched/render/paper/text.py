"""Text that must fit its place before anything is drawn: the font's widths, and lines broken by them.

The font is metric-compatible with Helvetica and Arial, so that SVG, which names those, has the same widths.
"""

import struct
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import NamedTuple

#: Width of a digit, height of a digit or capital, and what hangs below the base line, as shares of the size.
DIGIT, HEIGHT, DEPTH = 0.556, 0.72, 0.22
#: Of a letter that the font lacks: the widest there is, as a share of the size.
_OTHER = 1.0


class Font(NamedTuple):
    """A TrueType font that holds the letters of Windows-1252; ``widths`` as shares of its size."""

    name: str
    data: bytes
    widths: dict[str, float]


@cache
def font(*, bold: bool = False) -> Font:
    """The font of all figures, regular or bold."""
    file = "sans-bold.ttf" if bold else "sans.ttf"
    data = (resources.files(__package__) / "fonts" / file).read_bytes()
    return Font("Arimo-Bold" if bold else "Arimo", data, _widths(data))


def _widths(data: bytes) -> dict[str, float]:
    """Every letter's advance, from the tables of a TrueType font whose first cmap has format 4.

    OpenType 1.9: head, hhea, hmtx, cmap.
    """

    def read(layout: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(f">{layout}", data, at)

    tables = {data[at : at + 4]: read("I", at + 8)[0] for at in range(12, 12 + 16 * read("H", 4)[0], 16)}
    (em,), (count,) = read("H", tables[b"head"] + 18), read("H", tables[b"hhea"] + 34)
    advances = read("Hh" * count, tables[b"hmtx"])[::2]
    cmap = tables[b"cmap"] + read("I", tables[b"cmap"] + 8)[0]
    (twice,) = read("H", cmap + 6)  # the number of ranges, and 2 bytes for each
    ends, starts, deltas, jumps = (
        read(f"{twice // 2}H", cmap + at) for at in (14, 16 + twice, 16 + 2 * twice, 16 + 3 * twice)
    )
    widths = {}
    for n, (start, end, delta, jump) in enumerate(zip(starts, ends, deltas, jumps, strict=True)):
        for code in range(start, end + 1):
            at = cmap + 16 + 3 * twice + 2 * n + jump + 2 * (code - start)
            glyph = (read("H", at)[0] if jump else code) + delta
            widths[chr(code)] = advances[min(glyph % 65536, count - 1)] / em
    return widths


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of a line of text, in the unit of ``size``."""
    widths = font(bold=bold).widths
    return sum(widths.get(letter, _OTHER) for letter in text) * size


def clean(text: str, most: int) -> str:
    r"""The text without what no file can hold (control characters, halves of characters), and cut.

    >>> clean("a\x00b", 9), clean("abcdefgh", 6)
    ('a?b', 'abc...')
    """
    text = text if len(text) <= most else f"{text[: most - 3]}..."
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def legible(text: str) -> str:
    """The text with a ``?`` for each letter that the font, Windows-1252, lacks.

    >>> legible("café 中")
    'café ?'
    """
    return text.encode("cp1252", errors="replace").decode("cp1252")


def wrapped(text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
    """The text in lines that are at most ``room`` wide, broken between words where that is possible."""
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size, bold=bold) <= room:
            line = longer
            continue
        lines.append(line)
        line = word
        while text_width(line, size, bold=bold) > room and len(line) > 1:
            head = fitting(line, size, room, bold=bold)
            lines.append(head)
            line = line[len(head) :]
    return [kept for kept in [*lines, line] if kept]


def fitting(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """As much of the beginning as fits, but one letter."""
    widths = font(bold=bold).widths
    reach = accumulate(widths.get(letter, _OTHER) * size for letter in text)
    return text[: max(1, sum(1 for end in reach if end <= room))]
