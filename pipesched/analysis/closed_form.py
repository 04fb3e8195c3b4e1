"""Closed formulas beside the simulation: the value, and whether it is exact here."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pipesched.algebra import Values
from pipesched.choices import Dialect
from pipesched.formula import Formula, why_not
from pipesched.timeline import Floats, Timeline


class ClosedForm(NamedTuple):
    """``value`` is None where the formula cannot be evaluated, a list where it differs by device.

    ``why`` says what keeps it from being exact.
    """

    text: str
    value: float | list[float] | None
    exact: bool
    why: str | None


def symbol_values(timeline: Timeline) -> Values | None:
    """The number of every symbol; None where stages take different times and have no one number."""
    schedule = timeline.schedule
    if not timeline.costs.uniform:
        return None
    return {
        "PP": float(schedule.devices),
        "MB": float(schedule.microbatches),
        "v": float(max(map(len, schedule.placement.stages), default=0)),
        "d": np.arange(schedule.devices, dtype=np.float64),
        **timeline.costs.values(),
    }


def closed_form(
    formulas: Sequence[Formula],
    values: Values | None,
    measured: Floats | float,
    dialect: Dialect = "deepseek",
) -> ClosedForm | None:
    """Hold the first formula whose conditions hold, else the first, against what was measured."""
    if not formulas:
        return None
    if values is None:
        why = "exact only if every stage takes the same times"
        return ClosedForm(formulas[0].text(dialect), None, exact=False, why=why)
    formula = next((each for each in formulas if not each.failing(values)), formulas[0])
    value = np.round(np.asarray(formula.value(values), dtype=np.float64), 9) + 0.0
    scale = float(np.abs(measured).max(initial=0.0)) + float(np.abs(value).max(initial=0.0))
    exact = bool(np.allclose(measured, value, rtol=1e-9, atol=1e-9 * scale))
    shown = float(value.flat[0]) if (value == value.flat[0]).all() else value.tolist()
    if exact:
        return ClosedForm(formula.text(dialect), shown, exact, None)
    failing = formula.failing(values)
    other = "the order or its options are not those of the formula"
    return ClosedForm(
        formula.text(dialect), shown, exact, why_not(failing, values, dialect) if failing else other
    )
