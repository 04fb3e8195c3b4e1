"""The legend under a figure: one entry for each kind, with a swatch for each of its two shades."""

from collections.abc import Sequence
from typing import NamedTuple

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart
from pipesched.render.paper.axis import number
from pipesched.render.paper.page import Box, Shape, Text
from pipesched.render.paper.strips import full
from pipesched.render.paper.text import text_width, wrapped
from pipesched.render.paper.theme import Theme

#: Side of a swatch, its letter, the space after swatches and after an entry, and a row, in sizes of the text.
_SIDE, _LETTER, _AFTER, _BETWEEN, _ROW = 1.2, 0.85, 0.4, 1.2, 1.6


class Item(NamedTuple):
    """What a sign means.

    ``tones`` are swatches with their letters, 2 x kind + shade; they share a border if they are ``joined``.
    ``bar`` is the height of a plain one in ``color``, as a share of a swatch's.
    """

    text: str
    tones: tuple[int, ...] = ()
    joined: bool = False
    color: str | None = None
    bar: float = 0.0

    @property
    def swatches(self) -> int:
        """How many stand before the text."""
        return len(self.tones) + (1 if self.color else 0)


def items(charts: Sequence[Chart], theme: Theme) -> list[Item]:
    """What the charts show, each once: kinds, the overlapped pair, what the shades stand for, strips."""
    entries = list(dict.fromkeys(entry for chart in charts for entry in chart.legend))
    tones = {2 * entry.kind + entry.shade % 2 for entry in entries if entry.shade is not None}
    of_kind = {kind: tuple(tone for tone in (2 * kind, 2 * kind + 1) if tone in tones) for kind in Kind}
    shown = [Item(KIND_NAMES[kind], of) for kind, of in of_kind.items() if of]
    dark = any(len(of) == 2 for of in of_kind.values())
    if any(entry.shade is None for entry in entries):
        shown.append(Item("overlapped", (2 * Kind.F, 2 * Kind.B + dark), joined=True))
    meaning = [
        list(dict.fromkeys(entry.which for entry in entries if entry.shade == shade and entry.which))
        for shade in (0, 1)
    ]
    if all(meaning):
        light, deep = (" or ".join(which) for which in meaning)
        shown.append(Item(f"light: {light}, dark: {deep}"))
    return shown + _strips(charts, theme)


def _strips(charts: Sequence[Chart], theme: Theme) -> list[Item]:
    shown = []
    if any(chart.critical is not None for chart in charts):
        shown.append(Item("on the critical path", color=theme.ink, bar=0.2))
    found = [chart.held for chart in charts if chart.held]
    if found:
        freed = " or ".join(dict.fromkeys(held.freed_at for held in found))
        text = f"activations held ({freed}), full height = {number(full(charts))}, the number is the peak"
        shown.append(Item(text, color=theme.held, bar=0.6))
    caps = {number(cap) for held in found if held.cap is not None for cap in held.cap.tolist()}
    if caps:
        of = caps.pop() if len(caps) == 1 else "its device"
        shown.append(Item(f"cap of {of}, and what is over it", color=theme.mark, bar=0.6))
    return shown


def legend(
    found: Sequence[Item], left: float, right: float, y: float, size: float, theme: Theme
) -> tuple[list[Shape], float]:
    """Entries in rows between ``left`` and ``right``, from ``y`` down, each in the first row with room.

    Returns the shapes and where they end.
    """
    shapes: list[Shape] = []
    ends: list[float] = []  # of each row so far
    for item in found:
        signs = item.swatches * _SIDE * size + (_AFTER * size if item.swatches else 0.0)
        lines = wrapped(item.text, size, right - left - signs)
        width = signs + max(text_width(line, size) for line in lines)
        fits = [row for row, end in enumerate(ends) if end + width <= right]
        row = fits[0] if fits and len(lines) == 1 else len(ends)
        if row == len(ends):
            ends += [left] + [right] * (len(lines) - 1)
        x, top = ends[row], y + row * _ROW * size
        shapes += _signs(item, x, top, size, theme)
        middles = (top + (n * _ROW + _SIDE / 2) * size for n in range(len(lines)))
        shapes += [
            Text.level(x + signs, middle, line, size, theme.ink)
            for middle, line in zip(middles, lines, strict=True)
        ]
        ends[row] = right if len(lines) > 1 else x + width + _BETWEEN * size
    return shapes, y + len(ends) * _ROW * size


def _signs(item: Item, x: float, y: float, size: float, theme: Theme) -> list[Shape]:
    side, shapes = _SIDE * size, list[Shape]()
    edge = (None, 0.0) if item.joined else (theme.border, 0.4)
    for n, tone in enumerate(item.tones):
        fill, ink = theme.tone(tone)
        at = x + n * side
        shapes.append(Box(at, y, side, side, fill, *edge))
        letter = Kind(tone // 2).name
        shapes.append(Text.level(at + side / 2, y + side / 2, letter, _LETTER * size, ink, "middle"))
    if item.joined:
        shapes.append(Box(x, y, len(item.tones) * side, side, None, theme.border, 0.4))
    if item.color:
        shapes.append(Box(x, y + side * (1 - item.bar) / 2, side, side * item.bar, item.color))
    return shapes
