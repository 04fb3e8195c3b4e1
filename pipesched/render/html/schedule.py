"""The section of one schedule: numbers, Gantt chart, memory, idle time."""

from collections.abc import Sequence

from pipesched.analysis.report import Report
from pipesched.errors import UnknownScheduleError
from pipesched.generators import find
from pipesched.render import figure
from pipesched.render.html.parts import chart, data_table, tag, text
from pipesched.render.measures import closing, idle_table, memory_table
from pipesched.render.summary import formula_text, num, percent, spread, times
from pipesched.timeline import Timeline

_HINT = "Hover over a cell for details; drag to zoom, shift-drag to pan, double-click to see all."


def schedule_section(key: str, timeline: Timeline, report: Report, free_at: str | float) -> str:
    """The content of the section with the id ``key``."""
    return "\n".join(
        (
            tag("h2", text(report.schedule)),
            _introduction(timeline, report),
            _numbers(report),
            _gantt(key, timeline, report),
            f'<div class="two">{_memory(key, timeline, report, free_at)}{_idle(key, report)}</div>',
            _details(report),
        )
    )


def _introduction(timeline: Timeline, report: Report) -> str:
    """The size, and what a registered schedule of this name says of itself."""
    ops = f"{report.ops:,} ops" + (f" in {report.slots:,} slots" if report.slots < report.ops else "")
    size = f"{timeline.schedule.describe()}; {ops}"
    try:
        recipe = find(report.schedule)
    except UnknownScheduleError:
        return tag("p", text(f"{size}."))
    about = f"{size}. Source: {recipe.source}."
    return tag("p", f'{text(recipe.summary)}<br><span class="soft">{text(about)}</span>')


def _numbers(report: Report) -> str:
    bubble, memory, unit = report.bubble, report.memory, report.unit
    transfer = report.critical_path.transfer
    held = max(map(len, memory.stages), default=0)
    cards = (
        (
            "Makespan",
            f"{num(report.makespan)} {unit}",
            f"{num(transfer)} {unit} of it transfers" if transfer else "",
        ),
        ("Idle time", f"{num(max(bubble.idle))} {unit}", _where(bubble.idle, unit)),
        ("Bubble rate", percent(bubble.rate), "of all device time"),
        ("Bubble / ideal", percent(bubble.ideal_ratio), "of the work"),
        ("Span bubble rate", percent(bubble.span_rate), "of the longest span"),
        (
            "Peak activations",
            num(max(memory.peak_activations)),
            f"{num(max(memory.peak_model_share))}x the whole model's, {_freed(memory.free_at)}",
        ),
        (
            "Parameters",
            times(memory.model_copies),
            f"the model; {held} of {report.stages} stages a device",
        ),
    )
    listed = "".join(
        f"<div><dt>{text(name)}</dt><dd>{text(value)}{_small(more)}</dd></div>" for name, value, more in cards
    )
    formula = f"<p><strong>Formula.</strong> Idle time of a device: {text(formula_text(bubble.formula))}.</p>"
    return f'<dl class="numbers">{listed}</dl>\n{formula}'


def _freed(free_at: str | float) -> str:
    if isinstance(free_at, str):
        return f"freed at {free_at.upper()}"
    return f"{num(100 * free_at)} % freed at I, the rest at W"


def _small(more: str) -> str:
    return tag("small", text(more)) if more else ""


def _where(idle: list[float], unit: str) -> str:
    low = min(idle)
    if low == max(idle):
        return "on every device"
    return f"at most; {num(low)} {unit} at least"


def _gantt(key: str, timeline: Timeline, report: Report) -> str:
    merged = figure.merged_notice(timeline)
    return chart(
        f"{key}-gantt",
        figure.gantt(timeline, titled=False),
        heading="Timeline",
        alt=f"Gantt chart of {report.schedule}: {report.devices} devices from 0 to {num(report.makespan)} "
        f"{report.unit}; idle time {spread(report.bubble.idle)}",
        caption=f"{merged + ' ' if merged else ''}Costs per stage: {timeline.costs.describe()}. {_HINT}",
    )


def _memory(key: str, timeline: Timeline, report: Report, free_at: str | float) -> str:
    peak = max(report.memory.peak_activations)
    return chart(
        f"{key}-memory",
        figure.memory(timeline, free_at, titled=False),
        heading="Activation memory over time",
        alt=f"Activations that each device of {report.schedule} holds over time; "
        f"peak {spread(report.memory.peak_activations)}",
        caption=f"Activations of one micro-batch on one stage. Every lane is {num(peak)} high, the highest "
        "peak; each device's own peak stands at the right."
        + (f" {figure.MERGED_MEMORY}" if figure.merged_notice(timeline) else ""),
    )


def _idle(key: str, report: Report) -> str:
    return chart(
        f"{key}-idle",
        figure.idle([report], titled=False),
        heading="Idle time by cause",
        alt=f"Idle time of each device of {report.schedule} by cause; {spread(report.bubble.idle)}",
        caption="Start-up: before its first op; drain: after its last." + transfer_key([report]),
    )


def transfer_key(reports: Sequence[Report]) -> str:
    """What the hatched bars mean, if there are any."""
    return " Hatched: waiting for a transfer." if any(any(r.bubble.causes.transfer) for r in reports) else ""


def _details(report: Report) -> str:
    return (
        "<details><summary>Numbers per device, longest waits, critical path</summary>\n"
        + data_table(idle_table(report))
        + data_table(memory_table(report))
        + tag("pre", text("\n".join(closing(report))))
        + "</details>\n"
    )
