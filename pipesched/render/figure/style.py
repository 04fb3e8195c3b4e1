"""What the plotly figures share: font, axes, sizes, and how a number or a user's text is written."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import Any

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
#: Narrow digits, so that a micro-batch number fits into a short cell.
CELL_FONT = (
    "'Arial Narrow', 'Liberation Sans Narrow', 'Roboto Condensed', 'Helvetica Neue', Arial, sans-serif"
)
INK = "#1f2328"
LINE = "rgba(127, 127, 127, 0.25)"
#: What an idle lane shows: barely there, on white paper and on black.
IDLE = "rgba(127, 127, 127, 0.10)"
#: What takes no time.
MARK = "#a5006e"
#: How much of a lane's pitch its bars fill.
FILLED = 0.84

#: Ticks of an axis as 24,000 instead of 24k.
PLAIN_NUMBERS = {"separatethousands": True, "exponentformat": "none"}

#: Above this many ops a browser is slow to draw them one by one: charts merge them.
MOST_OPS = 3000

_MOST_TICKS = 32


def number(value: float) -> str:
    """``12``, ``0.3``, ``1,234,567``: no float noise, no exponent below 10^12."""
    return f"{round(value, 9):,.12g}"


def plain(text: str) -> str:
    """A user's text for plotly, which reads HTML tags and ``%{...}`` in its texts."""
    return escape(text, quote=False).replace("%{", "%&#123;")


def lane_height(lanes: int) -> float:
    """Pixels for each lane: comfortable for a few, less where there are many."""
    return max(2.0, min(30.0, 900 / max(lanes, 1)))


def lane_axis(lanes: int) -> dict[str, Any]:
    """A y axis with device 0 at the top."""
    every = -(-lanes // _MOST_TICKS)
    ticks = list(range(0, lanes, max(every, 1)))
    return {
        "range": [lanes - 0.5, -0.5],
        "minallowed": -0.5,
        "maxallowed": lanes - 0.5,
        "tickvals": ticks,
        "ticktext": [f"device {d}" for d in ticks],
        "showgrid": False,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": "rgba(0,0,0,0)",
    }


def time_axis(unit: str, end: float, caption: Sequence[str] = ()) -> dict[str, Any]:
    """An x axis over 0..end, with the caption under its title."""
    lines = [f"time ({plain(unit)})"]
    lines += [f"<span style='font-size:11px'>{line}</span>" for text in caption for line in _wrapped(text)]
    return {
        "range": [0, end or 1],
        "minallowed": 0,
        "maxallowed": end or 1,
        "title": {"text": "<br>".join(lines), "standoff": 8},
        "gridcolor": LINE,
        "zeroline": False,
        "ticks": "outside",
        "tickcolor": LINE,
        "nticks": 20,
        **PLAIN_NUMBERS,
    }


def _wrapped(text: str) -> list[str]:
    return [plain(line) for line in wrap(text, 150, break_long_words=False)]


_LEGEND = {
    "orientation": "h",
    "traceorder": "normal",
    "x": 0,
    "xanchor": "left",
    "y": 1,
    "yanchor": "bottom",
}
_HOVER = {
    "bgcolor": "#ffffff",
    "bordercolor": "#57606a",
    "align": "left",
    "font": {"family": FONT, "size": 13, "color": INK},
}
_MODEBAR = {
    "bgcolor": "rgba(0,0,0,0)",
    "remove": ["sendChartToCloud", "select2d", "lasso2d", "autoScale2d"],
}


def layout(
    title: str, plot_height: float, *, legend_rows: int = 1, below: float = 60, **more: Any
) -> dict[str, Any]:
    """A layout whose plot area is ``plot_height`` pixels high; without a title it has no paper either."""
    above = (44 if title else 10) + 19 * legend_rows
    paper = {} if title else {"paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)"}
    place = {"x": 0, "xref": "paper", "y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 14}}
    return {
        "template": "none",
        "title": {"text": plain(title), "font": {"size": 16}, **place},
        "font": {"family": FONT, "size": 12, "color": INK},
        "height": round(plot_height + above + below),
        "margin": {"l": 70, "r": 24, "t": above, "b": below},
        "legend": _LEGEND,
        "hoverlabel": _HOVER,
        "hovermode": "closest",
        "dragmode": "zoom",
        "modebar": _MODEBAR,
        **paper,
        **more,
    }
