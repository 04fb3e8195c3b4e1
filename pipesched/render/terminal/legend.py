"""What stands under the lanes: legend and notes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.style import Style
from rich.text import Text

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, Entry
from pipesched.render.terminal import strips
from pipesched.render.terminal.colors import Colors
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.palettes import HUES
from pipesched.render.terminal.scale import Scale
from pipesched.render.terminal.signs import signs_legend

DIM = Style(dim=True)
_GAP = "   "


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


def legend(charts: Sequence[Chart], look: Look) -> Iterator[Text]:
    """What colours, letters and lines mean."""
    colors = look.colors
    entries = sorted({entry for chart in charts for entry in chart.legend if entry.shade is not None})
    if colors.lettered and look.in_color:
        yield _variants(charts, colors)
    for kind, same in groupby(entries, key=lambda entry: entry.kind):
        yield _kind(kind, sorted({entry.shade or 0 for entry in same}), colors)
    for chart in charts:
        yield from _shades(chart, colors, name=len(charts) > 1)
    for entry in dict.fromkeys(entry for chart in charts for entry in chart.legend if entry.shade is None):
        yield _pair(entry, max((each.shade or 0 for each in entries), default=0), colors)
    yield Text(f"{'blank:' if look.in_color else look.idle} idle")
    yield from signs_legend(charts, look)
    if any(chart.critical is not None for chart in charts):
        yield strips.critical_legend(look)
    for chart in charts:
        if chart.held is not None and len(charts) == 1:
            yield from strips.activations_legend(chart.held, look)


def _kind(kind: Kind, shades: list[int], colors: Colors) -> Text:
    if colors.system is None:
        signs = "/".join(kind.name.lower() if shade else kind.name for shade in shades)
        return Text(f"{signs} {KIND_NAMES[kind]}")
    if colors.color_by == "slack":
        return Text(f"{kind.name} {KIND_NAMES[kind]}")
    shades = shades[:1] if colors.lettered else shades
    swatches = [_swatch(kind.name, kind, shade, colors) for shade in shades]
    return Text.assemble(*swatches, f" {KIND_NAMES[kind]}")


def _shades(chart: Chart, colors: Colors, *, name: bool) -> Iterator[Text]:
    """Which direction or chunk is which."""
    names = dict.fromkeys(entry.which for entry in chart.legend if entry.shade is not None)
    if len(names) < 2 or (colors.lettered and colors.system):
        return
    first, second = ("upper case", "lower case") if colors.system is None else ("left tone", "right tone")
    told = ", ".join(f"{tone}: {which}" for tone, which in zip((first, second), names, strict=False))
    yield Text(f"{chart.name}: {told}" if name else told)


def _pair(entry: Entry, second: int, colors: Colors) -> Text:
    """A pair as it looks most often: its backward is of the other direction or chunk, if there is one."""
    if colors.system is None:
        return Text(f"F&{'b' if second else 'B'} {entry.text}")
    if colors.color_by == "slack":
        second = 0
    forward = _swatch("F", Kind.F, 0, colors, underline=True)
    backward = _swatch("B", Kind.B, second, colors, underline=True)
    return Text.assemble(forward, backward, f" {entry.text}")


def _variants(charts: Sequence[Chart], colors: Colors) -> Text:
    """What the hues are, or the steps of slack: each with its upper end."""
    if colors.color_by != "slack":
        what = {"microbatch": "micro-batch", "stage": "stage"}[colors.color_by]
        swatches = [_swatch(str(hue), Kind.F, hue, colors) for hue in range(HUES)]
        return Text.assemble(*swatches, f" {what}, modulo {HUES}")
    ends = [f"{step * colors.most_slack / (HUES - 1):.3g}" for step in range(HUES)]
    swatches = [_swatch(end, Kind.F, step, colors) for step, end in enumerate(ends)]
    return Text.assemble(*swatches, f" slack up to, in {charts[0].unit}; 0 is critical")


def _swatch(
    sign: str, kind: Kind, variant: int, colors: Colors, *, underline: bool = False
) -> tuple[str, Style | str]:
    style = colors.style(*colors.on(kind * colors.variants + variant), underline)
    return f" {sign} ", style or ""


def scale_note(scale: Scale, charts: Sequence[Chart], look: Look, shown: int | None) -> list[Text]:
    """How the charts were made to fit, if anything got lost by it.

    ``shown`` bars show their number; None where columns show shares instead of cells.
    """
    bars = sum(int((chart.end > chart.start).sum()) for chart in charts)
    if (shown is not None and shown >= bars) or not scale.rate:
        return []
    if shown is not None:
        left = bars - shown
        what = f"; {left:,} of {bars:,} cells {'is' if left == 1 else 'are'} too narrow for "
        what += "its number" if left == 1 else "their number"
    elif look.in_color:
        what = (
            ", wider than most cells: each column shows the shares of what runs in it, "
            "and is blank for its idle part"
        )
    else:
        what = ", wider than most cells: letters stand for shares of time, idle time among them"
    closer = "look closer with --wrap, --from, --to, --devices or a wider terminal"
    return [Text(f"1 column = {1 / scale.rate:.3g} {charts[0].unit}{what}; {closer}", DIM)]
