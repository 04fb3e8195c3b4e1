"""What a user's function may be registered with, and return: columns and a placement that fit together."""

from typing import Any

import numpy as np

from pipesched.formula import Formula
from pipesched.generators._registry import Constraint, Recipe
from pipesched.ops import MAX_ID, Kind
from pipesched.placement import Placement
from pipesched.schedule import Schedule
from pipesched.words import shortened

#: What each argument of the decorator is; of those that are several, each entry.
_ONE: dict[str, Any] = {"name": str, "title": str, "source": str, "chunks": int, "formula": Formula | None}
_SEVERAL: dict[str, Any] = {
    "aliases": str,
    "constraints": Constraint,
    "general": Formula,
    "span": Formula,
    "peak": Formula,
}
_NAMED = {
    str: "text",
    int: "a whole number",
    Formula: "a Formula",
    Formula | None: "a Formula",
    Constraint: "a Constraint, as needs(...) makes",
}


def mistyped(recipe: Recipe) -> str:
    """Which argument of the decorator is of a wrong type, completing "is registered with "; else empty."""
    for key, kind in _ONE.items():
        if not isinstance(getattr(recipe, key), kind):
            return f"{key} = {shortened(repr(getattr(recipe, key)))}, which is not {_NAMED[kind]}"
    for key, kind in _SEVERAL.items():
        given = getattr(recipe, key)
        if not isinstance(given, tuple | list) or not all(isinstance(each, kind) for each in given):
            return f"{key} = {shortened(repr(given))}, which is not a tuple, each {_NAMED[kind]}"
    if not callable(recipe.placement):
        return f"placement = {shortened(repr(recipe.placement))}, which is not a function"
    return "" if recipe.chunks > 0 else f"chunks = {recipe.chunks}, which is not 1 or more"


def broken(schedule: Schedule) -> str:
    """Why the columns make no schedule, completing "a schedule "; empty where they do. O(N).

    Whether it can run is another question: :func:`pipesched.validate.validate`.
    """
    n = len(schedule.kind)
    for name in ("kind", "stage", "microbatch", "slot", "first"):
        column = getattr(schedule, name)
        whole = isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "iu"
        if not whole or (len(column) != n and name != "first"):
            return f"whose {name} is not an array of {'' if name == 'first' else f'{n} '}integers"
    first = schedule.first
    if not len(first) or first[0] != 0 or first[-1] != n or (np.diff(first) < 0).any():
        return f"whose first does not ascend from 0 to its {n} ops"
    for name, most in (("kind", max(Kind)), ("stage", MAX_ID), ("microbatch", MAX_ID)):
        column = getattr(schedule, name)
        if n and not 0 <= column.min() <= column.max() <= most:
            return f"with a {name} outside 0..{int(most)}"
    return _broken_pairs(schedule) or _broken_placement(schedule)


def _broken_pairs(schedule: Schedule) -> str:
    step = np.diff(schedule.slot, prepend=-1)
    if ((step != 0) & (step != 1)).any() or (len(step) and step[0] != 1):
        return "whose slots are not numbered 0, 1, ..."
    second = np.flatnonzero(step == 0)
    lone = np.setdiff1d(schedule.first, [schedule.n_ops])
    pairs = (schedule.kind[second - 1] == Kind.F) & (schedule.kind[second] == Kind.B)
    if not pairs.all() or (np.diff(second) == 1).any() or np.isin(lone, second).any():
        return "with a slot that is neither one op nor a forward and a whole backward of one device"
    return ""


def _broken_placement(schedule: Schedule) -> str:
    where = schedule.placement
    if not isinstance(where, Placement):
        return f"whose placement is {type(where).__name__}, not a Placement"
    problem = where.problem(schedule.devices)
    if problem:
        return f"whose placement {problem}"
    for d, held in enumerate(where.stages):
        stray = np.setdiff1d(schedule.stage[schedule.first[d] : schedule.first[d + 1]], held)
        if len(stray):
            return f"whose device {d} runs stage {stray[0]}, which its placement does not give it"
    return ""
