"""Whether a JSON value is a schedule of ours, part by part, and what is wrong where it is not."""

import json
from typing import Any

from pipesched.placement import Placement
from pipesched.schedule import Schedule
from pipesched.words import shortened

KEYS = ("format", "version", "name", "placement", "costs", "ops")
_OPTIONAL = ("placement", "costs")


class Unfit(Exception):  # noqa: N818  becomes a FormatError where the file's name is known
    """What is wrong, to stand right after the name of the file."""


def check_parts(data: Any, version: int) -> None:
    """Raise :class:`Unfit` unless every part has its type; what is in the cells is not looked at."""
    if not isinstance(data, dict):
        raise Unfit(f" is not a schedule of ours: it holds {_told(data)}, not one object")
    if data.get("format") != "pipesched":
        found = f"it is {_told(data['format'])}" if "format" in data else "there is none"
        raise Unfit(f' is not a schedule of ours: its "format" must be "pipesched", and {found}')
    _check_keys(data)
    if type(data["version"]) is not int or data["version"] != version:
        raise Unfit(
            f': its "version" must be {version}, which this program reads; got {_told(data["version"])}'
        )
    if not isinstance(data["name"], str):
        raise Unfit(f': its "name" must be text; got {_told(data["name"])}')
    for key in _OPTIONAL:
        if not isinstance(data.get(key, {}), dict | None):
            raise Unfit(f': its "{key}" must be an object or null; got {_told(data[key])}')
    _check_ops(data["ops"])


def _check_keys(data: dict[str, Any]) -> None:
    unknown = sorted(data.keys() - set(KEYS))
    if unknown:
        raise Unfit(f": unknown key {_told(unknown[0])}; known are {', '.join(KEYS)}")
    missing = [key for key in KEYS if key not in data and key not in _OPTIONAL]
    if missing:
        raise Unfit(f': it has no "{missing[0]}"; it needs format, version, name and ops')


def _check_ops(ops: Any) -> None:
    if not isinstance(ops, list) or not ops:
        raise Unfit(f': its "ops" must be a list of rows, one per device; got {_told(ops)}')
    for number, row in enumerate(ops, 1):
        if not isinstance(row, list):
            raise Unfit(f' row {number} of its "ops" must be a list of actions; got {_told(row)}')
        for at, cell in enumerate(row, 1):
            if not isinstance(cell, str):
                raise Unfit(f" row {number}, cell {at}: {_told(cell)} is not an action, which is text")


def placement_of(part: dict[str, Any], schedule: Schedule) -> Placement:
    """The placement that a file gives; :class:`Unfit` where it is none, or not that of the schedule."""
    unknown = sorted(part.keys() - {"stages", "flows"})
    if unknown:
        raise Unfit(f": unknown key {_told(unknown[0])} in its placement; known are stages, flows")
    stages = _rows_of_ids("stages", part.get("stages"))
    flows = [[0] * len(row) for row in stages]
    if part.get("flows") is not None:
        flows = _rows_of_ids("flows", part["flows"])
    where = Placement(tuple(map(tuple, stages)), tuple(map(tuple, flows)))
    wrong = where.problem(schedule.devices)
    if wrong:
        raise Unfit(f": its placement {wrong}")
    for d, held in enumerate(schedule.placement.stages):
        stray = sorted(set(held) - set(stages[d]))
        if stray:
            raise Unfit(f": device {d} runs stage {stray[0]}, which its placement does not give it")
    return where


def _rows_of_ids(key: str, given: Any) -> list[list[int]]:
    rows = given if isinstance(given, list) else [given]
    for row in rows:
        if not isinstance(row, list) or not all(type(number) is int for number in row):
            raise Unfit(
                f": its placement's {key} must be a list of whole numbers per device; got {_told(row)}"
            )
    return rows


def _told(value: Any) -> str:
    """A JSON value in a few words."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'}{'' if value else ' that is empty'}"
    return shortened(json.dumps(value), 40)
