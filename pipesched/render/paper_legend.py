"""The legend under a figure: one entry for each kind, with a swatch for each of its two shades."""

from collections.abc import Sequence
from typing import NamedTuple

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart
from pipesched.render.paper import Box, Shape, Text
from pipesched.render.paper_text import HEIGHT, clean, text_width, wrapped
from pipesched.render.paper_theme import Theme


class Item(NamedTuple):
    """Swatches, as (kind, shade), and what they mean; ``joined`` ones share a border."""

    swatches: tuple[tuple[Kind, int], ...]
    text: str
    joined: bool = False


def items(charts: Sequence[Chart]) -> list[Item]:
    """What the charts show, each once: kinds, the overlapped pair, what the shades stand for."""
    entries = list(dict.fromkeys(entry for chart in charts for entry in chart.legend))
    shown = [Item(_shades(kind, charts), KIND_NAMES[kind]) for kind in Kind]
    shown = [item for item in shown if item.swatches]
    two = max((len(item.swatches) for item in shown), default=1) == 2
    pairs = [entry.text for entry in entries if entry.shade is None]
    shown += [Item(((Kind.F, 0), (Kind.B, 1 if two else 0)), text, joined=True) for text in pairs[:1]]
    meaning = [
        list(dict.fromkeys(entry.which for entry in entries if entry.shade == shade and entry.which))
        for shade in (0, 1)
    ]
    if all(meaning):
        light, dark = (" or ".join(which) for which in meaning)
        shown.append(Item((), f"light: {light}, dark: {dark}"))
    return shown


def _shades(kind: Kind, charts: Sequence[Chart]) -> tuple[tuple[Kind, int], ...]:
    found = {entry.shade for chart in charts for entry in chart.legend if entry.kind == kind}
    return tuple((kind, shade) for shade in (0, 1) if shade in found)


def legend(
    charts: Sequence[Chart], left: float, right: float, y: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """The entries in rows between ``left`` and ``right``, from ``y`` down; and where they end."""
    shapes: list[Shape] = []
    x, row, side = left, round(1.6 * size, 2), round(1.25 * size, 2)
    for item in items(charts):
        swatches = len(item.swatches) * side + (0.4 * size if item.swatches else 0)
        lines = wrapped(clean(item.text), size, right - left - swatches)
        width = swatches + max(text_width(line, size) for line in lines)
        if x > left and x + width > right:
            x, y = left, round(y + row, 2)
        shapes += _swatches(item, x, y, side, size, theme)
        for n, line in enumerate(lines):
            y = round(y + row, 2) if n else y
            base = round(y + (side + HEIGHT * size) / 2, 2)
            shapes.append(Text(round(x + swatches, 2), base, line, size, theme.ink))
        x = round(x + width + 1.4 * size, 2)
    return shapes, round(y + row, 2)


def _swatches(item: Item, x: float, y: float, side: float, size: float, theme: Theme) -> list[Shape]:
    shapes: list[Shape] = []
    letter_size = round(0.85 * size, 2)
    for n, (kind, shade) in enumerate(item.swatches):
        fill, ink = theme.tone(kind, shade)
        at = round(x + n * side, 2)
        border = (None, 0.0) if item.joined else (theme.border, 0.4)
        shapes.append(Box(at, y, side, side, fill, *border))
        base = round(y + (side + HEIGHT * letter_size) / 2, 2)
        shapes.append(Text(round(at + side / 2, 2), base, kind.name, letter_size, ink, "middle"))
    if item.joined:
        shapes.append(Box(x, y, round(len(item.swatches) * side, 2), side, None, theme.border, 0.4))
    return shapes
