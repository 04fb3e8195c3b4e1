"""A table as plain data, for the terminal, Markdown, CSV and HTML alike."""

from typing import NamedTuple


class Table(NamedTuple):
    """Cells as text. ``best`` holds the (row, column) of every cell that is the best of its column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    best: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
