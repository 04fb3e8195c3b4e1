"""What stands around the lanes: the ruler above, legend and notes below."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from rich.style import Style
from rich.text import Text

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, Entry
from pipesched.render.terminal.colors import Colors
from pipesched.render.terminal.scale import Scale, ticks

DIM = Style(dim=True)
_GAP = "   "


def ruler(scale: Scale, t1: float, bars: str) -> tuple[str, int]:
    """The line of times over the lanes, and the power of ten that they are to be multiplied by.

    ``bars`` mark the left and the right edge of a column. The end of the window stands left of its
    mark; other marks that would touch it are left out.
    """
    marks, power = ticks(scale, t1)
    last = f"{t1 / 10.0**power:.6g}{bars[1]}" if scale.rate else ""
    starts = scale.columns - len(last)
    line = ""
    for mark in marks:
        text = bars[0] + mark.text
        if mark.column >= len(line) and mark.column + len(text) < max(starts, 1):
            line = line.ljust(mark.column) + text
    if starts >= len(line):
        line = line.ljust(starts) + last
    return line[: scale.columns], power


def flow(items: Iterable[Text], width: int) -> Iterator[Text]:
    """Items side by side, as many to a line as fit."""
    line = Text()
    for item in items:
        if line and line.cell_len + len(_GAP) + item.cell_len > width:
            yield line
            line = Text()
        line = Text.assemble(line, _GAP, item) if line else item
    if line:
        yield line


def legend(chart: Chart, colors: Colors, idle: str) -> Iterator[Text]:
    """What colours and letters mean; ``idle`` is how idle time looks."""
    if colors.by_microbatch and colors.system:
        yield from _hues(colors)
    for kind, entries in groupby((e for e in chart.legend if e.shade is not None), key=lambda e: e.kind):
        yield _kind(kind, list(entries), colors)
    yield from _shades(chart, colors)
    for entry in chart.legend:
        if entry.shade is None:
            yield _pair(entry, chart, colors)
    yield Text(f"{idle if colors.system is None else 'blank:'} idle")


def _kind(kind: Kind, entries: list[Entry], colors: Colors) -> Text:
    if colors.system is None:
        signs = "/".join(kind.name.lower() if entry.shade else kind.name for entry in entries)
        return Text(f"{signs} {KIND_NAMES[kind]}")
    if colors.by_microbatch:
        entries = entries[:1]
    swatches = [_swatch(kind.name, kind, entry.shade or 0, colors) for entry in entries]
    return Text.assemble(*swatches, f" {KIND_NAMES[kind]}")


def _shades(chart: Chart, colors: Colors) -> Iterator[Text]:
    """Which direction or chunk is which."""
    names = dict.fromkeys(entry.which for entry in chart.legend if entry.shade is not None)
    if len(names) < 2 or (colors.by_microbatch and colors.system):
        return
    first, second = ("upper case", "lower case") if colors.system is None else ("left tone", "right tone")
    yield Text(", ".join(f"{tone}: {name}" for tone, name in zip((first, second), names, strict=False)))


def _pair(entry: Entry, chart: Chart, colors: Colors) -> Text:
    """A pair as it looks most often: its backward is of the other direction or chunk, if there is one."""
    second = max((e.shade or 0 for e in chart.legend), default=0)
    if colors.system is None:
        return Text(f"F&{'b' if second else 'B'} {entry.text}")
    forward = _swatch("F", Kind.F, 0, colors, underline=True)
    backward = _swatch("B", Kind.B, second, colors, underline=True)
    return Text.assemble(forward, backward, f" {entry.text}")


def _hues(colors: Colors) -> Iterator[Text]:
    swatches = [_swatch(str(hue), Kind.F, hue, colors) for hue in range(colors.variants)]
    yield Text.assemble(*swatches, f" micro-batch, modulo {colors.variants}")


def _swatch(
    sign: str, kind: Kind, variant: int, colors: Colors, *, underline: bool = False
) -> tuple[str, Style | str]:
    style = colors.style(*colors.on(kind * colors.variants + variant), underline)
    return f" {sign} ", style or ""


def scale_note(scale: Scale, chart: Chart, colors: Colors, shown: int | None) -> list[Text]:
    """How the chart was made to fit, if anything got lost by it.

    ``shown`` bars show their number; None where columns show shares instead of cells.
    """
    bars = int((chart.end > chart.start).sum())
    if shown == bars or not scale.rate:
        return []
    if shown is not None:
        what = f"; {bars - shown} of {bars} cells are too narrow for their number"
    elif colors.system is None:
        what = ", wider than most cells: letters stand for shares of time"
    else:
        what = ", wider than most cells: each column shows the shares of what runs in it"
    closer = "look closer with --from, --to, --devices or a wider terminal"
    return [Text(f"1 column = {1 / scale.rate:.3g} {chart.unit}{what}; {closer}", DIM)]
