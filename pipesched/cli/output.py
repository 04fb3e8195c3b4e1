"""Printing: the only module that talks to the terminal."""

import os
import re
import sys
from typing import TYPE_CHECKING, Any

from pipesched.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from pipesched.render.text.table import Table


#: Columns that are written at least, whatever the terminal has: words and tables need some.
NARROWEST = 20


def console(width: int | None = None) -> "Console":
    """A rich console on stdout; as wide as asked, as the terminal, or 80 columns where there is none."""
    from rich.console import Console

    if width is None and not sys.stdout.isatty() and os.environ.get("COLUMNS", "0") in ("", "0"):
        width = 80

    class Quiet(Console):
        """Leaves a closed pipe to the one place that ends quietly; rich itself would exit with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    made = Quiet(width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if made.width < NARROWEST:  # noqa: PLR1730  setting it ends following the terminal
        made.width = NARROWEST
    return made


def print_json(data: Any) -> None:
    """JSON on stdout, alone."""
    import json

    json.dump(data, sys.stdout, indent=None if _large(data) else 2)
    sys.stdout.write("\n")


def _large(data: Any) -> bool:
    return isinstance(data, dict) and data.get("ops", 0) > 2000


def print_lines(lines: list[str], width: int | None = None) -> None:
    """Lines of text, wrapped between words, continued under the first word after the label."""
    from rich.text import Text

    out = console(width)
    for line in lines:
        for part in _wrapped(line, out.width):
            out.print(Text(part), no_wrap=True, crop=False, overflow="ignore")


def _wrapped(line: str, width: int) -> list[str]:
    import textwrap

    label = re.match(r" *\S+( \S+){0,3} {2,}", line)
    hang = " " * min(label.end() if label else len(line) - len(line.lstrip()), width // 3)
    return textwrap.wrap(line, width, subsequent_indent=hang, break_on_hyphens=False) or [""]


def print_table(table: "Table", width: int | None = None) -> None:
    """A table that fits the width; the best of a column is marked with a star, and in colour.

    Columns that do not fit are told line by line under it.
    """
    from pipesched.cli.tables import table_lines

    out = console(width)
    shown, moved = fitted(table, out.width)
    print_lines([shown.title], width)
    for line in table_lines(shown, out.width):
        out.print(line, no_wrap=True, crop=False, overflow="ignore")
    print_lines([*moved, *(["*  the best of its column"] if shown.best else []), *shown.notes, ""], width)


def fitted(table: "Table", width: int) -> "tuple[Table, list[str]]":
    """The table without as many columns as do not fit, and those as lines; spare ones go first."""
    from pipesched.cli.tables import column_widths

    kept = list(range(len(table.columns)))
    widths = column_widths(table)
    spare = [table.columns.index(name) for name in table.spare if name in table.columns]
    while sum(widths[c] + 1 for c in kept) > width and len(kept) > 2:
        kept.remove(spare.pop(0) if spare else max(kept[1:], key=lambda c: widths[c]))
    left_out = [c for c in range(len(table.columns)) if c not in kept]
    moved = [
        f"{row[0]:<{widths[0]}}  " + ", ".join(f"{table.columns[c]} {row[c]}" for c in left_out)
        for row in table.rows
    ]
    narrower = table._replace(
        columns=tuple(table.columns[c] for c in kept),
        rows=tuple(tuple(row[c] for c in kept) for row in table.rows),
        best=frozenset((r, kept.index(c)) for r, c in table.best if c in kept),
    )
    return narrower, moved if left_out else []


def write_out(path: "Path", parts: "Iterable[str | bytes]", *, force: bool) -> None:
    """Write to a file, whole or not at all, and say so on stderr; ``-`` is stdout, in UTF-8 as files are."""
    from pipesched.formats.output import as_bytes, write

    if str(path) == "-":
        sys.stdout.flush()
        sys.stdout.buffer.writelines(map(as_bytes, parts))
        return
    write(path, parts, force=force)
    print(f"wrote {printable(str(path))}", file=sys.stderr)  # noqa: T201
