"""Our own file: every device's list, the placement and, if given, the costs; an exact round trip.

Lists hold transfers and the rest too where they are known.

``{"format": "pipesched", "version": 1, "name": ..., "placement": {"stages": [[0], [1]], "flows": ...},
"costs": {...} or null, "ops": [["0F0", ...], ["1F0", ...]]}``
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.errors import CostError, FormatError
from pipesched.formats.json_parts import Unfit, check_parts, placement_of
from pipesched.formats.torch_csv import read_rows
from pipesched.formats.torch_csv_dialect import TORCH
from pipesched.schedule import Schedule

VERSION = 1


def read(text: str, name: str) -> tuple[Actions, CostModel | None]:
    """The lists and the costs; FormatError says what is wrong and where, CostError for bad costs."""
    data = _parsed(text, name)
    if _is_trace(data):
        raise FormatError(
            f"{name} is a trace, which says when things ran, for ui.perfetto.dev; it is no schedule: "
            "give the .csv or .json that it was made from"
        )
    try:
        check_parts(data, VERSION)
        actions = read_rows([_row(number, row) for number, row in enumerate(data["ops"], 1)], name, TORCH)
        schedule = replace(actions.schedule, name=data["name"], file=name)
        if data.get("placement") is not None:
            schedule = replace(schedule, placement=placement_of(data["placement"], schedule), cells=None)
    except Unfit as problem:
        raise FormatError(f"{name}{problem}") from None
    return actions.placed(schedule), _costs(data.get("costs"), name)


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        told = error.msg[0].lower() + error.msg[1:]
        raise FormatError(f"{name} is not JSON: line {error.lineno}, column {error.colno}: {told}") from None
    except RecursionError:
        raise FormatError(f"{name} is not JSON: nested too deep") from None
    except ValueError:  # a number with more digits than Python converts
        raise FormatError(f"{name} is not a schedule: it holds a number of thousands of digits") from None


def _is_trace(data: Any) -> bool:
    """Whether this is Chrome's trace format: events in an object, or bare."""
    if isinstance(data, dict):
        return "traceEvents" in data
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict) and "ph" in data[0]


def _row(number: int, row: list[str]) -> str:
    """A row as in torch's CSV, whose separators no cell may hold."""
    for at, cell in enumerate(row, 1):
        if "," in cell or "\n" in cell or "\r" in cell:
            raise Unfit(f" row {number}, cell {at}: {cell!r} is not an action")
    return ",".join(row)


def _costs(given: dict[str, Any] | None, name: str) -> CostModel | None:
    try:
        return None if given is None else CostModel.of(**given)
    except CostError as error:
        raise CostError(f"{name}: {error}") from None


def write(plan: Schedule | Actions, costs: CostModel | None = None) -> Iterator[str]:
    """The file, row by row."""
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    where = {"stages": schedule.placement.stages, "flows": schedule.placement.flows}
    head = {
        "format": "pipesched",
        "version": VERSION,
        "name": schedule.name,
        "placement": where,
        "costs": None if costs is None else costs.as_dict(),
    }
    for key, value in head.items():
        yield f"{'{' if key == 'format' else ''}{json.dumps(key)}: {json.dumps(value)},\n"
    yield '"ops": ['
    for number, row in enumerate(plan.rows()):
        yield ("," if number else "") + "\n" + json.dumps(row)
    yield "\n]}\n"
