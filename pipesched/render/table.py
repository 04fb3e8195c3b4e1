"""A table as plain data, for the terminal, Markdown, CSV and HTML alike."""

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


def to_csv(table: Table) -> str:
    """Header and rows, as csv readers expect them."""
    import csv  # noqa: PLC0415  neither is needed for most tables
    import io  # noqa: PLC0415

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.rows)
    return out.getvalue()


def to_markdown(table: Table) -> str:
    """A Markdown table, best cells in bold, with its notes under it."""

    def row(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    marked = [
        tuple(f"**{cell}**" if (r, c) in table.best else cell for c, cell in enumerate(cells))
        for r, cells in enumerate(table.rows)
    ]
    lines = [row(table.columns), row(("---",) * len(table.columns)), *map(row, marked), ""]
    return "\n".join([*lines, *(f"- {note}" for note in table.notes)]) + "\n"
