"""What the page is put together from: escaped text, tables, charts."""

import json
import re
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pipesched.render.text.table import Table

if TYPE_CHECKING:  # plotly is loaded only for pages with summary charts
    import plotly.graph_objects as go  # type: ignore[import-untyped]

_NUMBER = re.compile(r"-|[-+]?[\d.,]+(e[-+]?\d+)?\s?[%x]?")


def text(content: str) -> str:
    """Anybody's text, safe between tags and in quoted attributes."""
    return escape(content, quote=True)


def tag(name: str, content: str) -> str:
    """An element without attributes around HTML."""
    return f"<{name}>{content}</{name}>"


def asset(name: str) -> str:
    """A text file that stands beside this module."""
    return files("pipesched.render.html").joinpath(name).read_text(encoding="utf-8")


def chart(key: str, figure: "go.Figure", *, heading: str, alt: str, caption: str) -> str:
    """A figure element; summary.js draws the data into it. ``key`` is its id in the document."""
    return f"""<figure aria-labelledby="{key}-heading">
<h3 id="{key}-heading">{text(heading)}</h3>
<div class="chart" id="{key}" data-name="{text(key)}" role="img" aria-label="{text(alt)}"
 style="height: {figure.layout.height}px"></div>
{_script(f"{key}-data", figure.to_json())}<figcaption>{text(caption)}</figcaption>
</figure>
"""


def json_script(key: str, value: Any) -> str:
    """Data for a script, in an element with the id ``key``."""
    return _script(key, json.dumps(value, separators=(",", ":")))


def _script(key: str, data: str) -> str:
    for character in "<>&":  # so that nothing in it can end the script
        data = data.replace(character, f"\\u{ord(character):04x}")
    return f'<script type="application/json" id="{key}">{data}</script>\n'


def data_table(table: Table) -> str:
    """A table that scrolls inside itself, with its notes under it; best cells are bold and tinted."""
    numeric = [all(_NUMBER.fullmatch(cell) for cell in column) for column in zip(*table.rows, strict=True)]
    head = "".join(
        f'<th scope="col"{_class("" if number else "words")}>{text(column)}</th>'
        for column, number in zip(table.columns, numeric or [True] * len(table.columns), strict=True)
    )
    body = "".join(_row(table, r, numeric) for r in range(len(table.rows)))
    notes = [*(["bold: the best of its column"] if table.best else []), *table.notes]
    listed = "".join(tag("li", text(note)) for note in notes)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{text(table.title)}"><table>'
        f"<caption>{text(table.title)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n"
        + (f'<ul class="notes">{listed}</ul>\n' if listed else "")
    )


def _row(table: Table, r: int, numeric: list[bool]) -> str:
    first, *cells = table.rows[r]
    row = f'<th scope="row">{text(first)}</th>'
    for c, cell in enumerate(cells, start=1):
        best = (r, c) in table.best
        mark = '<span class="hidden"> (best)</span>' if best else ""
        row += f"<td{_class('best' if best else '', '' if numeric[c] else 'words')}>{text(cell)}{mark}</td>"
    return tag("tr", row)


def _class(*names: str) -> str:
    given = " ".join(filter(None, names))
    return f' class="{given}"' if given else ""
