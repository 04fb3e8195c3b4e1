"""The section of one schedule: its numbers, its formula, and tables per device."""

from pipesched.analysis.report import Report
from pipesched.errors import UnknownScheduleError
from pipesched.generators import find
from pipesched.render.html.parts import data_table, tag, text
from pipesched.render.text.measures import closing, idle_table, memory_table
from pipesched.render.text.summary import formula_text, num, percent, times
from pipesched.schedule import describe


def schedule_section(report: Report) -> str:
    """Numbers, formula and tables of one schedule."""
    return "\n".join(
        (
            tag("h2", text(report.schedule)),
            _introduction(report),
            _numbers(report),
            _details(report),
        )
    )


def _introduction(report: Report) -> str:
    """The size, and what a registered schedule of this name says of itself."""
    ops = f"{report.ops:,} ops" + (f" in {report.slots:,} slots" if report.slots < report.ops else "")
    size = f"{describe(report.devices, report.stages, report.microbatches)}; {ops}"
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


def _details(report: Report) -> str:
    return (
        "<details><summary>Numbers per device, longest waits, critical path</summary>\n"
        + data_table(idle_table(report))
        + data_table(memory_table(report))
        + tag("pre", text("\n".join(closing(report))))
        + "</details>\n"
    )
