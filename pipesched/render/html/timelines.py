"""The section with the viewer: a toolbar, one canvas per schedule on a shared time axis, the data."""

import re
from collections.abc import Sequence
from typing import Any

from pipesched.analysis.report import Report
from pipesched.render.html.colours import colours, on_canvas, schemes
from pipesched.render.html.data import Cap, caps, schedule_data
from pipesched.render.html.excerpt import excerpt_data, excerpts
from pipesched.render.html.parts import asset, json_script, tag, text
from pipesched.render.marks import mark_lines
from pipesched.render.text.summary import num, percent, spread
from pipesched.schedule import Schedule
from pipesched.simulate.long import LongTimeline
from pipesched.simulate.transfers import TransferTimeline
from pipesched.timeline import Timeline

#: The viewer's files, each after those that it imports.
_FILES = ("data.mjs", "paint.mjs", "draw.mjs", "say.mjs", "viewer.mjs")

#: So much higher than the highest level is a memory strip, that the cap's line stands free.
_HEADROOM = 1.1

_MODULE_LINES = re.compile(r"^import .*?;\n|^export ", re.MULTILINE | re.DOTALL)


def viewer_script() -> str:
    """The viewer as one strict script: its modules one after the other, without import and export."""
    parts = (_MODULE_LINES.sub("", asset(f"viewer/{name}")) for name in _FILES)
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def timelines_section(
    timelines: Sequence[Timeline | LongTimeline],
    reports: Sequence[Report],
    free_at: str | float,
    memory_cap: Cap | None = None,
    cap_parts: int | None = None,
) -> str:
    """Toolbar, legends, canvases, what is selected, and the table for those who do not see."""
    built = all(isinstance(each, Timeline) for each in timelines)
    modes = colours([_lists(each) for each in timelines], slack_known=built)
    schedules = _schedules(timelines, reports, free_at, memory_cap, cap_parts)
    data = {
        "schedules": schedules,
        "colours": {name: on_canvas(mode) for name, mode in modes.items()},
        "schemes": schemes(),
    }
    legend = _legend(modes, capped=memory_cap is not None)
    canvases = "".join(
        _canvas(k, report, _notes(timeline, each["breaks"]))
        for k, (timeline, report, each) in enumerate(zip(timelines, reports, schedules, strict=True))
    )
    costs = sorted({timeline.costs.describe() for timeline in timelines})
    return (
        tag("h2", "Timelines")
        + f'<div id="viewer"><div class="bar">{asset("toolbar.html")}{legend}</div>\n'
        + f"{canvases}{asset('viewer.html')}</div>\n"
        + tag("p", f'<span class="soft">Costs per stage: {text("; ".join(costs))}</span>')
        + json_script("timelines-data", data)
    )


def _lists(timeline: Timeline | LongTimeline) -> Schedule:
    """The schedule, or one of the same kinds and placement."""
    return timeline.few if isinstance(timeline, LongTimeline) else timeline.schedule


def _notes(timeline: Timeline | LongTimeline, breaks: Sequence[dict[str, Any]]) -> Sequence[str]:
    """What stands under a chart: what it leaves out, how transfers ran, and what is marked."""
    if isinstance(timeline, LongTimeline):
        left_out = "; ".join(each["text"] for each in breaks)
        excerpt = [f"an excerpt: of what repeats only some is drawn; left out: {left_out}"] if breaks else []
        return [*excerpt, "slack and the critical path are not known: not every op was built"]
    if not isinstance(timeline, TransferTimeline):
        return mark_lines(timeline)
    return (f"transfers: {timeline.transport.describe(timeline.costs)}", *mark_lines(timeline))


def _legend(modes: dict[str, dict[str, Any]], *, capped: bool) -> str:
    """What the colours mean; of the modes, CSS shows the one that is chosen."""
    content = ""
    for name, mode in modes.items():
        named = (
            (fill, word) for fill, word in zip(mode["fills"], mode["names"], strict=True) if word is not None
        )
        swatches = "".join(_swatch(fill, word) for fill, word in named)
        note = tag("span", text(mode["note"])) if mode["note"] else ""
        content += f'<span class="of {name}">{swatches}{note}</span>'
    content += _swatch("var(--idle)", "idle") + _swatch("var(--held)", "activations held")
    content += _swatch("var(--over)", "above the cap") if capped else ""
    return f'<div class="legend">{content}</div>\n'


def _swatch(colour: str, word: str) -> str:
    return tag("span", f'<i style="background:{colour}"></i>{text(word)}')


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


def _schedules(
    timelines: Sequence[Timeline | LongTimeline],
    reports: Sequence[Report],
    free_at: str | float,
    memory_cap: Cap | None,
    cap_parts: int | None,
) -> list[dict[str, Any]]:
    schedules = []
    for timeline, report, drawn in zip(timelines, reports, excerpts(timelines), strict=True):
        cap = caps(memory_cap, report.devices)
        if cap is not None and cap_parts is not None:
            cap = [each * report.stages / cap_parts for each in cap]
        if isinstance(timeline, Timeline):
            schedules.append(schedule_data(timeline, free_at, cap))
        elif drawn:
            peak = max(report.memory.peak_activations)
            schedules.append(excerpt_data(timeline, drawn, free_at, peak, cap))
    # One scale for all strips: the highest share of the model that any device holds, or may hold.
    shares = [max(each["peak"], *(each["cap"] or [0.0])) / max(each["stages"], 1) for each in schedules]
    ruler: list[Any] = max((each["ruler"] for each in schedules), key=len, default=[])
    for each in schedules:
        each["ruler"] = ruler  # as far as the longest goes
        each["top"] = _HEADROOM * (max(shares) or 1.0) * each["stages"]
    return schedules
