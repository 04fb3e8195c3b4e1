"""Slips of the pen: the op that one wrong letter or number has most likely replaced."""

from collections.abc import Sequence

import numpy as np

from pipesched.ops import Kind, Op
from pipesched.schedule import Schedule

#: Where one of these is, the kind is not missing: B is I and W in one.
_DOES_THE_SAME = {
    Kind.F: (Kind.F,),
    Kind.B: (Kind.B, Kind.I, Kind.W),
    Kind.I: (Kind.I, Kind.B),
    Kind.W: (Kind.W, Kind.B),
}


def meant(schedule: Schedule, ops: Sequence[int]) -> str:
    """``; is 1F1 meant, which is missing?`` where one of these ops is a letter or a number away from it.

    Nothing unless a single op comes into question. O(N).
    """
    found = {op for each in ops for op in _near(schedule, each)}
    return f"; is {found.pop()} meant, which is missing?" if len(found) == 1 else ""


def _near(schedule: Schedule, op: int) -> list[Op]:
    """What is missing and differs from an op in its micro-batch, its stage, or its kind alone."""
    kind, stage, microbatch = schedule.op(op)
    kinds = np.isin(schedule.kind, _DOES_THE_SAME[kind])
    stages, microbatches = schedule.stage == stage, schedule.microbatch == microbatch
    ids, often = np.unique(schedule.microbatch, return_counts=True)
    usual = ids[2 * often >= often.max()]  # a number that few ops have is itself a slip
    numbers = np.setdiff1d(usual, schedule.microbatch[kinds & stages])
    held = schedule.placement.stages[int(schedule.device[op])]
    places = np.setdiff1d(held, schedule.stage[kinds & microbatches])
    letters = np.setdiff1d(schedule.kind[stages & ~microbatches], schedule.kind[stages & microbatches])
    return [
        *(Op(kind, stage, number) for number in numbers.tolist()),
        *(Op(kind, place, microbatch) for place in places.tolist() if microbatch in usual),
        *(Op(Kind(letter), stage, microbatch) for letter in letters.tolist() if microbatch in usual),
    ]
