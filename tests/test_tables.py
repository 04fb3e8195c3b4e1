"""Tables of text: as rich lays them out where all fits, and never wider than the terminal."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as RichTable

from pipesched.cli.tables import column_widths, table_lines
from pipesched.render.text.summary import num
from pipesched.render.text.table import Table, to_csv, to_markdown

CELLS = st.sampled_from(
    ["", "-", "1", "12.5", "81", "1f1b", "9.09 %", "1x", "a b", "日本", "dualpipe,chunks=4"]
)


@st.composite
def tables(draw):
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(0, 5))
    cells = tuple(tuple(draw(CELLS) for _ in range(columns)) for _ in range(rows))
    best = (
        frozenset(draw(st.sets(st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1)))))
        if rows
        else frozenset()
    )
    return Table(
        "t", tuple(draw(st.sampled_from(["a", "makespan", "vs best"])) for _ in range(columns)), cells, best
    )


def as_rich_does(table, width):
    spare = sum(column_widths(table)) + 2 * len(table.columns) <= width
    drawn = RichTable(box=box.SIMPLE_HEAD, padding=(0, int(spare), 0, 0), pad_edge=False, show_edge=False)
    for number, column in enumerate(table.columns):
        cells = [row[number] for row in table.rows]
        right = number > 0 and cells and all(cell[:1].isdigit() or cell in ("-", "") for cell in cells)
        drawn.add_column(column, justify="right" if right else "left")
    for r, row in enumerate(table.rows):
        drawn.add_row(*(f"{cell} *" if (r, c) in table.best else cell for c, cell in enumerate(row)))
    out = Console(width=width, file=io.StringIO(), color_system=None)
    out.print(drawn)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


@settings(deadline=None)
@given(tables(), st.booleans())
def test_what_fits_looks_as_rich_lays_it_out(table, tight):
    width = sum(column_widths(table)) + (1 if tight else 2) * len(table.columns)
    assert [line.plain for line in table_lines(table, width)] == as_rich_does(table, width)


@settings(deadline=None)
@given(tables(), st.integers(20, 60))
def test_what_is_too_wide_is_folded_and_nothing_lost(table, width):
    lines = [line.plain for line in table_lines(table, width)]
    assert max(map(cell_len, lines)) <= width
    for row in table.rows:
        for letter in set("".join(row)) - {" "}:
            assert "".join(lines).count(letter) >= "".join(row).count(letter)


@pytest.mark.parametrize("rows", [1, 3000])
def test_the_best_are_marked(rows):
    table = Table("t", ("name", "value"), (("a", "1"), ("b", "2")) * rows, frozenset({(1, 1)}))
    lines = list(table_lines(table, 40))
    assert len(lines) == 2 + 2 * rows
    marked = lines[3]
    assert marked.plain == "b       2 *"
    assert any("bold green" in str(span.style) for span in marked.spans)


def test_numbers_have_separators_for_people_and_none_in_csv():
    rows = (("vpp,chunks=4", num(24765.5), num(1149), "1,000.5x", "[0,100,200]", "0, 7"),)
    table = Table("", ("schedule", "makespan", "bubble", "params", "list", "stages"), rows)
    assert "| 24,765.5 | 1,149 | 1,000.5x |" in to_markdown(table)
    (row,) = list(csv.reader(io.StringIO(to_csv(table))))[1:]
    assert row == ["vpp,chunks=4", "24765.5", "1149", "1000.5x", "[0,100,200]", "0, 7"]
