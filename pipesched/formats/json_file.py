"""Our own file: every device's list, the placement and, if given, the costs; an exact round trip.

Lists hold transfers and the rest too where they are known.

``{"format": "pipesched", "version": 1, "name": ..., "placement": {"stages": [[0], [1]], "flows": ...},
"costs": {...} or null, "ops": [["0F0", ...], ["1F0", ...]]}``
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, StrictStr, ValidationError

from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.errors import FormatError
from pipesched.formats.torch_csv import read as read_csv
from pipesched.formats.torch_csv_dialect import TORCH
from pipesched.ops import MAX_ID
from pipesched.placement import Placement
from pipesched.schedule import Schedule

VERSION = 1
_Ids = list[StrictInt]
_Time = StrictInt | StrictFloat | list[StrictInt | StrictFloat] | None


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _PlacementPart(_Strict):
    stages: list[_Ids]
    flows: list[_Ids] | None = None


class _File(_Strict):
    format: Literal["pipesched"]
    version: StrictInt = Field(ge=1, le=VERSION)
    name: StrictStr
    placement: _PlacementPart | None = None
    costs: dict[StrictStr, _Time | StrictStr] | None = None
    ops: list[list[StrictStr]] = Field(min_length=1)


def read(text: str, name: str) -> tuple[Actions, CostModel | None]:
    """The lists and the costs; FormatError says what is wrong and where, CostError for bad costs."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = (
            f"line {error.lineno}, column {error.colno}: {error.msg}"
            if isinstance(error, json.JSONDecodeError)
            else "nested too deep"
        )
        raise FormatError(f"{name} is not JSON: {where}") from None
    except ValueError:  # a number with more digits than Python converts
        raise FormatError(f"{name} is not a schedule: it holds a number of thousands of digits") from None
    if _is_trace(data):
        raise FormatError(
            f"{name} is a trace, which says when things ran, for ui.perfetto.dev; it is no schedule: "
            "give the .csv or .json that it was made from"
        )
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise FormatError(f"{name} is not a schedule of ours: {_first(error)}") from None
    rows = "\n".join(_row(name, number, row) for number, row in enumerate(file.ops))
    actions = read_csv(rows, name, TORCH)
    schedule = actions.schedule
    if file.placement:
        schedule = replace(schedule, placement=_placement(file.placement, schedule, name), cells=None)
    costs = None if file.costs is None else CostModel.of(**file.costs)
    return actions.placed(schedule.renamed(file.name)), costs


def _is_trace(data: Any) -> bool:
    """Whether this is Chrome's trace format: events in an object, or bare."""
    if isinstance(data, dict):
        return "traceEvents" in data
    return isinstance(data, list) and bool(data) and isinstance(data[0], dict) and "ph" in data[0]


def _row(name: str, number: int, row: list[str]) -> str:
    for at, cell in enumerate(row):
        if "," in cell or "\n" in cell or "\r" in cell:
            raise FormatError(f"{name} row {number + 1}, cell {at + 1}: {cell!r} is not an action")
    return ",".join(row)


def _first(error: ValidationError) -> str:
    first: Any = error.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the file"
    return f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}"


def _placement(part: _PlacementPart, schedule: Schedule, name: str) -> Placement:
    flows = part.flows or [[0] * len(row) for row in part.stages]
    if len(part.stages) != schedule.devices or list(map(len, flows)) != list(map(len, part.stages)):
        raise FormatError(
            f"{name}: the placement lists {len(part.stages)} devices and {len(flows)} rows of flows "
            f"for {schedule.devices} rows of ops, which must agree"
        )
    ids = [number for row in (*part.stages, *flows) for number in row]
    if any(number >= len(ids) for number in ids):
        raise FormatError(
            f"{name}: the placement's stages and flows must be numbered 0, 1, ...; got {max(ids)}"
        )
    if any(not 0 <= number <= MAX_ID for number in ids) or any(
        row != sorted(set(row)) for row in part.stages
    ):
        raise FormatError(
            f"{name}: the placement's stages must be ascending ids from 0, each once per device"
        )
    for d, held in enumerate(schedule.placement.stages):
        stray = sorted(set(held) - set(part.stages[d]))
        if stray:
            raise FormatError(
                f"{name}: device {d} runs stage {stray[0]}, which the placement does not give it"
            )
    return Placement(tuple(map(tuple, part.stages)), tuple(map(tuple, flows)))


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
