"""The report: one HTML document with everything in it, that never asks the network for anything."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from pipesched.analysis.report import Report
from pipesched.costs import CostModel
from pipesched.render.html.colours import style_sheet
from pipesched.render.html.columns import deflated
from pipesched.render.html.comparison import comparison_section
from pipesched.render.html.data import Cap
from pipesched.render.html.parts import asset, data_table, tag, text
from pipesched.render.html.schedule import schedule_section
from pipesched.render.html.timelines import timelines_section, viewer_script
from pipesched.render.text.summary import num
from pipesched.render.text.table import Table
from pipesched.simulate.long import LongTimeline
from pipesched.timeline import Timeline

#: The browser itself refuses whatever is not in the document.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"

#: With more schedules than this, the title gives their number instead of their names.
_MOST_NAMED = 5

#: id -> (name in the navigation, content)
Sections = Mapping[str, tuple[str, str]]


def page(
    timelines: Sequence[Timeline | LongTimeline],
    reports: Sequence[Report],
    table: Table,
    *,
    command: str,
    title: str | None = None,
    free_at: str | float = "w",
    memory_cap: Cap | None = None,
    cap_parts: int | None = None,
    summary: bool = True,
) -> str:
    """A complete HTML document: timelines, comparison, a section per schedule, definitions, costs, command.

    ``reports[i]`` is the report of ``timelines[i]``; those that were not built are drawn in part, and
    :class:`ShapeError` says where not even that can be done. ``free_at`` says when activations are freed,
    as in the reports; ``memory_cap`` is what a device may hold, one number or one per device, in activations
    of one micro-batch on one stage, or on 1/``cap_parts`` of the model. ``title`` stands over
    the page and in the browser's tab. ``summary=False`` leaves out plotly and its charts. Works offline and
    prints; the charts need JavaScript, the numbers do not.
    """
    sections: dict[str, tuple[str, str]] = {}
    if reports:
        sections["timelines"] = (
            "Timelines",
            timelines_section(timelines, reports, free_at, memory_cap, cap_parts),
        )
    sections["comparison"] = (
        "Comparison",
        comparison_section(timelines, reports, table, free_at, summary=summary),
    )
    for i, report in enumerate(reports):
        sections[f"schedule-{i}"] = (report.schedule, schedule_section(report))
    sections["definitions"] = ("Definitions", tag("h2", "Definitions") + asset("definitions.html"))
    sections["costs"] = ("Costs", tag("h2", "Cost model") + _costs(timelines, reports))
    made = tag("h2", "How this was made") + tag("pre", tag("code", text(command)))
    sections["command"] = ("How this was made", made)
    scripts = f"<script>{viewer_script()}</script>\n" if reports else ""
    scripts += _plotly() if reports and summary else ""
    titles = (title, title) if title else (f"{_named(reports)}: pipeline schedules", "Pipeline schedules")
    return _document(titles, table.title, sections, scripts)


def _named(reports: Sequence[Report]) -> str:
    """The schedules, or how many there are."""
    names = ", ".join(report.schedule for report in reports)
    return names if 0 < len(reports) <= _MOST_NAMED else f"{len(reports)} schedules"


def _plotly() -> str:
    """plotly.js as text that the browser does not read before summary.js unpacks it."""
    from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]  # noqa: PLC0415  only here

    return (
        f'<script type="text/plain" id="plotly">{deflated(get_plotlyjs().encode())}</script>\n'
        f'<script>(() => {{\n"use strict";\n{asset("summary.js")}}})();</script>\n'
    )


def _document(titles: tuple[str, str], lead: str, sections: Sections, scripts: str) -> str:
    """``titles``: in the browser's tab, and over the page."""
    links = "".join(f'<li><a href="#{key}">{text(name)}</a></li>' for key, (name, _) in sections.items())
    body = "\n".join(f'<section id="{key}">\n{content}</section>' for key, (_, content) in sections.items())
    made_by = text(f"pipesched {version('pipesched')}")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="generator" content="{made_by}">
<link rel="icon" href="data:,">
<title>{text(titles[0])}</title>
<style>{style_sheet()}{asset("page.css")}</style>
</head>
<body>
<a class="skip" href="#comparison">Skip to the numbers</a>
<header><h1>{text(titles[1])}</h1>{asset("theme.html")}<p class="lead">{text(lead)}</p></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
<noscript><p>The charts need JavaScript; every number is in the tables.</p></noscript>
{body}
</main>
<footer class="soft">{made_by}</footer>
{scripts}</body>
</html>
"""


def _costs(timelines: Sequence[Timeline | LongTimeline], reports: Sequence[Report]) -> str:
    keys = ("F", "B", "I", "W", "FB", "latency")
    rows = tuple(
        (report.schedule, *(_cost(each.costs, key) for key in keys), report.unit)
        for each, report in zip(timelines, reports, strict=True)
    )
    table = Table(
        title="Times of one stage, as simulated",
        columns=("schedule", "F", "B", "I", "W", "F&B", "latency", "unit"),
        rows=rows,
        notes=(
            "a list has one time per stage; latency is paid between two different devices, by the consumer",
            "a pair F&B starts when both of its ops may, and both results exist at its end",
            "formulas take the times named under the comparison",
        ),
    )
    return data_table(table)


def _cost(costs: CostModel, key: str) -> str:
    time = getattr(costs, key)
    if time is None:
        time = costs.values()["FB"] if costs.uniform else None
    if time is None:
        return "F + B"
    return ", ".join(map(num, time)) if isinstance(time, tuple) else num(time)
