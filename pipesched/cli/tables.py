"""Tables as lines of text that fit the terminal. By hand: rich's tables take most of a millisecond a row."""

from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len, chop_cells
from rich.text import Text

from pipesched.render.text.table import Table


def table_lines(table: Table, width: int) -> Iterator[Text]:
    """Header, rule and rows; the best of a column is marked with a star, and in colour.

    Numbers stand right. What is too wide is folded.
    """
    widths = column_widths(table)
    gap = 2 if sum(widths) + 2 * len(widths) <= width else 1
    widths = _narrowed(widths, width - gap * (len(widths) - 1))
    right = [c > 0 and _numeric([row[c] for row in table.rows]) for c in range(len(widths))]
    best: dict[int, set[int]] = {}
    for r, c in table.best:
        best.setdefault(r, set()).add(c)
    layout = [*zip(widths, right, strict=True)]
    yield from (Text(line.plain, "bold") for line in _row(table.columns, (), layout, gap))
    yield Text("─" * (sum(widths) + gap * (len(widths) - 1)))
    for r, row in enumerate(table.rows):
        yield from _row(row, best.get(r, ()), layout, gap)


def column_widths(table: Table) -> list[int]:
    """How many characters each column needs."""
    columns = zip(table.columns, *table.rows, strict=True)
    widths = [max(1, *map(cell_len, column)) for column in columns]
    for r, c in table.best:
        widths[c] = max(widths[c], cell_len(_marked(table.rows[r][c])))
    return widths


def _marked(cell: str) -> str:
    """The best of its column."""
    return f"{cell} *"


def _narrowed(widths: Sequence[int], room: int) -> list[int]:
    """With as much taken from the widest as is too much; the widest character has two columns."""
    narrowed = list(widths)
    while sum(narrowed) > room and max(narrowed) > 2:
        narrowed[narrowed.index(max(narrowed))] -= 1
    return narrowed


def _numeric(cells: Sequence[str]) -> bool:
    return bool(cells) and all(cell[:1].isdigit() or cell in ("-", "") for cell in cells)


def _row(
    cells: Sequence[str], best: Collection[int], layout: Sequence[tuple[int, bool]], gap: int
) -> Iterator[Text]:
    """As many lines as its cells need."""
    texts = [_marked(cell) if c in best else cell for c, cell in enumerate(cells)]
    folded = [chop_cells(text, width) or [""] for text, (width, _) in zip(texts, layout, strict=True)]
    for k in range(max(map(len, folded))):
        line = Text()
        for c, (lines, (width, right)) in enumerate(zip(folded, layout, strict=True)):
            part = lines[k] if k < len(lines) else ""
            blank = " " * (width - cell_len(part))
            line.append(blank + part if right else part + blank, "bold green" if c in best else None)
            line.append(" " * gap)
        line.rstrip()
        yield line
