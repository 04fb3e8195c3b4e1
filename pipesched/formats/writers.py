"""Which suffix is written by which format."""

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from pipesched.actions import Act, Actions
from pipesched.costs import CostModel
from pipesched.errors import OutputError, PipeschedWarning
from pipesched.formats import json_file, torch_csv, trace
from pipesched.formats.torchtitan import replicated
from pipesched.schedule import Schedule
from pipesched.validate import validate

#: From a schedule, or from whole lists where the format has room for them (:data:`HOLDS_TRANSFERS`).
Writer = Callable[[Any, CostModel], Iterable[str | bytes]]

_INSTEAD = "give --allow-replicas for the same grammar all the same, or write JSON (-o FILE.json)"


def _torch_csv(plan: Schedule | Actions, _: CostModel) -> Iterable[str]:
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    doubled = replicated(schedule)
    if doubled:
        message = f"it wants each stage on one device, and {schedule.called} has {doubled}"
        warnings.warn(f"torch cannot run this file: {message}", PipeschedWarning, stacklevel=2)
    return torch_csv.write(plan)


def torch_strictly(plan: Schedule | Actions, *, allow_replicas: bool = False) -> Iterable[str]:
    """The CSV of what torch runs; :class:`OutputError` for anything else, with what to use instead.

    ``allow_replicas`` lets a stage stand on two devices: other runtimes read the same grammar.
    """
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    doubled = replicated(schedule)
    if doubled and not allow_replicas:
        raise OutputError(
            f"torch cannot run {plan.called}: it wants each stage on one device, here is {doubled}; "
            f"{_INSTEAD}"
        )
    for violation in validate(plan, 1):
        raise OutputError(f"torch cannot run {plan.called}: {violation.message}")
    if isinstance(plan, Actions) and len(plan.find(Act.OPAQUE)):
        text = plan.text(int(plan.find(Act.OPAQUE)[0]))
        raise OutputError(
            f"torch cannot run {plan.called}: it does not know {text}, and may misread it in silence"
        )
    return torch_csv.write(plan)


WRITERS: dict[str, Writer] = {
    ".csv": _torch_csv,
    ".json": json_file.write,
    ".trace.json": trace.write,
    ".trace.json.gz": trace.write_compressed,
}
#: The formats that have room for transfers.
HOLDS_TRANSFERS = (".csv", ".json")


def suffix_of(name: str) -> str | None:
    """The longest suffix that the name ends in, or None."""
    known = [suffix for suffix in WRITERS if name.lower().endswith(suffix)]
    return max(known, key=len, default=None)
