"""Markdown tables."""

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; ``|`` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)
