"""Helvetica's widths, for text that must fit its place before anything is drawn."""

#: Adobe's published widths of Helvetica, in thousandths of the font's size (Arial has the same).
_WIDTHS = {
    222: "ijl'",
    278: " !,./:;I[]\\ft|",
    333: "()-`r",
    500: "Jckvsxyz",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    889: "%",
    944: "W",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
#: Of a letter that is not in the table: the widest there is.
_OTHER = 1000
#: Width of a digit, as a share of the size.
DIGIT = 0.556
#: Height of a digit and of a capital, as a share of the size.
HEIGHT = 0.72
#: What hangs below the base line.
DEPTH = 0.22
#: Helvetica-Bold is at most so much wider.
BOLDER = 1.1


def text_width(text: str, size: float) -> float:
    """Width of a line of text in Helvetica, in the unit of ``size``."""
    return sum(_WIDTH.get(letter, _OTHER) for letter in text) * size / 1000


def clean(text: str) -> str:
    """The text without what no file format can hold: control characters, halves of characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """The text in lines that are at most ``room`` wide, broken between words where that is possible."""
    lines, line = [], ""
    for word in clean(text).split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer, size) <= room or not longer:
            line = longer
            continue
        lines.append(line)
        line = word
        while text_width(line, size) > room and len(line) > 1:
            head = fitting(line, size, room)
            lines.append(head)
            line = line[len(head) :]
    return [kept for kept in [*lines, line] if kept]


def fitting(text: str, size: float, room: float) -> str:
    """As much of the beginning as fits, but one letter."""
    while len(text) > 1 and text_width(text, size) > room:
        text = text[:-1]
    return text
