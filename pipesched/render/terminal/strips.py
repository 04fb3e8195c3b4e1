"""What may stand under a lane: its part of the critical path, and the activations it holds."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from pipesched.render.chart import Chart, Held
from pipesched.render.terminal.canvas import Columns, spread
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.scale import Scale
from pipesched.timeline import Floats

#: By height: the last eighth stays free, so that a strip does not touch the lane under it.
_HEIGHTS = " ▁▂▃▄▅▆▇"
#: Held, at the device's peak, over the cap: in truecolor, in 256 and in 16 colours.
_LEVELS = {
    "truecolor": ("#a48fd0", "#7b4fc0", "#e0353b"),
    "256": ("color(140)", "color(97)", "color(160)"),
    "standard": ("blue", "magenta", "red"),
    "windows": ("blue", "magenta", "red"),
}
_CRITICAL = {"truecolor": "#e0353b", "256": "color(160)", "standard": "red", "windows": "red"}


def critical(chart: Chart, row: int, scale: Scale, look: Look) -> list[Segment]:
    """A line that underlines the cells of a lane that are on the critical path."""
    if chart.critical is None:
        return []
    chosen = np.flatnonzero(chart.critical & (chart.lane == row))
    start, stop = scale.edge(chart.start[chosen]), scale.edge(chart.end[chosen])
    start = np.minimum(start, scale.columns - 1)
    marked = np.zeros(scale.columns, dtype=np.bool_)
    marked[spread(start, np.maximum(stop, start + 1))[1]] = True
    sign = critical_sign(look)
    line = "".join(sign if mark else " " for mark in marked.tolist()).rstrip()
    return [Segment(line, _critical_style(look))]


def critical_sign(look: Look) -> str:
    """What marks a column of the critical path."""
    return "^" if look.ascii else "▀" if look.in_color else "▔"


def critical_legend(look: Look) -> Text:
    """What the line under a lane means."""
    return Text.assemble((2 * critical_sign(look), _critical_style(look)), " on the critical path")


def _critical_style(look: Look) -> Style:
    system = look.colors.system
    return Style.null() if system is None else Style.parse(_CRITICAL[system])


def activations(chart: Chart, row: int, scale: Scale, look: Look) -> list[Segment]:
    """What a device holds over time: each column as high as the most that it holds in its time."""
    held = chart.held
    if held is None or not scale.rate:
        return []
    device, top = chart.lanes[row], full(held)
    levels = _levels(held, device, scale)[: scale.last(chart.t1)]
    if look.ascii:
        signs = [_digit(level, top) for level in levels.tolist()]
    else:
        parts = np.ceil(levels / top * (len(_HEIGHTS) - 1) - 1e-9).astype(int)
        signs = [_HEIGHTS[part] for part in parts.tolist()]
    state = (levels >= held.peak[device] - 1e-9).astype(int) * (levels > 0)
    state = state if held.cap is None else np.where(levels > held.cap[device] + 1e-9, 2, state)
    found = []
    for which, group in groupby(zip(state.tolist(), signs, strict=True), key=lambda pair: pair[0]):
        found.append(Segment("".join(sign for _, sign in group), _level_style(look, which)))
    return found


def _levels(held: Held, device: int, scale: Scale) -> Floats:
    """The highest level in each column's time, float64[columns]."""
    times, levels = held.steps[device]
    edges = scale.t0 + np.arange(scale.columns + 1) / scale.rate
    noise = 1e-6 / scale.rate  # what begins at the edge of a column belongs to it
    first: Columns = np.searchsorted(times, edges[:-1] + noise, side="right") - 1
    stop: Columns = np.maximum(np.searchsorted(times, edges[1:] - noise, side="left"), first + 1)
    ranges = np.stack((np.maximum(first, 0), stop), axis=1).ravel()
    highest: Floats = np.maximum.reduceat(np.append(levels, 0.0), ranges)[::2]
    return highest


def _digit(level: float, top: float) -> str:
    """The level itself where one digit says it, else in ninths of the top."""
    if top <= 9 and level == round(level):
        return f"{level:.0f}"
    return str(int(np.ceil(level / top * 9 - 1e-9)))


def full(held: Held) -> float:
    """The level that fills a strip: the highest peak, or the cap if that is higher."""
    room = 0.0 if held.cap is None else float(held.cap.max(initial=0.0))
    return max(float(held.peak.max(initial=0.0)), room) or 1.0


def activations_legend(held: Held, look: Look) -> Iterator[Text]:
    """How high a strip is, each device's peak, and whether the cap holds."""
    top = full(held)
    scaled = "digits: " if look.ascii else ""
    sample = ("1234" if look.ascii else "▂▄▅▇", _level_style(look, 0))
    one_digit = look.ascii and top <= 9
    height = "" if one_digit else f", {'9' if look.ascii else 'full height'} = {top:,g}"
    yield Text.assemble(scaled, sample, f" activations held ({held.freed_at}){height}")
    yield _marked(f"peak {_by_device(held.peak)}", 1, look)
    if held.cap is not None:
        over = np.flatnonzero(held.peak > held.cap + 1e-9).tolist()
        which = ", ".join(map(str, over[:8])) + (" and more" if len(over) > 8 else "")
        verdict = f"exceeded on device {which}" if over else "held by every device"
        yield _marked(f"cap {_by_device(held.cap)}: {verdict}", 2, look)


def _by_device(values: Floats) -> str:
    texts = [f"{value:,g}" for value in values.tolist()]
    if len(set(texts)) == 1:
        return texts[0]
    few = len(texts) <= 16
    return f"{' '.join(texts) if few else f'{values.min():,g} to {values.max():,g}'}, by device"


def _marked(text: str, which: int, look: Look) -> Text:
    """With a block of the colour that it is about."""
    return Text.assemble(("▇▇ ", _level_style(look, which)), text) if look.in_color else Text(text)


def _level_style(look: Look, which: int) -> Style:
    system = look.colors.system
    return Style.null() if system is None else Style.parse(_LEVELS[system][which])
