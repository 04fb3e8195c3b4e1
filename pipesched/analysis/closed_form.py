"""Closed formulas beside the simulation: the value, and whether it is exact here."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pipesched.algebra import Condition, Values
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


class Setting(NamedTuple):
    """What formulas are evaluated with, and how they are printed.

    ``values`` lacks the times where stages take different ones. ``transfers``: whether they were run, which
    no formula knows beyond a latency.
    """

    values: Values
    dialect: Dialect
    transfers: bool = False


def setting(timeline: Timeline, dialect: Dialect = "deepseek") -> Setting:
    """The number of every symbol that has one."""
    schedule = timeline.schedule
    values: Values = {
        "PP": float(schedule.devices),
        "MB": float(schedule.microbatches),
        "v": float(max(map(len, schedule.placement.stages), default=0)),
        "d": np.arange(schedule.devices, dtype=np.float64),
        **(timeline.costs.values() if timeline.costs.uniform else {}),
    }
    return Setting(values, dialect, timeline.runs_transfers)


def closed_form(formulas: Sequence[Formula], given: Setting, measured: Floats | float) -> ClosedForm | None:
    """Hold the first formula whose conditions hold, else the first, against what was measured."""
    if not formulas:
        return None
    values, dialect = given.values, given.dialect
    if any(name not in values for formula in formulas for name in formula.symbols()):
        only = "exact only if every stage takes the same times"
        return ClosedForm(formulas[0].text(dialect), None, exact=False, why=only)
    formula = next((each for each in formulas if not each.failing(values)), formulas[0])
    value = np.round(np.asarray(formula.value(values), dtype=np.float64), 9) + 0.0
    scale = float(np.abs(measured).max(initial=0.0)) + float(np.abs(value).max(initial=0.0))
    exact = bool(np.allclose(measured, value, rtol=1e-9, atol=1e-9 * scale))
    shown = float(value.flat[0]) if (value == value.flat[0]).all() else value.tolist()
    why = None if exact else _why_not(formula.failing(values), given)
    return ClosedForm(formula.text(dialect), shown, exact, why)


def _why_not(failing: list[Condition], given: Setting) -> str:
    if failing:
        return why_not(failing, given.values, given.dialect)
    if given.transfers:
        return "exact only if transfers take the latency alone, and hold up nobody"
    return "the order or its options are not those of the formula"
