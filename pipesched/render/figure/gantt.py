"""The Gantt chart as a plotly Figure."""

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.bubble import gaps
from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import Chart, Entry, Half, chart, tone
from pipesched.render.figure import merged
from pipesched.render.figure.hover import OpRow, gap_rows, gap_template, op_rows, op_template
from pipesched.render.figure.style import (
    CELL_FONT,
    FILLED,
    IDLE,
    INK,
    LINE,
    MARK,
    MOST_OPS,
    lane_axis,
    lane_height,
    layout,
    plain,
    time_axis,
)
from pipesched.timeline import Timeline

_THIN, _THICK = 0.6, 1.8

#: plotly keeps 3 pixels free at both sides of a bar's text, which leaves no room in a short cell. Numbers
#: therefore stand in bars of their own, wider than the cell by this part of the whole time axis.
_ROOM = 4.5 / 1150


def gantt(timeline: Timeline, *, titled: bool = True) -> go.Figure:
    """The Gantt chart: time across, one lane per device, device 0 at the top.

    One bar trace per kind and shade, one for the borders of overlapped pairs, one for idle time; every bar
    says what it is, what it waited for and how late it could be. Above ``MOST_OPS`` ops the chart is one
    merged picture instead, which the Figure says in its caption. ``titled=False`` leaves title and caption
    to the page around it.
    """
    drawn = chart(timeline)
    caption = drawn.caption
    traces: list[dict[str, Any]]
    images: list[dict[str, Any]] = []
    if timeline.schedule.n_ops > MOST_OPS:
        caption = (merged_notice(timeline), *caption)
        images, traces = _merged(drawn)
    else:
        rows = op_rows(timeline)
        tones = _tones(drawn)
        cells = [_bars(drawn, entry, rows) for entry in tones]
        traces = [_idle(timeline), *cells, *_pairs(drawn), *(_numbers(drawn, entry) for entry in tones)]
    traces += _marks(drawn)
    caption = caption if titled else ()
    return go.Figure(
        traces,
        layout(
            drawn.title if titled else "",
            lane_height(len(drawn.lanes)) * len(drawn.lanes),
            legend_rows=_legend_rows(traces),
            below=50 + 15 * len(caption),
            barmode="overlay",
            images=images,
            uniformtext={"minsize": 7, "mode": "hide"},
            xaxis=time_axis(drawn.unit, drawn.t1, caption),
            yaxis=lane_axis(len(drawn.lanes)),
        ),
    )


def merged_notice(timeline: Timeline) -> str:
    """The sentence that says a chart is merged; empty where every op is drawn."""
    ops = timeline.schedule.n_ops
    if ops <= MOST_OPS:
        return ""
    return (
        f"Merged: {ops:,} ops are too many to draw one by one. "
        "Each column of a lane shows the share of its time that each kind takes; blank is idle."
    )


def _tones(drawn: Chart) -> list[Entry]:
    return [entry for entry in drawn.legend if entry.shade is not None]


