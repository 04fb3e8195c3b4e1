"""Printing: the only module that talks to the terminal."""

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any

from pipesched.words import printable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from pipesched.render.table import Table


def console(width: int | None = None) -> "Console":
    """A rich console on stdout; as wide as asked, as the terminal, or 80 columns where there is none."""
    from rich.console import Console

    if width is None and not sys.stdout.isatty() and os.environ.get("COLUMNS", "0") in ("", "0"):
        width = 80

    class Quiet(Console):
        """Leaves a closed pipe to the one place that ends quietly; rich itself would exit with 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quiet(width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def print_json(data: Any) -> None:
    """JSON on stdout, alone."""
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
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    out = console(width)
    shown, moved = fitted(table, out.width)
    spare = 1 if sum(_widths(shown)) + 2 * len(shown.columns) <= out.width else 0
    drawn = RichTable(box=box.SIMPLE_HEAD, padding=(0, spare, 0, 0), pad_edge=False, show_edge=False)
    for number, column in enumerate(shown.columns):
        cells = [row[number] for row in shown.rows]
        numeric = number > 0 and all(cell[:1].isdigit() or cell in ("-", "") for cell in cells)
        drawn.add_column(column, justify="right" if numeric and cells else "left", overflow="fold")
    for r, row in enumerate(shown.rows):
        marked = [
            Text(f"{cell} *", style="bold green") if (r, c) in shown.best else Text(cell)
            for c, cell in enumerate(row)
        ]
        drawn.add_row(*marked)
    print_lines([shown.title], width)
    out.print(drawn)
    print_lines([*moved, *(["*  the best of its column"] if shown.best else []), *shown.notes, ""], width)


def _widths(table: "Table") -> list[int]:
    return [
        max(len(title), *(len(row[c]) + 2 * ((r, c) in table.best) for r, row in enumerate(table.rows)), 1)
        for c, title in enumerate(table.columns)
    ]


def fitted(table: "Table", width: int) -> "tuple[Table, list[str]]":
    """The table without as many columns as do not fit, and those as lines; spare ones go first."""
    kept = list(range(len(table.columns)))
    widths = _widths(table)
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
