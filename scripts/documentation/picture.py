"""The chart of README.md as SVG: what the terminal shows, in the terminal's colours."""

import io
import re

from rich.console import Console

from documentation import ROOT
from pipesched import generate, simulate
from pipesched.render.chart import chart
from pipesched.render.terminal import Gantt

FILE = ROOT / "docs" / "images" / "dualpipe.svg"
_WIDTH = 135

#: rich's own form, without the window around it and without fonts from elsewhere.
_FORM = """\
<svg viewBox="0 0 {terminal_width} {terminal_height}" xmlns="http://www.w3.org/2000/svg">
<title>pipesched show dualpipe --pp 8 --mb 20</title>
<style>
.{unique_id}-matrix {{ font: {char_height}px "DejaVu Sans Mono", Menlo, Consolas, monospace }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect width="{terminal_width}" height="{terminal_height}"/>
</clipPath>
{lines}
</defs>
<rect width="{terminal_width}" height="{terminal_height}" rx="6" fill="#292929"/>
<g transform="translate(4, 8)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def drawn() -> str:
    """The SVG."""
    console = Console(
        record=True,
        width=_WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        _environ={},
    )
    console.print(Gantt(chart(simulate(generate("dualpipe", pp=8, mb=20)))))
    console.print()  # a lower margin
    return console.export_svg(title="", code_format=_FORM, unique_id="chart")


def content(svg: str) -> tuple[list[str], list[str]]:
    """What stands in it and in which colours, whatever the version of rich that wrote it."""
    return re.findall(r">([^<>\s][^<>]*)</text>", svg), re.findall(r'fill[:="\s]+(#\w+)', svg)
