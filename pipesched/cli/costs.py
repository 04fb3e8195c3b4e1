"""Costs from flags, a file of costs, and the schedule's own file, in this order of precedence."""

import json
from typing import Any

from pipesched.cli.options import Problem
from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.formats.load import text_of

#: Where one of B, I, W is given anew, the one that then follows from B = I + W.
_FOLLOWS = {"B": "I", "W": "I", "I": "B"}


def cost_model(problem: Problem, own: CostModel | None = None) -> CostModel:
    """The checked cost model; ``own`` is what the schedule's file says."""
    given: dict[str, Any] = {} if own is None else own.as_dict()
    if problem.costs is not None:
        given = _over(given, _read(problem.costs))
    flags = {
        "F": problem.f,
        "B": problem.b,
        "I": problem.i,
        "W": problem.w,
        "FB": problem.fb,
        "latency": problem.latency,
    }
    parsed: dict[str, Any] = {key: _parse(key, text) for key, text in flags.items() if text is not None}
    if problem.unit is not None:
        parsed["unit"] = problem.unit
    return CostModel.of(**_over(given, parsed))


def _over(base: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    backward = [key for key in "BIW" if key in new]
    drop = [_FOLLOWS[backward[0]]] if len(backward) == 1 else [key for key in "BIW" if backward]
    return {**{key: value for key, value in base.items() if key not in drop}, **new}


def _parse(key: str, text: str) -> float | list[float]:
    parts = text.split(",")
    numbers = []
    for part in parts:
        try:
            numbers.append(float(part))
        except ValueError:
            message = f"{key} must be a number, or a comma list of one per stage; got {text!r}"
            raise CostError(message) from None
    return numbers if len(numbers) > 1 else numbers[0]


def _read(path: str) -> dict[str, Any]:
    import tomllib

    text = text_of(path)
    try:
        data = json.loads(text) if path.lower().endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CostError(f"cannot read costs from {path}: {str(error).splitlines()[0]}") from None
    if not isinstance(data, dict):
        raise CostError(f'{path} must hold one table of costs, such as {{"F": 1, "B": 2}}')
    return data
