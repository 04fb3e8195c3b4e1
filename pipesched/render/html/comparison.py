"""The section that holds schedules against each other: tables, and charts where they are wanted."""

from collections.abc import Sequence

from pipesched.analysis.report import Report
from pipesched.errors import UnknownScheduleError
from pipesched.generators import find
from pipesched.render.html.parts import chart, data_table, tag, text
from pipesched.render.text.catalogue import as_objects
from pipesched.render.text.summary import num, percent, spread
from pipesched.render.text.table import Table
from pipesched.simulate.long import LongTimeline
from pipesched.timeline import Timeline

_NO_MEMORY_CHART = (
    "Activation memory over time is not drawn here for {}, of which not every op was built; "
    "the strips under the lanes above show it for what is drawn."
)


def comparison_section(
    timelines: Sequence[Timeline | LongTimeline],
    reports: Sequence[Report],
    table: Table,
    free_at: str | float,
    *,
    summary: bool,
) -> str:
    """The table of ``compare``, formulas beside the simulation, and with ``summary`` the plotly charts."""
    content = tag("h2", "Comparison") + data_table(table)
    if reports:
        content += data_table(formula_table(reports))
    if summary and reports:
        content += _charts(timelines, reports, free_at)
    return content


def formula_table(reports: Sequence[Report]) -> Table:
    """Each schedule's published formula, its value, the simulated idle time, and where it is exact."""
    return Table(
        title="Formula beside simulation: idle time of a device",
        columns=("schedule", "formula", "value", "simulated", "here", "exact where"),
        rows=tuple(_formula_row(report) for report in reports),
        notes=("simulated: of each device, by running its list; published formulas assume equal stages",),
    )


def _formula_row(report: Report) -> tuple[str, ...]:
    simulated = f"{spread(report.bubble.idle)}"
    formula = report.bubble.formula
    if formula is None:
        return (report.schedule, "none known", "-", simulated, "-", "-")
    here = "exact" if formula.exact else f"not exact: {(formula.why or '').rpartition('; here ')[2]}"
    value = formula.value
    shown = "-" if value is None else spread(value) if isinstance(value, list) else num(value)
    return (report.schedule, formula.text, shown, simulated, here, _region(report.schedule))


def _region(name: str) -> str:
    """The conditions under which a registered schedule's formula is exact."""
    try:
        (about,) = as_objects([find(name)])
    except UnknownScheduleError:
        return "-"
    return " and ".join(about["exact_if"]) or "everywhere"


def _charts(
    timelines: Sequence[Timeline | LongTimeline], reports: Sequence[Report], free_at: str | float
) -> str:
    from pipesched.render import figure  # noqa: PLC0415  plotly, only where it is used

    rates = "; ".join(f"{r.schedule} {percent(r.bubble.rate)}" for r in reports)
    content = chart(
        "tradeoff",
        figure.tradeoff(reports, titled=False),
        heading="Bubble against memory",
        alt=f"Bubble rate against peak activations and against parameters, a point per schedule: {rates}",
        caption="Down and left is better; the dotted line joins the schedules that no other beats in both.",
    )
    content += chart(
        "idle",
        figure.idle(reports, titled=False),
        heading="Idle time by cause",
        alt="Stacked bars of each device's idle time by cause, a group per schedule: "
        + "; ".join(f"{r.schedule} at most {num(max(r.bubble.idle))} {r.unit}" for r in reports),
        caption="A bar per device, device 0 at the top; the yellow mark is where the formula ends it."
        + transfer_key(reports),
    )
    for k, (timeline, report) in enumerate(zip(timelines, reports, strict=True)):
        if isinstance(timeline, Timeline):
            content += _memory_chart(k, timeline, report, free_at)
    unbuilt = [r.schedule for r in reports if not r.listed]
    if unbuilt:
        content += tag("p", text(_NO_MEMORY_CHART.format(", ".join(unbuilt))))
    return content


def _memory_chart(k: int, timeline: Timeline, report: Report, free_at: str | float) -> str:
    from pipesched.render import figure  # noqa: PLC0415  plotly, only where it is used

    peak = max(report.memory.peak_activations, default=0.0)
    merged = f" {figure.MERGED_MEMORY}" if figure.merged_notice(timeline) else ""
    return chart(
        f"memory-{k}",
        figure.memory(timeline, free_at, titled=False),
        heading=f"Activation memory over time: {report.schedule}",
        alt=f"Activations that each device of {report.schedule} holds over time; "
        f"peak {spread(report.memory.peak_activations)}",
        caption=f"Activations of one micro-batch on one stage. Every lane is {num(peak)} high, the highest "
        f"peak; each device's own peak stands at the right.{merged}",
    )


def transfer_key(reports: Sequence[Report]) -> str:
    """What the hatched bars mean, if there are any."""
    return " Hatched: waiting for a transfer." if any(any(r.bubble.causes.transfer) for r in reports) else ""
