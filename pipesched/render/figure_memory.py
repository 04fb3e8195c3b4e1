"""Activation memory over time as a plotly Figure."""

from typing import Any

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.memory import Memory, steps
from pipesched.analysis.memory import memory as activations
from pipesched.render.figure_style import (
    FILLED,
    MOST_OPS,
    lane_axis,
    lane_height,
    layout,
    number,
    plain,
    time_axis,
)
from pipesched.timeline import Floats, Timeline

#: Where a schedule has too many ops to draw one by one, a device's staircase is cut into this many parts,
#: shared by all devices, but into no fewer than the second.
_PARTS, _LEAST_PARTS = 8000, 50
MERGED_MEMORY = "Merged: each step shows the highest level of its time."

_HELD, _PEAK = "#c9b8e8", "#6b3fa0"


def memory(timeline: Timeline, free_at: str | float = "w", *, titled: bool = True) -> go.Figure:
    """Activations over time: one lane per device, bars as high as what it holds.

    All lanes have one scale, the highest peak; each device's peak stands at the right, and the stretches
    at the peak are darker. Unit: activations of one micro-batch on one stage.
    """
    schedule = timeline.schedule
    held = activations(schedule, free_at)
    device, start, end, level = _staircases(timeline, held)
    top = float(held.peak.max(initial=0.0)) or 1.0
    at_peak = level == held.peak[device]
    traces = []
    for name, colour, of in (("held", _HELD, ~at_peak), ("at the device's peak", _PEAK, at_peak)):
        height = FILLED * level[of] / top
        traces.append(
            {
                "type": "bar",
                "name": name,
                "orientation": "h",
                "y": device[of] + FILLED / 2 - height / 2,
                "base": start[of],
                "x": end[of] - start[of],
                "width": height,
                "marker": {"color": colour, "line": {"width": 0.6, "color": colour}},
                "customdata": np.stack((device[of], level[of], end[of]), axis=1),
                "hovertemplate": "<b>%{customdata[1]} activations</b>, device %{customdata[0]}<br>"
                f"%{{base}} to %{{customdata[2]}} {plain(timeline.costs.unit)}<extra></extra>",
            }
        )
    # An axis shows only where it has a trace: this one carries the peaks at the right.
    traces.append({"type": "scatter", "x": [None], "y": [None], "yaxis": "y2", "showlegend": False})
    lanes = lane_axis(schedule.devices)
    peaks = {
        "overlaying": "y",
        "side": "right",
        "matches": "y",
        "ticktext": [number(peak) for peak in held.peak[lanes["tickvals"]].tolist()],
    }
    header = {
        "text": "peak",
        "xref": "paper",
        "x": 1,
        "xanchor": "left",
        "xshift": 4,
        "yref": "paper",
        "y": 1,
        "yanchor": "bottom",
        "showarrow": False,
    }
    caption = (f"lanes are {number(top)} activations high, the highest peak of a device",)
    if schedule.n_ops > MOST_OPS:
        caption += (MERGED_MEMORY,)
    caption = caption if titled else ()
    return go.Figure(
        traces,
        layout(
            f"{schedule.name}: activations (of one micro-batch on one stage)" if titled else "",
            lane_height(schedule.devices) * schedule.devices,
            below=50 + 15 * len(caption),
            barmode="overlay",
            xaxis=time_axis(timeline.costs.unit, timeline.makespan, caption),
            yaxis=lanes,
            yaxis2={**lanes, **peaks},
            annotations=[header],
        ),
    ).update_layout(margin_r=50)


def _staircases(timeline: Timeline, held: Memory) -> tuple[Any, Floats, Floats, Floats]:
    """Device, start, end and level of every step of all devices at which something is held."""
    devices = timeline.schedule.devices
    most = max(_PARTS // max(devices, 1), _LEAST_PARTS) if timeline.schedule.n_ops > MOST_OPS else None
    parts = []
    for d in range(devices):
        edges, levels = _bounded(*steps(timeline, held, d), timeline.makespan, most)
        parts.append(np.stack((np.full(len(levels), float(d)), edges[:-1], edges[1:], levels)))
    device, start, end, level = np.concatenate(parts, axis=1)
    some = level > 0
    return device[some].astype(np.int64), start[some], end[some], level[some]


def _bounded(times: Floats, levels: Floats, end: float, most: int | None) -> tuple[Floats, Floats]:
    """Edges and levels of a staircase of at most ``most`` steps; steps of no length are left out."""
    edges = np.append(times, end)
    if most is not None and len(levels) > most:
        edges = np.linspace(0.0, end, most + 1)
        first = np.searchsorted(times, edges[:-1], side="right") - 1
        stop = np.maximum(np.searchsorted(times, edges[1:]), first + 1)
        levels = np.maximum.reduceat(np.append(levels, 0.0), np.stack((first, stop), axis=1).ravel())[::2]
    long = np.diff(edges) > 0
    changes = np.flatnonzero(np.diff(levels[long], prepend=-1.0))
    return np.append(edges[:-1][long][changes], end), levels[long][changes]
