"""Idle time by cause as a plotly Figure."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.report import Report
from pipesched.render.figure.style import FILLED, LINE, PLAIN_NUMBERS, lane_axis, lane_height, layout, plain
from pipesched.timeline import Floats

#: The causes of idle time: in words, their field in the report, their colour.
_CAUSES = (("start-up", "startup", "#9db4c8"), ("inside", "inside", "#c2477f"), ("drain", "drain", "#5d7287"))

#: Lanes left free between two schedules.
_GAP = 2


def idle(reports: Sequence[Report], *, titled: bool = True) -> go.Figure:
    """Idle time per device by cause, stacked: start-up, inside, drain; the hatched part is transfers.

    A lane per device, device 0 at the top; of several reports, one group of lanes under the other.
    """
    single = len(reports) == 1
    unit = plain(reports[0].unit) if reports else ""
    sizes = [report.devices for report in reports]
    first = np.cumsum([0, *(size + _GAP for size in sizes[:-1])])[: len(sizes)]
    lanes = sum(sizes) + _GAP * max(len(sizes) - 1, 0)
    names = {
        "range": [lanes - 0.5, -0.5],
        "tickvals": first + (np.array(sizes) - 1) / 2,
        "ticktext": [plain(report.schedule) for report in reports],
        "automargin": True,
    }
    of = f"{reports[0].schedule}: " if single else ""
    return go.Figure(
        [*_bars(reports, first), *_formulas(reports, first)],
        layout(
            f"{of}idle time by cause" if titled else "",
            (lane_height(lanes) if single else max(1.5, min(10.0, 900 / max(lanes, 1)))) * lanes,
            below=50,
            barmode="stack",
            xaxis={
                "title": {"text": f"idle time ({unit})", "standoff": 8},
                "gridcolor": LINE,
                "zeroline": False,
                "rangemode": "tozero",
                **PLAIN_NUMBERS,
            },
            yaxis=lane_axis(lanes) | ({} if single else names),
        ),
    )


def _bars(reports: Sequence[Report], first: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """A trace per cause, and one for the transfers in it if there are any."""
    where = [
        (plain(report.schedule), d, y + d)
        for report, y in zip(reports, first, strict=True)
        for d in range(report.devices)
    ]
    traces = []
    for name, field, colour in _CAUSES:
        whole = np.concatenate([np.zeros(0), *(getattr(r.bubble.causes, field) for r in reports)])
        moving = np.concatenate([np.zeros(0), *(_transfer(report, field) for report in reports)])
        for label, length, hatch in ((name, whole - moving, ""), (f"{name}: transfer", moving, "/")):
            if hatch and not length.any():
                continue
            traces.append(
                {
                    "type": "bar",
                    "name": label,
                    "orientation": "h",
                    "x": length.round(9),
                    "y": [y for _, _, y in where],
                    "width": FILLED,
                    "marker": {
                        "color": colour,
                        "line": {"width": 0},
                        "pattern": {"shape": hatch, "fillmode": "overlay", "fgcolor": "#ffffff", "size": 6},
                    },
                    "customdata": [(schedule, d) for schedule, d, _ in where],
                    "hovertemplate": f"<b>{label}: %{{x}} {plain(reports[0].unit)}</b><br>"
                    "%{customdata[0]}, device %{customdata[1]}<extra></extra>",
                }
            )
    return traces


def _formulas(reports: Sequence[Report], first: npt.NDArray[np.int64]) -> list[dict[str, Any]]:
    """A mark on each device's bar where the formula puts its end, for schedules that have one."""
    x: list[float] = []
    y: list[int] = []
    for report, lane in zip(reports, first.tolist(), strict=True):
        value = report.bubble.formula.value if report.bubble.formula else None
        if value is not None:
            x += value if isinstance(value, list) else [value] * report.devices
            y += range(lane, lane + report.devices)
    if not x:
        return []
    mark = {"symbol": "line-ns", "size": 7, "line": {"width": 2, "color": "#d9a400"}}
    return [
        {
            "type": "scatter",
            "mode": "markers",
            "name": "formula",
            "x": x,
            "y": y,
            "marker": mark,
            "hovertemplate": f"<b>formula: %{{x}} {plain(reports[0].unit)}</b><extra></extra>",
        }
    ]


def _transfer(report: Report, cause: str) -> Floats:
    """How much of each device's idle time of one cause is transfer: float64[P]."""
    total = np.zeros(report.devices)
    for gap in report.bubble.gaps:
        if gap.cause == cause:
            total[gap.device] += gap.transfer
    return total
