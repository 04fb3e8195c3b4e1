"""Tables, on the screen and in docs/performance.md between their markers."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"


class Table(NamedTuple):
    """Cells as text under a title."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """With columns in line: the first to the left, numbers to the right."""
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
        aligned = [
            [cell.ljust(width) if not at else cell.rjust(width) for at, (cell, width) in enumerate(pairs)]
            for pairs in (zip(line, widths, strict=True) for line in (self.head, rule, *self.rows))
        ]
        return "".join(f"| {' | '.join(line)} |\n" for line in aligned)


def write(tables: Iterable[Table], page: Path = PAGE) -> None:
    """Put each table in its place, ``<!-- measured TITLE -->`` to ``<!-- end TITLE -->``.

    KeyError for one that has no place.
    """
    text = page.read_text(encoding="utf-8")
    for table in tables:
        begin, end = f"<!-- measured {table.title} -->\n", f"<!-- end {table.title} -->"
        place = re.compile(f"({re.escape(begin)}).*?({re.escape(end)})", re.DOTALL)
        text, found = place.subn(lambda match, new=table: f"{match[1]}{new.markdown()}{match[2]}", text)
        if not found:
            raise KeyError(f"{page.name} has no place for {table.title!r}: {begin.strip()} and {end}")
    page.write_text(text, encoding="utf-8")
