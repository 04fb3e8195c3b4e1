"""Several reports side by side, each with times of its own stages."""

from collections.abc import Mapping, Sequence

from pipesched.analysis.report import Report
from pipesched.render.text.summary import num, percent
from pipesched.render.text.table import Table

_COLUMNS = ("schedule", "devices", "stages", "makespan", "bubble", "rate", "activations")


def overview(reports: Sequence[Report], notes: Mapping[str, str]) -> Table:
    """The numbers of several, side by side; ``notes`` stand under them, by what they are about."""
    rows = tuple(
        (
            each.schedule,
            str(each.devices),
            str(each.stages),
            num(each.makespan),
            num(max(each.bubble.idle)),
            percent(each.bubble.rate),
            num(max(each.memory.peak_activations)),
        )
        for each in reports
    )
    return Table(
        title=f"{len(reports)} schedules on one time axis",
        columns=_COLUMNS,
        rows=rows,
        notes=(
            *_unlike(sorted({each.stages for each in reports})),
            *(f"{label}: {text}" for label, text in notes.items()),
            "bubble: the largest idle time of a device; activations: the highest peak, in stages",
        ),
    )


def _unlike(stages: Sequence[int]) -> list[str]:
    """That stages of the same times do not make the same model, where there are not as many."""
    if len(stages) == 1:
        return []
    counts = ", ".join(map(str, stages[:-1])) + f" and {stages[-1]}"
    return [f"costs are per stage, and there are {counts} stages: --equal devices compares one model"]