def _legend_rows(traces: list[dict[str, Any]]) -> int:
    entries = sum(1 for trace in traces if trace.get("showlegend", True))
    return -(-entries // 4)


def _bars(drawn: Chart, entry: Entry, rows: list[OpRow]) -> dict[str, Any]:
    """All bars of one tone: whole cells with a thin border, halves of pairs without."""
    of = _of(drawn, entry)
    colours = tone(entry.kind, entry.shade or 0)
    whole = drawn.half[of] == Half.WHOLE
    return {
        "type": "bar",
        "name": f"{entry.kind.name} {entry.text}",
        "legendgroup": entry.text,
        **_cells(drawn, of),
        "marker": {
            "color": colours.fill,
            "line": {"color": INK, "width": np.where(whole, _THIN, 0.0) if not whole.all() else _THIN},
        },
        "customdata": [rows[op] for op in drawn.op[of].tolist()],
        "hovertemplate": op_template(drawn.unit),
        "hoverlabel": {"bordercolor": colours.fill},
    }


def _numbers(drawn: Chart, entry: Entry) -> dict[str, Any]:
    """The micro-batch numbers of one tone."""
    of = _of(drawn, entry)
    room = _ROOM * (drawn.t1 - drawn.t0)
    return {
        "type": "bar",
        "legendgroup": entry.text,
        "showlegend": False,
        "hoverinfo": "skip",
        **_cells(drawn, of, room),
        "marker": {"color": "rgba(0, 0, 0, 0)", "line": {"width": 0}},
        "text": drawn.label[of].astype(str).tolist(),
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "insidetextfont": {"color": tone(entry.kind, entry.shade or 0).ink, "size": 11, "family": CELL_FONT},
    }


def _of(drawn: Chart, entry: Entry) -> npt.NDArray[np.int64]:
    """Which bars are of one tone; cells of their own first, as the legend looks like the first bar."""
    of = np.flatnonzero((drawn.kind == entry.kind) & (drawn.shade % 2 == entry.shade))
    return of[np.argsort(drawn.half[of] != Half.WHOLE, kind="stable")]


def _cells(drawn: Chart, of: npt.NDArray[np.int64], room: float = 0.0) -> dict[str, Any]:
    return {
        "orientation": "h",
        "y": drawn.lane[of],
        "base": drawn.start[of] - room / 2,
        "x": drawn.end[of] - drawn.start[of] + room,
        "width": FILLED,
    }


def _pairs(drawn: Chart) -> list[dict[str, Any]]:
    """The border of every overlapped pair, drawn over its two halves."""
    left = np.flatnonzero(drawn.half == Half.LEFT)
    names = [entry.text for entry in drawn.legend if entry.shade is None]
    if not len(left):
        return []
    return [
        {
            "type": "bar",
            "name": names[0],
            **_cells(drawn, left),
            "x": drawn.end[left + 1] - drawn.start[left],
            "marker": {"color": "rgba(0, 0, 0, 0)", "line": {"color": INK, "width": _THICK}},
            "hoverinfo": "skip",
        }
    ]


def _marks(drawn: Chart) -> list[dict[str, Any]]:
    """What takes no time, as a sign at its time over its lane."""
    if drawn.marks is None:
        return []
    places = drawn.marks.by_place()
    about = "<b>%{text}</b>, takes no time<br>at %{x} "
    signs = ["triangle-down" if opaque else "line-ns-open" for *_, opaque, _ in places]
    return [
        {
            "type": "scatter",
            "name": "takes no time",
            "mode": "markers",
            "x": [time for _, time, _, _ in places],
            "y": [lane for lane, *_ in places],
            "text": [plain(text) for *_, text in places],
            "marker": {"symbol": signs, "size": 11, "color": MARK, "line": {"color": MARK, "width": 2}},
            "hovertemplate": f"{about}{plain(drawn.unit)}<extra></extra>",
        }
    ]


def _idle(timeline: Timeline) -> dict[str, Any]:
    found = gaps(timeline)
    return {
        "type": "bar",
        "name": "idle",
        "orientation": "h",
        "y": found.device,
        "base": found.start,
        "x": found.length,
        "width": FILLED,
        "marker": {"color": IDLE, "line": {"width": _THIN, "color": LINE}},
        "customdata": gap_rows(timeline, found),
        "hovertemplate": gap_template(timeline.costs.unit),
    }


def _merged(drawn: Chart) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The picture, and over it an invisible map that answers to the pointer."""
    lanes, width = len(drawn.lanes), merged.columns(len(drawn.lanes))
    covered = drawn.coverage(width)
    step = (drawn.t1 - drawn.t0) / width
    shares = covered.reshape(lanes, width, len(Kind), 2).sum(axis=3)
    kinds = sorted({entry.kind for entry in drawn.legend})
    percent = "".join(f"<br>{KIND_NAMES[k]} %{{customdata[{i}]}} %" for i, k in enumerate(kinds))
    image = {
        "source": merged.picture(covered),
        "xref": "x",
        "yref": "y",
        "x": drawn.t0,
        "y": -0.5,
        "sizex": drawn.t1 - drawn.t0,
        "sizey": lanes,
        "sizing": "stretch",
        "layer": "below",
    }
    pointer = {
        "type": "heatmap",
        "z": shares.sum(axis=2).astype(np.float32),
        "x0": drawn.t0 + step / 2,
        "dx": step,
        "y0": 0,
        "dy": 1,
        "opacity": 0,
        "showscale": False,
        "customdata": np.rint(100 * shares[:, :, kinds]).astype(np.uint8),
        "hovertemplate": f"<b>device %{{y}}</b>, around %{{x}} {plain(drawn.unit)}<br>"
        f"busy %{{z:.0%}}{percent}<extra></extra>",
        "showlegend": False,
    }
    return [image], [pointer, *map(_key, _tones(drawn))]


def _key(entry: Entry) -> dict[str, Any]:
    """A line of the legend for a tone whose bars are in the picture."""
    return {
        "type": "bar",
        "name": f"{entry.kind.name} {entry.text}",
        "x": [None],
        "y": [None],
        "orientation": "h",
        "marker": {"color": tone(entry.kind, entry.shade or 0).fill, "line": {"color": INK, "width": _THIN}},
        "hoverinfo": "skip",
    }
