"""Bubble against what it is paid with, activations and parameters, as a plotly Figure."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go  # type: ignore[import-untyped]

from pipesched.analysis.pareto import pareto
from pipesched.analysis.report import Report
from pipesched.render.figure.style import INK, LINE, layout, plain

#: Colours and symbols of the schedules, in turn; told apart in lightness too.
_COLOURS = ("#2b62a8", "#b85c06", "#1d6b43", "#a3195b", "#6b3fa0", "#8a6d00", "#33415c", "#5b8c9e")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star", "triangle-down", "hexagon")

_STYLE = {
    "gridcolor": LINE,
    "zeroline": False,
    "rangemode": "tozero",
    "ticks": "outside",
    "ticklen": 7,
    "tickcolor": LINE,
}

Point = tuple[float, float]


def tradeoff(reports: Sequence[Report], *, titled: bool = True) -> go.Figure:
    """Two scatter plots, a point per schedule: bubble rate against activations, and against parameters.

    Both are those of the busiest device, in parts of the whole model (activations: of one micro-batch). The
    line joins the Pareto front: the schedules that no other beats in both.
    """
    activations = [(max(r.memory.peak_model_share, default=0.0), 100 * r.bubble.rate) for r in reports]
    held = [max(map(len, r.memory.stages), default=0) / max(r.stages, 1) for r in reports]
    parameters = [(100 * share, 100 * r.bubble.rate) for share, r in zip(held, reports, strict=True)]
    traces = [*_front(activations, ""), *_front(parameters, "2")]
    for k, report in enumerate(reports):
        traces += [_point(report, k, activations[k], ""), _point(report, k, parameters[k], "2")]
    y = _STYLE | {"title": {"text": "bubble rate (%)"}}
    return go.Figure(
        traces,
        layout(
            "bubble against memory" if titled else "",
            320,
            legend_rows=1 + len(reports) // 8,
            below=76,
            xaxis=_axis("peak activations<br>(x model, one micro-batch)", [0.0, 0.45]),
            xaxis2=_axis("parameters<br>(% of the model)", [0.58, 1.0]) | {"anchor": "y2"},
            yaxis=y,
            yaxis2=y | {"anchor": "x2", "matches": "y"},
        ),
    )


def _axis(title: str, domain: list[float]) -> dict[str, Any]:
    return _STYLE | {"title": {"text": title, "standoff": 8}, "domain": domain}


def _front(points: Sequence[Point], axis: str) -> list[dict[str, Any]]:
    best = sorted(points[i] for i in pareto(points))
    line = {
        "type": "scatter",
        "mode": "lines",
        "name": "Pareto front",
        "x": [x for x, _ in best],
        "y": [y for _, y in best],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "line": {"color": "#7f7f7f", "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
        "legendgroup": "front",
        "showlegend": not axis,
    }
    return [line] if len(best) > 1 else []


def _point(report: Report, k: int, point: Point, axis: str) -> dict[str, Any]:
    name = plain(report.schedule)
    of = "parameters %{x:.4g} %" if axis else "peak activations %{x:.4g} x the model"
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "legendgroup": f"{k}",
        "showlegend": not axis,
        "x": [point[0]],
        "y": [point[1]],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "cliponaxis": False,
        "marker": {
            "size": 13,
            "color": _COLOURS[k % len(_COLOURS)],
            "symbol": _SYMBOLS[k // len(_COLOURS) % len(_SYMBOLS) if k >= len(_COLOURS) else k],
            "line": {"width": 1, "color": INK},
        },
        "hovertemplate": f"<b>{name}</b><br>bubble rate %{{y:.4g}} %<br>{of}<extra></extra>",
    }
