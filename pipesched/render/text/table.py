"""A table as plain data, for the terminal, Markdown, CSV and HTML alike."""

import re
from typing import NamedTuple


class Table(NamedTuple):
    """Cells as text. ``best`` holds the (row, column) of every cell that is the best of its column.

    ``spare`` names the columns to leave out first where there is no room for all.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()


#: A number as :func:`pipesched.render.text.summary.num` writes it where it has thousands.
_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?x?")


def to_csv(table: Table) -> str:
    """Header and rows, as csv readers expect them: numbers without separators."""
    import csv  # noqa: PLC0415  neither is needed for most tables
    import io  # noqa: PLC0415

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow(cell.replace(",", "") if _GROUPED.fullmatch(cell) else cell for cell in row)
    return out.getvalue()


def to_markdown(table: Table) -> str:
    """A Markdown table, best cells in bold, with its notes under it."""

    def row(cells: tuple[str, ...]) -> str:
        return f"| {' | '.join(cells)} |"

    marked = [
        tuple(f"**{_plain(cell)}**" if (r, c) in table.best else _plain(cell) for c, cell in enumerate(cells))
        for r, cells in enumerate(table.rows)
    ]
    head = row(tuple(map(_plain, table.columns)))
    lines = [head, row(("---",) * len(table.columns)), *map(row, marked), ""]
    return "\n".join([*lines, *(f"- {_plain(note)}" for note in table.notes)]) + "\n"


def _plain(text: str) -> str:
    """Text that means itself in Markdown: no tags, entities, emphasis, links, or ends of cells."""
    return re.sub(r"([\\|<>*_`~\[\]]|&(?=#?\w+;))", r"\\\1", text.replace("\n", " "))
