"""Activation memory over time as a plotly Figure."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.memory import Memory, steps
from pipesched.analysis.memory import memory as activations
from pipesched.render.figure.style import (
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


class _Steps(NamedTuple):
    """Every step of every device's staircase at which something is held."""

    device: npt.NDArray[np.int64]
    start: Floats
    end: Floats
    level: Floats


def memory(timeline: Timeline, free_at: str | float = "w", *, titled: bool = True) -> go.Figure:
    """Activations over time: one lane per device, bars as high as what it holds.

    All lanes have one scale, the highest peak; each device's peak stands at the right, and the stretches
    at the peak are darker. Unit: activations of one micro-batch on one stage.
    """
    schedule, unit = timeline.schedule, timeline.costs.unit
    held = activations(schedule, free_at)
    found = _staircases(timeline, held)
    top = float(held.peak.max(initial=0.0)) or 1.0
    at_peak = found.level == held.peak[found.device]
    lanes = lane_axis(schedule.devices)
    peaks = {"ticktext": [number(peak) for peak in held.peak[lanes["tickvals"]].tolist()]}
    caption = [f"lanes are {number(top)} activations high, the highest peak of a device"]
    caption += [MERGED_MEMORY] if schedule.n_ops > MOST_OPS else []
    caption = caption if titled else []
    return go.Figure(
        [
            _bars(found, ~at_peak, top, unit) | {"name": "held", "marker": _plain(_HELD)},
            _bars(found, at_peak, top, unit) | {"name": "at the device's peak", "marker": _plain(_PEAK)},
            _RIGHT_AXIS,
        ],
        layout(
            f"{schedule.name}: activations (of one micro-batch on one stage)" if titled else "",
            lane_height(schedule.devices) * schedule.devices,
            below=50 + 15 * len(caption),
            barmode="overlay",
            xaxis=time_axis(unit, timeline.makespan, caption),
            yaxis=lanes,
            yaxis2={**lanes, **peaks, "overlaying": "y", "side": "right", "matches": "y"},
            annotations=[_RIGHT_HEADER],
        ),
    ).update_layout(margin_r=50)


#: An axis shows only where it has a trace.
_RIGHT_AXIS = {"type": "scatter", "x": [None], "y": [None], "yaxis": "y2", "showlegend": False}
_RIGHT_HEADER = {
    "text": "peak",
    "showarrow": False,
    "xref": "paper",
    "x": 1,
    "xanchor": "left",
    "xshift": 4,
    "yref": "paper",
    "y": 1,
    "yanchor": "bottom",
}


def _bars(found: _Steps, of: npt.NDArray[np.bool_], top: float, unit: str) -> dict[str, Any]:
    """Some of the steps as bars that stand on the bottom of their lane."""
    device, start, end, level = (column[of] for column in found)
    height = FILLED * level / top
    return {
        "type": "bar",
        "orientation": "h",
        "y": device + FILLED / 2 - height / 2,
        "base": start,
        "x": end - start,
        "width": height,
        "customdata": np.stack((device, level, start.round(9), end.round(9)), axis=1),
        "hovertemplate": "<b>%{customdata[1]} activations</b>, device %{customdata[0]}<br>"
        f"%{{customdata[2]}} to %{{customdata[3]}} {plain(unit)}<extra></extra>",
    }


def _plain(colour: str) -> dict[str, Any]:
    """A marker whose border hides the seam between two bars that touch."""
    return {"color": colour, "line": {"width": 0.6, "color": colour}}


def _staircases(timeline: Timeline, held: Memory) -> _Steps:
    devices = timeline.schedule.devices
    most = max(_PARTS // max(devices, 1), _LEAST_PARTS) if timeline.schedule.n_ops > MOST_OPS else None
    parts = []
    for d in range(devices):
        edges, levels = _bounded(*steps(timeline, held, d), timeline.makespan, most)
        parts.append(np.stack((np.full(len(levels), float(d)), edges[:-1], edges[1:], levels)))
    device, start, end, level = np.concatenate(parts, axis=1)
    some = level > 0
    return _Steps(device[some].astype(np.int64), start[some], end[some], level[some])


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
