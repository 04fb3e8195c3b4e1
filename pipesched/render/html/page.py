"""The report: one HTML document with everything in it, that never asks the network for anything."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version

from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

from pipesched.analysis.report import Report
from pipesched.costs import CostModel
from pipesched.render import figure
from pipesched.render.html.parts import asset, chart, data_table, tag, text
from pipesched.render.html.schedule import schedule_section, transfer_key
from pipesched.render.summary import num
from pipesched.render.table import Table
from pipesched.timeline import Timeline

#: The browser itself refuses whatever is not in the document.
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"

#: With more schedules than this, the title gives their number instead of their names.
_MOST_NAMED = 5


def page(
    timelines: Sequence[Timeline],
    reports: Sequence[Report],
    table: Table,
    *,
    command: str,
    free_at: str | float = "w",
) -> str:
    """A complete HTML document: comparison, then a section per schedule, definitions, costs, command.

    ``reports[i]`` is the report of ``timelines[i]``; ``free_at`` says when activations are freed in the
    charts of memory, as in the reports. Works offline and prints; the charts need JavaScript, the
    numbers do not.
    """
    sections = {
        "comparison": ("Comparison", _comparison(reports, table)),
        **{
            f"schedule-{i}": (report.schedule, schedule_section(f"schedule-{i}", timeline, report, free_at))
            for i, (timeline, report) in enumerate(zip(timelines, reports, strict=True))
        },
        "definitions": ("Definitions", _headed("Definitions", asset("definitions.html"))),
        "costs": ("Costs", _headed("Cost model", _costs(timelines))),
        "command": (
            "How this was made",
            _headed("How this was made", tag("pre", tag("code", text(command)))),
        ),
    }
    names = ", ".join(report.schedule for report in reports)
    title = names if 0 < len(reports) <= _MOST_NAMED else f"{len(reports)} schedules"
    return _document(f"{title}: pipeline schedules compared", table.title, sections)


def _document(title: str, lead: str, sections: Mapping[str, tuple[str, str]]) -> str:
    """The HTML around the sections, which are given by id as name and content."""
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
<title>{text(title)}</title>
<style>{asset("page.css")}</style>
<script>{get_plotlyjs()}</script>
</head>
<body>
<a class="skip" href="#comparison">Skip to the comparison</a>
<header><h1>Pipeline schedules compared</h1><p class="lead">{text(lead)}</p></header>
<nav aria-label="Sections"><ul>{links}</ul></nav>
<main>
<noscript><p>The charts need JavaScript; every number is in the tables.</p></noscript>
{body}
</main>
<footer class="soft">{made_by}</footer>
<script>{asset("summary.js")}</script>
</body>
</html>
"""


def _headed(heading: str, content: str) -> str:
    return tag("h2", text(heading)) + content


def _comparison(reports: Sequence[Report], table: Table) -> str:
    content = data_table(table)
    if len(reports) > 1:
        content += chart(
            "idle-overview",
            figure.idle(reports, titled=False),
            heading="Idle time by cause",
            alt="Stacked bars of each device's idle time by cause, a group per schedule: "
            + "; ".join(f"{r.schedule} at most {num(max(r.bubble.idle))} {r.unit}" for r in reports),
            caption="A bar per device, device 0 at the top." + transfer_key(reports),
        )
    return _headed("Comparison", content)


def _costs(timelines: Sequence[Timeline]) -> str:
    keys = ("F", "B", "I", "W", "FB", "latency")
    rows = tuple((t.schedule.name, *(_cost(t.costs, key) for key in keys), t.costs.unit) for t in timelines)
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
