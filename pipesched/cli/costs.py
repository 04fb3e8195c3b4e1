"""Costs from flags, a file of costs, and the schedule's own file, in this order of precedence."""

from pathlib import Path
from typing import Any

from pipesched.cli.options import Problem
from pipesched.costs import FORWARD, CostModel, check_each, time_of
from pipesched.errors import CostError
from pipesched.formats.load import text_of
from pipesched.words import number, shortened

#: Where one of B, I, W is given anew, the one that then follows from B = I + W.
_FOLLOWS = {"B": "I", "W": "I", "I": "B"}


def cost_model(problem: Problem, own: CostModel | None = None) -> CostModel:
    """The checked cost model; ``own`` is what the schedule's file says. CostError names the file or flag."""
    given: dict[str, Any] = {} if own is None else own.as_dict()
    sources = []
    if problem.costs is not None:
        given = _over(given, _read(problem.costs))
        sources.append(problem.costs)
    flags: dict[str, Any] = {}
    for key in ("F", "B", "I", "W", "FB", "latency"):
        text = getattr(problem, key.lower())
        if text is not None:
            sources.append(f"--{key.lower()}")
            flags[key] = time_of(sources[-1], _parse(sources[-1], text))
    if problem.unit is not None:
        flags["unit"] = problem.unit
    try:
        return CostModel.of(**_over(given, flags))
    except CostError as error:
        raise CostError(f"{' and '.join(sources)}: {error}") from None


def _over(base: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    backward = [key for key in "BIW" if key in new]
    drop = [_FOLLOWS[backward[0]]] if len(backward) == 1 else [key for key in "BIW" if backward]
    if "F" in new and base.get("unit") == FORWARD:
        drop.append("unit")  # it was what another forward takes
    return {**{key: value for key, value in base.items() if key not in drop}, **new}


def _parse(flag: str, text: str) -> float | list[float]:
    numbers = []
    for part in text.split(","):
        parsed = number(part)
        if parsed is None:
            raise CostError(
                f"{flag} must be a number such as 1, 0.5 or 2e-3, or a comma list of one per stage; "
                f"got {shortened(text)!r}"
            )
        numbers.append(parsed)
    return numbers if len(numbers) > 1 else numbers[0]


def _read(path: str) -> dict[str, Any]:
    """The checked table of a file: JSON or TOML by its suffix; what has none is JSON if it starts with {."""
    import json
    import tomllib

    suffix = Path(path).suffix.lower()
    if suffix not in (".json", ".toml", ""):
        raise CostError(f"cannot read costs from {path}: they are read from .json and .toml files")
    text = text_of(path, 'costs are written like {"F": 1, "B": 2} (JSON) or F = 1 (TOML)')
    is_json = suffix == ".json" or (not suffix and text.lstrip().startswith("{"))
    try:
        data = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind, told = "JSON" if is_json else "TOML", str(error)
        raise CostError(f"cannot read costs from {path}: not {kind}: {told[:1].lower()}{told[1:]}") from None
    if not isinstance(data, dict):
        raise CostError(f'{path} must hold one table of costs, such as {{"F": 1, "B": 2}}')
    try:
        check_each(data)
    except CostError as error:
        raise CostError(f"{path}: {error}") from None
    return data
