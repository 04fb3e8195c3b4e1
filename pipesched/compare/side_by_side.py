"""The comparison as a table: a row per schedule, and notes on what the columns say."""

from collections.abc import Sequence
from typing import NamedTuple

from pipesched.analysis.report import Report
from pipesched.compare.run import Entry, Terms
from pipesched.formula import TIME_SYMBOLS, legend
from pipesched.render.text.summary import num, number, percent, times
from pipesched.render.text.table import Table
from pipesched.words import count


class _Column(NamedTuple):
    title: str
    text: str
    value: float | None  # to compare by: the least is best


def table(entries: Sequence[Entry], terms: Terms) -> Table:
    """The comparison as text; entries that cannot run keep their row, with the reason in a note."""
    best_makespan = min((e.report.makespan for e in entries if e.report), default=0.0)
    columns = [
        [*_columns(entry.report, terms.pp, best_makespan), *_fits(entry)] if entry.report else None
        for entry in entries
    ]
    titles = next(([column.title for column in row] for row in columns if row), [])
    rows = [
        (entry.name, *([column.text for column in row] if row else ["-"] * len(titles)))
        for entry, row in zip(entries, columns, strict=True)
    ]
    refused = [entry.refusal for entry in entries if entry.refusal]
    what = count(terms.pp, "device" if terms.equal == "devices" else "stage")
    return Table(
        title=f"{what}, {count(terms.microbatches, 'micro-batch')}, one model, equal {terms.equal}",
        columns=("schedule", *titles),
        rows=tuple(rows),
        best=_best(columns),
        notes=(*refused, *_inexact(entries, terms), *_over_cap(entries), *_legend(entries, terms)),
        spare=("formula", "stages", "devices", "bound"),
    )


def _columns(measured: Report, pp: int, best_makespan: float) -> list[_Column]:
    bubble, memory = measured.bubble, measured.memory
    idle = max(bubble.idle)
    held = max(map(len, memory.stages)) / measured.stages * pp
    activations = max(memory.peak_model_share) * pp
    relative = measured.makespan / best_makespan if best_makespan else 1.0
    formula = bubble.formula
    off = f" = {number(formula.value)}, not exact" if formula and not formula.exact else ""
    return [
        _Column("devices", str(measured.devices), None),
        _Column("stages", str(measured.stages), None),
        _Column("makespan", num(measured.makespan), measured.makespan),
        _Column("vs best", f"{relative:.3f}x", None),
        _Column("bound", "optimal" if measured.bound.optimal else f"+{num(measured.bound.over)}", None),
        _Column("bubble", num(idle), idle),
        _Column("rate", percent(bubble.rate), bubble.rate),
        _Column("formula", (formula.text if formula else "none") + off, None),
        _Column("params", times(held), held),
        _Column("activations", num(activations), activations),
    ]


def _fits(entry: Entry) -> list[_Column]:
    """Whether it keeps to the memory cap, if there is one."""
    return [] if entry.over_cap is None else [_Column("fits", "no" if entry.over_cap else "yes", None)]


def _best(columns: Sequence[list[_Column] | None]) -> frozenset[tuple[int, int]]:
    best: set[tuple[int, int]] = set()
    runnable = [(r, row) for r, row in enumerate(columns) if row]
    for c in range(len(runnable[0][1]) if runnable else 0):
        values = {r: value for r, row in runnable if (value := row[c].value) is not None}
        if len(set(values.values())) > 1:  # where all are equal, none is best
            least = min(values.values()) * (1 + 1e-9)
            best.update((r, c + 1) for r, value in values.items() if value <= least)
    return frozenset(best)


def _inexact(entries: Sequence[Entry], terms: Terms) -> list[str]:
    """Which condition of a published formula fails; a line for all of which the same is true."""
    names: dict[str, list[str]] = {}
    for entry in entries:
        formula = entry.report.bubble.formula if entry.report else None
        if entry.report and formula and formula.why:
            why = formula.why + _meant(formula.why, entry.report, terms)
            names.setdefault(why, []).append(entry.name)
    return [f"{', '.join(those)}: formula not exact here: {why}" for why, those in names.items()]


def _meant(why: str, measured: Report, terms: Terms) -> str:
    """Conditions are about a schedule's own stages and devices, which may be others than the table's."""
    if measured.stages != terms.pp and any(f"{time} = " in why for time in TIME_SYMBOLS):
        return f" (times of its stages, 1/{measured.stages} of the model)"
    if measured.devices != terms.pp and "PP = " in why:
        return f" (PP its {count(measured.devices, 'device')})"
    return ""


def _over_cap(entries: Sequence[Entry]) -> list[str]:
    """Of each that does not fit, the first device that says so."""
    lines = []
    for entry in entries:
        if entry.over_cap:
            first, *rest = entry.over_cap
            more = f", as on {count(len(rest), 'more device')}" if rest else ""
            lines.append(f"{entry.name} does not fit: {first.message}{more}")
    return lines


def _legend(entries: Sequence[Entry], terms: Terms) -> list[str]:
    """What the columns mean, and at which costs."""
    per = "1/PP of the model" if terms.equal == "devices" else "one stage"
    unequal = ["makespans on different numbers of devices do not compare: equal stages are not equal means"]
    sizes = {entry.report.devices for entry in entries if entry.report}
    moved = [f"transfers: {terms.transport.describe(terms.costs)}"] if terms.transport else []
    caps = ", ".join(map(num, terms.memory_cap or ()))
    fits = [f"fits: no device holds more than the memory cap of {caps}, in 1/PP of the model"] if caps else []
    return [
        *(unequal if len(sizes) > 1 else []),
        f"costs per {per.removeprefix('one ')}: {terms.costs.describe()}",
        *moved,
        "bubble: the largest idle time of a device; rate: idle / (devices x makespan), over all devices",
        "bound: over the least makespan of any order on the same placement",
        f"formula: {legend(terms.dialect, terms.equal, per)}",
        "params, activations: of the busiest device, in 1/PP of the model (x micro-batches)",
        *fits,
    ]
