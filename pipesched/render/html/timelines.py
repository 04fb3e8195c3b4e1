"""The section with the viewer: a toolbar, one canvas per schedule on a shared time axis, the data."""

import re
from collections.abc import Sequence
from typing import Any

from pipesched.analysis.report import Report
from pipesched.dependencies import NEIGHBOUR, OWN
from pipesched.render.html.colours import colours
from pipesched.render.html.data import Cap, schedule_data
from pipesched.render.html.parts import asset, json_script, tag, text
from pipesched.render.marks import mark_lines
from pipesched.render.summary import num, percent, spread
from pipesched.timeline import Timeline

#: The viewer's files, each after those that it imports.
_FILES = ("decode.mjs", "model.mjs", "view.mjs", "paint.mjs", "draw.mjs", "about.mjs", "viewer.mjs")

#: So much higher than the highest level is a memory strip, that the cap's line stands free.
_HEADROOM = 1.1

_MODULE_LINES = re.compile(r"^import .*?;\n|^export ", re.MULTILINE | re.DOTALL)


def viewer_script() -> str:
    """The viewer as one strict script: its modules one after the other, without import and export."""
    parts = (_MODULE_LINES.sub("", asset(f"viewer/{name}")) for name in _FILES)
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def timelines_section(
    timelines: Sequence[Timeline],
    reports: Sequence[Report],
    free_at: str | float,
    memory_cap: Cap | None = None,
) -> str:
    """Toolbar, legend, ruler, canvases, what is selected, and the table for those who do not see."""
    canvases = "".join(
        _canvas(k, report, mark_lines(timeline))
        for k, (timeline, report) in enumerate(zip(timelines, reports, strict=True))
    )
    costs = sorted({timeline.costs.describe() for timeline in timelines})
    return (
        tag("h2", "Timelines")
        + f'<div id="viewer">{asset("toolbar.html")}{canvases}{asset("viewer.html")}</div>\n'
        + tag("p", f'<span class="soft">Costs per stage: {text("; ".join(costs))}</span>')
        + json_script("timelines-data", _data(timelines, free_at, memory_cap))
    )


def _canvas(k: int, report: Report, notes: Sequence[str]) -> str:
    bubble = report.bubble
    numbers = (
        f"makespan {num(report.makespan)} {report.unit}, bubble rate {percent(bubble.rate)}, "
        f"peak activations {num(max(report.memory.peak_activations, default=0))} of a stage, "
        f"{num(max(report.memory.peak_model_share, default=0))} of the model"
    )
    label = (
        f"{report.schedule}: {report.devices} devices from 0 to {num(report.makespan)} {report.unit}; "
        f"idle time {spread(bubble.idle)}"
    )
    said = "".join(tag("p", f'<span class="soft">{text(note)}</span>') for note in notes)
    return f"""<figure class="timeline" aria-labelledby="timeline-{k}">
<h3 id="timeline-{k}">{text(report.schedule)} <span class="soft">{text(numbers)}</span></h3>
<div class="lanes" id="lanes-{k}"><div><canvas id="canvas-{k}" tabindex="0" role="application"
 aria-roledescription="timeline" aria-label="{text(label)}" aria-describedby="keys"></canvas></div></div>
{said}</figure>
"""


def _data(timelines: Sequence[Timeline], free_at: str | float, memory_cap: Cap | None) -> dict[str, Any]:
    schedules = [schedule_data(timeline, free_at, memory_cap) for timeline in timelines]
    # One scale for all strips: the highest share of the model that any device holds, or may hold.
    shares = [max(each["peak"], *(each["cap"] or [0.0])) / max(each["stages"], 1) for each in schedules]
    for each in schedules:
        each["top"] = _HEADROOM * (max(shares) or 1.0) * each["stages"]
    return {"schedules": schedules, "rule": _rule(), "colours": colours(timelines)}


def _rule() -> list[dict[str, Any]]:
    """Who waits for whom, as dependencies.py says it."""
    return [
        {"consumer": int(consumer), "kinds": [int(kind) for kind in need.kinds], "step": need.step}
        for rule in (OWN, NEIGHBOUR)
        for consumer, need in rule.items()
    ]
