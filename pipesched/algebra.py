"""Expressions that print as in the papers and evaluate to numbers, or to one number per device.

``(PP / 2 - 1) * (FB + B - 3 * W)`` prints as ``(PP/2-1)(F&B+B-3W)``; ``W <= I`` is a condition that
can say by which numbers it fails: ``W = 2 > I = 1``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import Any, NamedTuple, Union

import numpy as np

Number = int | float | Fraction
Term = Union["Expr", Number]
#: The number of every symbol; those that differ by device are float64[P].
Values = Mapping[str, Any]


class _Atom(NamedTuple):
    """A symbol, or a function of sums: what a sum is made of."""

    name: str  # the symbol, or one of _FUNCTIONS
    parts: tuple["Expr", ...] = ()

    def text(self) -> str:
        """As in the papers: ``F&B``, ``max(F, I)``, ``(PP-1)(F+B)``, ``floor(PP/2)``."""
        if self.name == "*":
            return _beside(*map(_factor, self.parts))
        if self.name in ("/", "mod"):
            return f"{_factor(self.parts[0])}{'/' if self.name == '/' else ' mod '}{_factor(self.parts[1])}"
        if self.name == "floor":
            return f"floor({_factor(self.parts[0])}/{_factor(self.parts[1])})"
        if self.parts:
            return f"{self.name}({', '.join(map(str, self.parts))})"
        return {"FB": "F&B"}.get(self.name, self.name)

    def value(self, values: Values) -> Any:
        """The number, given the number of every symbol used."""
        if not self.parts:
            return values[self.name]
        return reduce(_FUNCTIONS[self.name], [part.value(values) for part in self.parts])


_FUNCTIONS: dict[str, Any] = {
    "*": np.multiply,
    "/": np.divide,
    "mod": np.mod,
    "max": np.maximum,
    "min": np.minimum,
    "floor": lambda top, bottom: np.floor(np.divide(top, bottom) + 1e-9),
}


def _beside(left: str, right: str) -> str:
    """A product: ``3W``, ``(PP-1)max(F, I)``, but ``2 latency``, ``MB/PP max(F, B)``."""
    words = left[-1:].isalnum() and (right[:1].isalpha() if left[-1:].isalpha() else right[:2].islower())
    return f"{left} {right}" if left and words else left + right


def _factor(part: "Expr") -> str:
    return f"({part})" if len(part.terms) > 1 else str(part)


_ONE = _Atom("1")


@dataclass(frozen=True)
class Expr:
    """A sum of atoms with rational coefficients, in the order written."""

    terms: tuple[tuple[_Atom, Fraction], ...]

    def value(self, values: Values) -> Any:
        """The number, given the number of every symbol used; KeyError for one that lacks.

        A float, or float64[P] where a symbol differs by device.
        """
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
            if atom.parts:
                parts = [part.substituted(new) for part in atom.parts]
                replaced = parts[0] * parts[1] if atom.name == "*" else _function(atom.name, *parts)
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
        (a, left), (b, right) = self._content(), other._content()
        return Expr(((_Atom("*", (left, right)), a * b),))

    def _content(self) -> tuple[Fraction, "Expr"]:
        """A number taken out of the sum, where that reads better: ``F/2+B/2`` is ``(F+B)/2``."""
        coefficients = [k for _, k in self.terms]
        if len(coefficients) > 1 and len({k.denominator for k in coefficients}) > 1:
            return Fraction(1), self  # (PP/2-1) stays as the papers have it
        content = Fraction(
            gcd(*(k.numerator for k in coefficients)), lcm(*(k.denominator for k in coefficients))
        )
        return content, self * (1 / content)

    def __truediv__(self, other: Term) -> "Expr":
        number = _expr(other).number()
        return self * (1 / number) if number else _function("/", self, _expr(other))

    def __mod__(self, other: Term) -> "Expr":
        return _function("mod", self, _expr(other))

    def __floordiv__(self, number: int) -> "Expr":
        return floor(self, number)

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
    text = f"({atom.text()})" if atom.name == "mod" and top else atom.text()
    return _beside(top, text) + bottom


def _expr(term: Term) -> Expr:
    return term if isinstance(term, Expr) else Expr(((_ONE, Fraction(term)),) if term else ())


def symbol(name: str) -> Expr:
    """A symbol as an expression."""
    return Expr(((_Atom(name), Fraction(1)),))


def _function(name: str, *parts: Expr) -> Expr:
    return Expr(((_Atom(name, parts), Fraction(1)),))


def floor(top: Term, bottom: Term) -> Expr:
    """The whole part of a quotient: ``floor(MB/PP)``."""
    return _function("floor", _expr(top), _expr(bottom))


def maximum(*terms: Term) -> Expr:
    """The largest of the terms: ``max(F, I)``."""
    return _function("max", *map(_expr, terms))


def minimum(*terms: Term) -> Expr:
    """The smallest of the terms: ``min(MB, PP)``."""
    return _function("min", *map(_expr, terms))


_TOLERANCE = 1e-9  # relative: the times are float64


class Condition(NamedTuple):
    """``left op right``, with op one of <=, >=, =."""

    left: Expr
    op: str
    right: Expr

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"

    def substituted(self, new: Mapping[str, Expr]) -> "Condition":
        """The same with some symbols replaced."""
        return Condition(self.left.substituted(new), self.op, self.right.substituted(new))

    def trivial(self) -> bool:
        """Whether both sides are the same expression."""
        return not (self.left - self.right).terms

    def holds(self, values: Values) -> bool:
        """Whether the numbers satisfy it, up to float noise."""
        left, right = self.left.value(values), self.right.value(values)
        slack = _TOLERANCE * max(abs(left), abs(right))
        if self.op == "=":
            return bool(abs(left - right) <= slack)
        return bool(left <= right + slack if self.op == "<=" else left >= right - slack)

    def counterexample(self, values: Values) -> str:
        """The numbers by which it fails: ``W = 2 > I = 1``."""
        left, right = self.left.value(values), self.right.value(values)
        shown = [
            f"{value:g}" if side.number() is not None else f"{side} = {value:g}"
            for side, value in ((self.left, left), (self.right, right))
        ]
        return f"{shown[0]} {'>' if left > right else '<'} {shown[1]}"
