"""Where the axis leaves time out: room for a mark in every line, and words over the ruler."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.segment import Segment

from pipesched.render.chart import Chart
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.scale import Scale

#: Columns of a break, where there is room for them.
WIDTH = 3


class LeftOut(NamedTuple):
    """A break in columns: ``left`` to ``right``, the mark in the column ``middle``; ``text`` in words."""

    left: int
    middle: int
    right: int
    text: str


def width(charts: Sequence[Chart], room: int) -> int:
    """How many columns a break takes, of ``room`` for everything."""
    most = max(len(chart.breaks) for chart in charts)
    return min(WIDTH, room // 4 // most) if most else 0


def left_out(chart: Chart, scale: Scale) -> list[LeftOut]:
    """The breaks within a panel."""
    found = []
    for each in chart.breaks:
        at = (each.at - scale.t0) * scale.rate
        left, right = round(at), round(at + each.width * scale.rate)
        if 0 <= left < right <= scale.columns:
            found.append(LeftOut(left, (left + right) // 2, right, each.text))
    return found


def broken(
    line: Iterable[Segment], breaks: Sequence[LeftOut], row: int, look: Look, *, exact: bool
) -> list[Segment]:
    """A line with the marks in it, a zigzag over all rows.

    The rest of a break is blank, if the line is not ``exact`` to a part of a column anyhow.
    """
    done, rest, at = [], list(line), 0
    for each in breaks:
        left, right = (each.middle, each.middle + 1) if exact else (each.left, each.right)
        before, _, rest = Segment.divide(rest, [left - at, right - at, 10**9])
        before = Segment.adjust_line_length(before, left - at)
        mark = look.zigzag[row % 2].rjust(each.middle + 1 - left).ljust(right - left)
        done += [*before, Segment(mark)]
        at = right
    return [*done, *rest]


def words(breaks: Sequence[LeftOut], margin: int, columns: int, look: Look) -> list[str]:
    """Lines of what is left out, each text over its break; shortened to what fits."""
    dots = look.dots
    lines: list[str] = []
    for each in breaks:
        told = f"{dots} {each.text} {dots}"
        if len(told) > columns:
            told = dots[:columns]
        start = margin + each.middle + 1 - len(told) // 2
        start = max(0, min(start, margin + columns - len(told)))
        free = next((n for n, line in enumerate(lines) if len(line) + 2 <= start), len(lines))
        lines[free:] = [(lines[free] if free < len(lines) else "").ljust(start) + told, *lines[free + 1 :]]
    return lines
