"""The rules that need no running: each op once, none missing, each after what it needs on its device.

Each rule searches with numpy and builds objects only for what it found.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pipesched.ops import Kind
from pipesched.schedule import Schedule
from pipesched.validate.completeness import incomplete
from pipesched.validate.slips import meant
from pipesched.validate.violation import Rule, Violation, at, cell, place


def empty(schedule: Schedule) -> Iterator[Violation]:
    """There is something to do, on every device."""
    if not schedule.n_ops:
        yield Violation("empty", None, None, None, "the schedule has no ops")
        return
    for d in np.flatnonzero(np.diff(schedule.first) == 0).tolist():
        yield Violation("idle-device", None, d, None, f"device {d} has nothing to do (row {d + 1})")


def duplicates(schedule: Schedule) -> Iterator[Violation]:
    """Each op stands once."""
    if schedule.places and np.count_nonzero(schedule.places.has) == schedule.n_ops:
        return  # the usual case, fast
    order = np.lexsort((schedule.microbatch, schedule.stage, schedule.kind))
    columns = [column[order] for column in (schedule.kind, schedule.stage, schedule.microbatch)]
    same = np.logical_and.reduce([column[1:] == column[:-1] for column in columns])
    for number, i in enumerate(np.flatnonzero(same).tolist()):
        first, second = sorted((int(order[i]), int(order[i + 1])))
        d, e = int(schedule.device[first]), int(schedule.device[second])
        cells = [schedule.position(int(schedule.slot[op])) + 1 for op in (first, second)]
        where = (
            f"on device {d}: cells {cells[0]} and {cells[1]}"
            if d == e
            else f"on device {d} (cell {cells[0]}) and on device {e} (cell {cells[1]})"
        )
        slip = "" if number else meant(schedule, (first, second))
        yield at(schedule, "duplicate", second, f"{schedule.op(second)} stands twice {where}{slip}")


def whole_and_split(schedule: Schedule) -> Iterator[Violation]:
    """A backward is either whole (B) or split (I and W)."""
    if schedule.places:
        _, b, i, w = schedule.places.has
        if not (b & (i | w)).any():
            return
    width = int(schedule.microbatch.max(initial=0)) + 1
    key = schedule.stage.astype(np.int64) * width + schedule.microbatch
    whole = np.flatnonzero(schedule.kind == Kind.B)
    split = {kind: key[schedule.kind == kind] for kind in (Kind.I, Kind.W)}
    clashing = whole[np.isin(key[whole], np.concatenate(list(split.values())))]
    for number, op in enumerate(clashing.tolist()):
        b = schedule.op(op)
        parts = [str(b._replace(kind=kind)) for kind, keys in split.items() if key[op] in keys]
        hint = "" if len(parts) == 2 else " (B is the whole backward: if input-only is meant, write I)"
        if not number:
            others = np.flatnonzero((key == key[op]) & (schedule.kind >= Kind.I)).tolist()
            parts = [f"{schedule.op(other)} ({place(schedule, other)})" for other in others[:2]]
            hint = meant(schedule, [op, *others]) or hint
        message = f"{b} ({place(schedule, op)}) and {' + '.join(parts)}: the same backward twice{hint}"
        yield at(schedule, "whole-and-split", op, message)


def own_device(schedule: Schedule) -> Iterator[Violation]:
    """A backward stands on the device of its forward."""
    own = schedule.needs.own
    for op in np.flatnonzero(schedule.elsewhere(own)).tolist():
        needed = int(own[op])
        message = (
            f"{schedule.op(op)} stands on {place(schedule, op)}, but {schedule.op(needed)}, which it needs, "
            f"on {place(schedule, needed)}"
        )
        yield at(schedule, "wrong-device", op, message)


def own_pair(schedule: Schedule) -> Iterator[Violation]:
    """The two ops of a pair do not need each other."""
    own = schedule.needs.own
    forward = schedule.slot_op[:-1][schedule.paired]
    backward = forward + 1
    needed = (forward[own[forward] == backward], backward[own[backward] == forward])
    for op in np.sort(np.concatenate(needed)).tolist():
        message = (
            f"device {schedule.device[op]}, {cell(schedule, op)}: "
            "a pair whose backward needs its own forward can never start"
        )
        yield at(schedule, "pair-needs-itself", op, message)
    yield from _pair_of_one_microbatch(schedule, forward)


def _pair_of_one_microbatch(schedule: Schedule, forward: npt.NDArray[np.int64]) -> Iterator[Violation]:
    """Of one micro-batch, every backward needs every forward, through the stages between."""
    same = schedule.microbatch[forward] == schedule.microbatch[forward + 1]
    for op in forward[same & (schedule.stage[forward] != schedule.stage[forward + 1])].tolist():
        message = (
            f"device {schedule.device[op]}, {cell(schedule, op)}: {schedule.op(op + 1)} needs "
            f"{schedule.op(op)} through other stages: a pair of one micro-batch can never start"
        )
        yield at(schedule, "pair-needs-itself", op + 1, message)


def order(schedule: Schedule) -> Iterator[Violation]:
    """On one device, whatever an op needs stands before it."""
    here, stop = np.arange(schedule.n_ops), np.repeat(schedule.first[1:], np.diff(schedule.first))
    for needed in schedule.needs:
        ops = np.flatnonzero((needed > here) & (needed < stop))
        for op in ops[schedule.slot[needed[ops]] > schedule.slot[ops]].tolist():
            this, other = schedule.op(op), schedule.op(int(needed[op]))
            own_forward = other.kind == Kind.F and this.kind != Kind.F
            message = (
                f"device {schedule.device[op]}: {this} ({cell(schedule, op)}) stands before "
                f"{'its own forward ' if own_forward else ''}{other} ({cell(schedule, int(needed[op]))})"
                f"{'' if own_forward else ', which it needs'}"
            )
            yield at(schedule, "order", op, message)


#: All of them; adding a rule is one entry here.
RULES = (
    Rule(
        "empty",
        "there are ops, on every device",
        empty,
        "no ops at all",
        {"idle-device": "a device without ops"},
    ),
    Rule("duplicate", "each op stands once", duplicates, "an op that stands twice"),
    Rule(
        "whole-and-split",
        "a backward is either whole (B) or split (I and W)",
        whole_and_split,
        "B and I or W of one stage and micro-batch",
    ),
    Rule(
        "missing",
        "micro-batches 0..m-1 each run forward and backward on stages 0..S-1",
        incomplete,
        "an op that is not there",
        {
            "stray": "a micro-batch on fewer than half of the stages: a wrong number, most likely",
            "missing-stage": "a gap in the numbers of stages",
            "missing-microbatch": "a gap in the numbers of micro-batches",
        },
    ),
    Rule(
        "wrong-device",
        "a backward stands on the device of its forward",
        own_device,
        "a backward on another device than its forward",
    ),
    Rule(
        "pair-needs-itself",
        "the two ops of a pair do not need each other",
        own_pair,
        "a pair of one micro-batch, which can never start",
    ),
    Rule(
        "order",
        "on one device, an op stands after what it needs",
        order,
        "an op before one of its device that it needs",
    ),
)
