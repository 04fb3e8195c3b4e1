"""Terminal pictures as SVG, character by character, so that they can be looked at and compared.

``python tests/snapshots.py`` writes them anew; look at them before you commit. They are drawn from segments,
not by rich, so that they do not change with its version; block characters are rectangles, as in a terminal.
"""

import io
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.generators.size import Size
from pipesched.render import annotate
from pipesched.render.chart import chart
from pipesched.render.excerpt import excerpt, leave_out
from pipesched.render.terminal import Gantt
from pipesched.simulate import simulate

DIRECTORY = Path(__file__).parent / "data" / "terminal"
WIDTHS, THEMES = (80, 120, 200), {"dark": ("#1e1e1e", "#d4d4d4"), "light": ("#ffffff", "#1e1e1e")}
_X, _Y = 8, 16
_LEFT, _LOWER = " ▏▎▍▌▋▊▉", " ▁▂▃▄▅▆▇█"


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    fill: str


def pictures(width):
    """What is snapped at a width: everything once."""
    dualpipe = simulate(find("dualpipe").generate(8, 20))
    yield Gantt(annotate.with_critical_path(chart(dualpipe), dualpipe))
    delayed = simulate(find("1f1b").generate(4, 8), CostModel.of(latency=0.1))
    yield Gantt(
        annotate.with_activations(chart(delayed), delayed, "w", [3]),
        chart(simulate(find("zb1p").generate(4, 8))),
    )
    slack = annotate.with_slack(chart(delayed), delayed)
    yield Gantt(slack.window(0, 30, range(2)), color_by="slack", wrap=width == 80)
    yield Gantt(chart(simulate(find("dualpipev").generate(4, 200))))
    found = measure_unbuilt(Size.of(find("1f1b"), 8, 10**6, None, {}), CostModel())
    yield Gantt(excerpt(found.timeline, leave_out([found.timeline])))


def svg(width, theme):
    """The document."""
    paper, ink = THEMES[theme]
    under, over, texts, lines = [], [], [], list(_lines(width))
    for y, line in enumerate(lines):
        for x, (sign, style) in enumerate(line):
            front, back = _colors(style, paper, ink)
            cell = Box(x * _X, y * _Y, _X, _Y, back)
            block = _block(sign, cell, front)
            under += [cell] if back != paper else []
            over += block
            over += [Box(cell.x, cell.y + _Y - 1, _X, 1, front)] if style and style.underline else []
            texts += [(x, y, sign, front)] if sign != " " and not block else []
    view = f'viewBox="0 0 {width * _X} {len(lines) * _Y}"'
    font = 'font-family="monospace" font-size="13" text-anchor="middle" shape-rendering="crispEdges"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {view} {font}>'
    ground = f'<rect width="100%" height="100%" fill="{paper}"/>'
    return "\n".join([head, ground, *_paths(under), *_paths(over), *_written(texts), "</svg>\n"])


def _colors(style, paper, ink):
    front = style.color.name if style and style.color and not style.color.is_default else ink
    back = style.bgcolor.name if style and style.bgcolor and not style.bgcolor.is_default else paper
    return (back, front) if style and style.reverse else (front, back)


def _paths(boxes):
    """A path for each colour, neighbours in a line as one."""
    rows = sorted(boxes, key=lambda box: (box.fill, box.y, box.height, box.x))
    for fill, group in groupby(rows, lambda box: box.fill):
        joined = []
        for box in group:
            last = joined[-1] if joined else None
            if last and (last.y, last.height, last.x + last.width) == (box.y, box.height, box.x):
                joined[-1] = last._replace(width=last.width + box.width)
            else:
                joined.append(box)
        drawn = (f"M{b.x:g} {b.y:g}h{b.width:g}v{b.height:g}h{-b.width:g}z" for b in joined)
        yield f'<path fill="{fill}" d="{"".join(drawn)}"/>'


def _lines(width):
    console = Console(
        width=width,
        color_system="truecolor",
        force_terminal=True,
        file=io.StringIO(),
        legacy_windows=False,
        no_color=False,
    )
    line = []
    for picture in pictures(width):
        for segment in console.render(picture, console.options):
            for sign in segment.text:
                if sign == "\n":
                    yield line
                    line = []
                else:
                    line.append((sign, segment.style))
        yield []


def _block(sign, cell, fill):
    if sign != " " and sign in _LEFT:
        return [cell._replace(width=_LEFT.index(sign) * _X / 8, fill=fill)]
    if sign != " " and sign in _LOWER:
        height = _LOWER.index(sign) * _Y / 8
        return [cell._replace(y=cell.y + _Y - height, height=height, fill=fill)]
    return [cell._replace(height=_Y / 2, fill=fill)] if sign == "▀" else []


def _written(texts):
    """A text element for each line and colour, with the place of each character."""
    for (y, fill), group in groupby(sorted(texts, key=lambda t: (t[1], t[3], t[0])), lambda t: (t[1], t[3])):
        signs = list(group)
        places = " ".join(f"{x * _X + _X // 2}" for x, *_ in signs)
        text = escape("".join(sign for _, _, sign, _ in signs))
        yield f'<text x="{places}" y="{y * _Y + 12}" fill="{fill}">{text}</text>'


def path(width, theme):
    return DIRECTORY / f"everything-{width}-{theme}.svg"


if __name__ == "__main__":
    for columns in WIDTHS:
        for name in THEMES:
            path(columns, name).write_text(svg(columns, name), encoding="utf-8")
