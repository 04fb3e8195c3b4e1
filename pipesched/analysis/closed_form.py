"""The published formula beside the simulation: its value, and whether it is exact here."""

from typing import NamedTuple

import numpy as np

from pipesched.formula import Formula
from pipesched.timeline import Floats, Timeline


class ClosedForm(NamedTuple):
    """``value`` is None where it cannot be evaluated; ``why`` says what keeps it from being exact."""

    text: str
    value: float | None
    exact: bool
    why: str | None


def closed_form(timeline: Timeline, formula: Formula, idle: Floats) -> ClosedForm:
    """Evaluate a formula for the idle time and hold it against every device's simulated ``idle``."""
    costs, schedule = timeline.costs, timeline.schedule
    text = str(formula.idle)
    if not costs.uniform:
        return ClosedForm(text, None, exact=False, why="exact only if every stage takes the same times")
    values = {"PP": float(schedule.devices), "MB": float(schedule.microbatches), **costs.values()}
    value = round(formula.idle.value(values), 9)
    if np.allclose(idle, value, rtol=1e-9, atol=1e-9 * max(timeline.makespan, 1e-300)):
        return ClosedForm(text, value, exact=True, why=None)
    failing = formula.failing(values)
    conditions = " and ".join(map(str, failing))
    here = ", ".join(condition.counterexample(values) for condition in failing)
    why = (
        f"exact only if {conditions}; here {here}" if failing else "the order differs from the published one"
    )
    return ClosedForm(text, value, exact=False, why=why)
