"""Closed formulas as expressions that print as in the papers and evaluate to numbers.

``(PP / 2 - 1) * (FB + B - 3 * W)`` prints as ``(PP/2-1)(F&B+B-3W)``; ``W <= I`` is a condition that
can say why it fails: ``W <= I; here W = 2 > I = 1``.
Symbols: PP devices, MB micro-batches, times F, B (whole backward), I, W, FB of one stage, C latency.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Union

Number = int | float | Fraction
Term = Union["Expr", Number]
Values = Mapping[str, float]


@dataclass(frozen=True)
class _Atom:
    """A symbol, ``max(...)`` or a product of sums: what a sum is made of."""

    name: str  # the symbol, "max", or "*"
    parts: tuple["Expr", ...] = ()

    def text(self) -> str:
        """As in the papers: ``F&B``, ``max(F, I)``, ``(PP-1)(F+B)``."""
        if self.name == "*":
            return "".join(f"({part})" if len(part.terms) > 1 else str(part) for part in self.parts)
        if self.parts:
            return f"{self.name}({', '.join(map(str, self.parts))})"
        return {"FB": "F&B"}.get(self.name, self.name)

    def value(self, values: Values) -> float:
        """The number, given the number of every symbol used."""
        if not self.parts:
            return values[self.name]
        numbers = [part.value(values) for part in self.parts]
        if self.name == "max":
            return max(numbers)
        product = 1.0
        for number in numbers:
            product *= number
        return product


_ONE = _Atom("1")


@dataclass(frozen=True)
class Expr:
    """A sum of atoms with rational coefficients, in the order written."""

    terms: tuple[tuple[_Atom, Fraction], ...]

    def value(self, values: Values) -> float:
        """The number, given the number of every symbol used; KeyError for one that lacks."""
        return sum(float(k) * (1.0 if atom is _ONE else atom.value(values)) for atom, k in self.terms)

    def symbols(self) -> tuple[str, ...]:
        """Names of the symbols used, in order of appearance."""
        names: dict[str, None] = {}
        for atom, _ in self.terms:
            if atom.parts:
                names.update((name, None) for part in atom.parts for name in part.symbols())
            elif atom is not _ONE:
                names[atom.name] = None
        return tuple(names)

    def substituted(self, new: Mapping[str, "Expr"]) -> "Expr":
        """The same with some symbols replaced; like terms are collected."""
        total = Expr(())
        for atom, k in self.terms:
            if atom.name == "*":
                left, right = (part.substituted(new) for part in atom.parts)
                replaced = left * right
            elif atom.parts:
                replaced = maximum(*(part.substituted(new) for part in atom.parts))
            else:
                replaced = new.get(atom.name, Expr(((atom, Fraction(1)),)))
            total += replaced * k
        return total

    def __str__(self) -> str:
        text = ""
        for atom, k in self.terms:
            sign = "-" if k < 0 else "+" if text else ""
            text += sign + _scaled(atom, abs(k))
        return text or "0"

    def number(self) -> Fraction | None:
        """Its value where it has no symbol, else None."""
        if not self.terms:
            return Fraction(0)
        return self.terms[0][1] if len(self.terms) == 1 and self.terms[0][0] is _ONE else None

    def __add__(self, other: Term) -> "Expr":
        total = dict(self.terms)
        for atom, k in _expr(other).terms:
            total[atom] = total.get(atom, Fraction(0)) + k
        return Expr(tuple((atom, k) for atom, k in total.items() if k))

    def __mul__(self, other: Term) -> "Expr":
        other = _expr(other)
        for number, factor in ((self.number(), other), (other.number(), self)):
            if number is not None:
                return Expr(tuple((atom, k * number) for atom, k in factor.terms if number))
        return Expr(((_Atom("*", (self, other)), Fraction(1)),))

    def __truediv__(self, number: int) -> "Expr":
        return self * Fraction(1, number)

    def __neg__(self) -> "Expr":
        return self * -1

    def __sub__(self, other: Term) -> "Expr":
        return self + -_expr(other)

    def __radd__(self, other: Number) -> "Expr":
        return _expr(other) + self

    def __rsub__(self, other: Number) -> "Expr":
        return _expr(other) - self

    __rmul__ = __mul__

    def __le__(self, other: Term) -> "Condition":
        return Condition(self, "<=", _expr(other))

    def __ge__(self, other: Term) -> "Condition":
        return Condition(self, ">=", _expr(other))

    def equals(self, other: Term) -> "Condition":
        """The condition ``self = other``; == stays for comparing expressions."""
        return Condition(self, "=", _expr(other))


def _scaled(atom: _Atom, k: Fraction) -> str:
    if atom is _ONE:
        return str(k)
    top = "" if k.numerator == 1 else str(k.numerator)
    bottom = "" if k.denominator == 1 else f"/{k.denominator}"
    return top + atom.text() + bottom


def _expr(term: Term) -> Expr:
    return term if isinstance(term, Expr) else Expr(((_ONE, Fraction(term)),) if term else ())


def _symbol(name: str) -> Expr:
    return Expr(((_Atom(name), Fraction(1)),))


PP, MB, F, B, I, W, FB, C = map(_symbol, ("PP", "MB", "F", "B", "I", "W", "FB", "latency"))  # noqa: E741

#: The symbols that stand for times of a stage.
TIME_SYMBOLS = {"F": F, "B": B, "I": I, "W": W, "FB": FB}


def maximum(*terms: Term) -> Expr:
    """The largest of the terms: ``max(F, I)``."""
    return Expr(((_Atom("max", tuple(map(_expr, terms))), Fraction(1)),))


_TOLERANCE = 1e-9  # relative: the times are float64


@dataclass(frozen=True)
class Condition:
    """``left op right``, with op one of <=, >=, =."""

    left: Expr
    op: str
    right: Expr

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"

    def holds(self, values: Values) -> bool:
        """Whether the numbers satisfy it, up to float noise."""
        left, right = self.left.value(values), self.right.value(values)
        slack = _TOLERANCE * max(abs(left), abs(right))
        if self.op == "=":
            return abs(left - right) <= slack
        return left <= right + slack if self.op == "<=" else left >= right - slack

    def counterexample(self, values: Values) -> str:
        """The numbers by which it fails: ``W = 2 > I = 1``."""
        left, right = self.left.value(values), self.right.value(values)
        shown = [
            f"{value:g}" if side.number() is not None else f"{side} = {value:g}"
            for side, value in ((self.left, left), (self.right, right))
        ]
        return f"{shown[0]} {'>' if left > right else '<'} {shown[1]}"


@dataclass(frozen=True)
class Formula:
    """A closed formula for the idle time of a device, and when it equals every device's exactly."""

    idle: Expr
    exact_if: tuple[Condition, ...] = ()

    def failing(self, values: Values) -> list[Condition]:
        """The conditions that do not hold at these numbers."""
        return [condition for condition in self.exact_if if not condition.holds(values)]
