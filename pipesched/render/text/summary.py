"""The numbers that matter, as lines of text under a chart."""

from collections.abc import Mapping, Sequence

from pipesched.analysis.closed_form import ClosedForm
from pipesched.analysis.report import Report
from pipesched.schedule import describe


def num(value: float) -> str:
    """A number with at most six significant digits, without exponent where that is readable.

    >>> num(24765.0), num(1234567.0), num(0.1 + 0.2)
    ('24,765', '1,234,567', '0.3')
    """
    text = f"{value:,.6g}"
    return f"{value:,.0f}" if "e" in text and 1 <= abs(value) < 1e15 else text


def percent(rate: float) -> str:
    """``9.09 %``."""
    return f"{100 * rate:.2f} %"


def spread(values: Sequence[float]) -> str:
    """``6 on every device``, or ``3.5 to 4.5, by device``."""
    low, high = min(values), max(values)
    if low == high:
        return f"{num(low)} on every device" if len(values) > 1 else num(low)
    return f"{num(low)} to {num(high)}, by device"


def formula_text(formula: ClosedForm | None, where: str = "on every device") -> str:
    """The formula, its value, and whether it is exact here, or why not."""
    if formula is None:
        return "no closed formula is known for this order"
    verdict = f"exact {where}" if formula.exact else f"not exact here: {formula.why}"
    return f"{formula.text}{_equals(formula.value)}, {verdict}"


def _equals(value: float | list[float] | None) -> str:
    return "" if value is None else f" = {number(value)}"


def number(value: float | list[float] | None) -> str:
    """The value of a formula, which may differ by device, or be none."""
    if value is None:
        return "?"
    return spread(value) if isinstance(value, list) else num(value)


def formula_lines(report: Report) -> dict[str, str]:
    """What is known of this schedule in closed form, by what it is about.

    Beside the published formula only what is exact here: why one is not is told once.
    """
    bubble = report.bubble
    lines = {"formula": formula_text(bubble.formula)}
    for label, formula, where in (
        ("in general", bubble.general, "on every device"),
        ("span idle", bubble.span_formula, "within the longest span"),
        ("peak", report.memory.formula, "on every device"),
    ):
        if formula and formula.exact:
            lines[label] = formula_text(formula, where)
    return lines


def bound_text(report: Report) -> str:
    """``optimal``, or ``3 over the bound``, that is the least makespan of any order on this placement."""
    if report.bound.optimal:
        return "optimal: no order on this placement is faster"
    return f"{num(report.bound.over)} over the bound of any order on this placement"


def times(copies: float) -> str:
    """``2x``."""
    return f"{num(copies)}x"


def size(report: Report) -> str:
    """``8 devices, 8 stages, 20 micro-batches``."""
    return describe(report.devices, report.stages, report.microbatches)


def summary(report: Report) -> list[str]:
    """Makespan, bubble, formula, parameters, activations: a line each, ``label  text``."""
    bubble, memory, unit = report.bubble, report.memory, report.unit
    path = report.critical_path
    transfers = f" and {num(path.transfer)} {unit} of transfers" if path.transfer else ""
    slots = f"; the critical path has {len(path.ops):,} slots{transfers}" if report.listed else ""
    rates = (
        f"{percent(bubble.rate)} of all device time",
        f"{percent(bubble.ideal_ratio)} of ideal time",
        f"{percent(bubble.span_rate)} of the longest span",
        f"{percent(bubble.span_average)} of all spans",
    )
    held = sorted({len(stages) for stages in memory.stages})
    copies = f"{times(memory.model_copies)} the model over all devices"
    lines = {
        "makespan": f"{num(report.makespan)} {unit}; {bound_text(report)}{slots}",
        "bubble": f"idle {unit}: {spread(bubble.idle)}; {'; '.join(rates)}",
        **formula_lines(report),
        "parameters": f"{copies}, {' to '.join(map(str, held))} of {report.stages} stages each",
        "activations": f"peak {spread(memory.peak_activations)}, in stages x micro-batches "
        f"(freed at {_freed(memory.free_at)})",
    }
    return labelled(lines)


def labelled(notes: Mapping[str, str]) -> list[str]:
    """Texts by what they are about, a line each: ``label  text``."""
    return [f"{label:<13}{text}" for label, text in notes.items()]


def _freed(free_at: str | float) -> str:
    return free_at.upper() if isinstance(free_at, str) else f"W, {num(100 * free_at)} % already at I"
