"""Closed formulas: what a schedule promises, in symbols, and where that is exact.

Symbols: PP devices, MB micro-batches, v chunks per device, d the device; times of one stage: F, B (whole
backward), I, W, FB (an overlapped pair), latency.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from pipesched.algebra import Condition, Expr, Values, floor, maximum, minimum, symbol
from pipesched.choices import Dialect

__all__ = ["Condition", "Expr", "Formula", "floor", "maximum", "minimum"]

PP, MB, F, B, I, W, FB, C = map(symbol, ("PP", "MB", "F", "B", "I", "W", "FB", "latency"))  # noqa: E741
V, D = symbol("v"), symbol("d")

#: The symbols that stand for times of a stage.
TIME_SYMBOLS = {"F": F, "B": B, "I": I, "W": W, "FB": FB}

#: How formulas are printed: with B the whole backward, or the backward for the input only.
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

#: The Zero Bubble papers write B for our I, so that our B is their B + W.
_ZERO_BUBBLE = {"B": symbol("B") + W, "I": symbol("B")}

_BACKWARDS: dict[Dialect, str] = {
    "deepseek": "B whole backward (I + W), I backward for the input, W for the weights, F&B overlapped pair",
    "zero-bubble": "B backward for the input only, W for the weights (the whole backward is B + W), F&B pair",
}


def legend(dialect: Dialect = "deepseek", pp: str = "devices", times_of: str = "one stage") -> str:
    """What the symbols mean; ``pp`` and ``times_of`` where they stand for something else."""
    sizes = f"PP {pp}, MB micro-batches, v stages per device, d the device"
    return f"{sizes}; times of {times_of}: F forward, {_BACKWARDS[dialect]}"


class Formula(NamedTuple):
    """A closed formula, and the conditions under which it is exact on every device."""

    expr: Expr
    exact_if: tuple[Condition, ...] = ()

    def symbols(self) -> set[str]:
        """Names of the symbols of the expression and of its conditions."""
        sides = [side for condition in self.exact_if for side in (condition.left, condition.right)]
        return {name for expr in (self.expr, *sides) for name in expr.symbols()}

    def value(self, values: Values) -> Any:
        """The number, or float64[P] where it differs by device."""
        return self.expr.value(values)

    def failing(self, values: Values) -> list[Condition]:
        """The conditions that do not hold at these numbers."""
        return [condition for condition in self.exact_if if not condition.holds(values)]

    def text(self, dialect: Dialect = "deepseek") -> str:
        """The formula in a dialect."""
        return str(self.expr.substituted(_ZERO_BUBBLE) if dialect == "zero-bubble" else self.expr)

    def conditions(self, dialect: Dialect = "deepseek") -> list[str]:
        """The conditions in a dialect."""
        if dialect == "deepseek":
            return [str(condition) for condition in self.exact_if]
        translated = [condition.substituted(_ZERO_BUBBLE) for condition in self.exact_if]
        return [str(condition) for condition in translated if not condition.trivial()]


def why_not(failing: Sequence[Condition], values: Values, dialect: Dialect = "deepseek") -> str:
    """``exact only if W <= F and W <= I; here W = 2 > F = 1, W = 2 > I = 1``."""
    if dialect == "zero-bubble":
        translated = [condition.substituted(_ZERO_BUBBLE) for condition in failing]
        failing = [new for new in translated if not new.trivial()]
        values = {**values, "B": values["I"]}
    here = ", ".join(condition.counterexample(values) for condition in failing)
    if not here:
        return "exact only if the whole backward takes as long as its two parts"
    return f"exact only if {' and '.join(map(str, failing))}; here {here}"
