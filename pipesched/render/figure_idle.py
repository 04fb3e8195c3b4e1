"""Idle time by cause as a plotly Figure."""

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.report import Report
from pipesched.render.figure_style import FILLED, LINE, lane_axis, lane_height, layout, plain
from pipesched.timeline import Floats

#: The causes of idle time: in words, their field in the report, their colour.
_CAUSES = (("start-up", "startup", "#9db4c8"), ("inside", "inside", "#c2477f"), ("drain", "drain", "#5d7287"))


def idle(reports: Sequence[Report], *, titled: bool = True) -> go.Figure:
    """Idle time per device by cause, stacked: start-up, inside, drain; the hatched part is transfers.

    One report has its devices as lanes, device 0 at the top; several stand side by side.
    """
    single = len(reports) == 1
    unit = plain(reports[0].unit) if reports else ""
    measure = {
        "title": {"text": f"idle time ({unit})", "standoff": 8},
        "gridcolor": LINE,
        "zeroline": False,
        "rangemode": "tozero",
    }
    places: dict[str, Any] = {"ticks": "", "title": {"text": "" if single else "device", "standoff": 8}}
    if single:
        places |= {**lane_axis(reports[0].devices)}
    traces = _idle_bars(reports, single=single)
    name = f"{reports[0].schedule}: " if single else ""
    return go.Figure(
        traces,
        layout(
            f"{name}idle time by cause" if titled else "",
            lane_height(reports[0].devices) * reports[0].devices if single else 240,
            below=50 if single else 66,
            barmode="stack",
            bargap=1 - FILLED,
            xaxis=measure if single else places,
            yaxis=places if single else measure,
        ),
    )


def _idle_bars(reports: Sequence[Report], *, single: bool) -> list[dict[str, Any]]:
    """A trace per cause, and one for the transfers in it if there are any."""
    device = [d for report in reports for d in range(report.devices)]
    names = _distinct([report.schedule for report in reports])
    across = [plain(name) for name, report in zip(names, reports, strict=True) for _ in range(report.devices)]
    along, place = ("x", "y") if single else ("y", "x")
    places: Any = device if single else [across, list(map(str, device))]
    traces = []
    for name, field, colour in _CAUSES:
        whole = np.concatenate([getattr(report.bubble.causes, field) for report in reports] or [np.zeros(0)])
        moving = np.concatenate([_transfer(report, field) for report in reports] or [np.zeros(0)])
        for label, length, hatch in ((name, whole - moving, ""), (f"{name}: transfer", moving, "/")):
            if hatch and not length.any():
                continue
            traces.append(
                {
                    "type": "bar",
                    "name": label,
                    "orientation": "h" if single else "v",
                    along: length.round(9),
                    place: places,
                    "marker": {
                        "color": colour,
                        "line": {"width": 0},
                        "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": "#ffffff", "size": 6},
                    },
                    "customdata": list(zip(across, device, strict=True)),
                    "hovertemplate": f"<b>{label}: %{{{along}}} {plain(reports[0].unit)}</b><br>"
                    "%{customdata[0]}, device %{customdata[1]}<extra></extra>",
                }
            )
    return traces


def _transfer(report: Report, cause: str) -> Floats:
    """How much of each device's idle time of one cause is transfer: float64[P]."""
    total = np.zeros(report.devices)
    for gap in report.bubble.gaps:
        if gap.cause == cause:
            total[gap.device] += gap.transfer
    return total


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, numbered where one stands twice: an axis takes equal labels for one."""
    used: dict[str, count[int]] = {}
    numbered = ((name, next(used.setdefault(name, count(1)))) for name in names)
    return [name if n == 1 else f"{name} ({n})" for name, n in numbered]
