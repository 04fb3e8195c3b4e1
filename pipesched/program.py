"""The list algebra in which schedules are written: ``n * [F0 & B1, F1 & B0]``.

A *step* says what a device does at one turn: a kind and a chunk, no micro-batch. ``F`` is the forward
of chunk 0, ``F1`` of chunk 1, ``F0 & B1`` an overlapped pair. Micro-batches are numbered afterwards, by
counting: each (chunk, direction of work) takes the next one. A bare ``W`` is the oldest weight gradient
that the device owes, whatever its chunk.
"""

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.errors import ShapeError
from pipesched.ops import Kind
from pipesched.placement import Placement
from pipesched.schedule import Schedule

_KIND_BITS, _CHUNK_BITS = 2, 14
_STEP_BITS = _KIND_BITS + _CHUNK_BITS
_OLDEST = (1 << _CHUNK_BITS) - 1  # the chunk number of a bare W


class Pipeline(NamedTuple):
    """The size of the problem: devices (pp), micro-batches over the whole schedule, chunks per device."""

    devices: int
    microbatches: int
    chunks: int = 1


class Step(int):
    """One turn as an integer: kind in the low bits, then chunk; a pair holds a second step above them."""

    def __and__(self, other: int) -> "Step":
        """Overlap a forward with a backward: ``F0 & B1``."""
        if not (
            isinstance(other, Step) and self % 4 == Kind.F and other % 4 == Kind.B and other < 1 << _STEP_BITS
        ):
            raise TypeError("a pair is a forward & a whole backward, such as F0 & B1")
        return Step(self | (other + 1) << _STEP_BITS)


#: A device's list, still without micro-batches.
Program = Sequence[Step]


def step(kind: Kind, chunk: int) -> Step:
    """The step for any chunk: ``step(Kind.F, 3)``; ShapeError for a chunk that has no step."""
    if not 0 <= chunk < _OLDEST:
        raise ShapeError(f"chunks are numbered from 0 to {_OLDEST - 1}; got {chunk}")
    return Step(kind | chunk << _KIND_BITS)


F = F0 = step(Kind.F, 0)
B = B0 = step(Kind.B, 0)
I = I0 = step(Kind.I, 0)  # noqa: E741  the published letter
W = Step(Kind.W | _OLDEST << _KIND_BITS)
W0 = step(Kind.W, 0)
F1, B1, I1, W1 = (step(kind, 1) for kind in Kind)


def only(microbatches: int, *terms: tuple[int, Program]) -> list[Step]:
    """The sum of ``times * steps`` for the first micro-batches alone: of each kind and chunk so many steps.

    The steps of a term are different ones; none is a pair or a bare W, which belong to no chunk.
    """
    program: list[Step] = []
    seen: Counter[Step] = Counter()
    for times, steps in terms:
        left = {turn: max(0, min(times, microbatches - seen[turn])) for turn in steps}
        done = 0
        for until in sorted(set(left.values())):
            program += (until - done) * [turn for turn in steps if left[turn] > done]
            done = until
        seen.update(left)
    return program


def build(name: str, pipeline: Pipeline, placement: Placement, programs: Sequence[Program]) -> Schedule:
    """Number the micro-batches of every device's program and return the schedule; O(N), in numpy.

    Micro-batches are shared out evenly over the placement's flows, flow 0 first. Raises
    :class:`ShapeError` where a program names a chunk that its device lacks, or does more weight
    gradients than it owes.
    """
    # An array takes a step as the integer that it is, several times as fast as numpy does.
    steps = [np.asarray(array("I", program)) for program in programs]
    code, slot = _ops(np.concatenate([*steps, np.zeros(0, dtype=np.uint32)]))
    first = np.searchsorted(slot, np.cumsum([0, *map(len, steps)], dtype=np.int32))
    device = np.repeat(np.arange(len(steps), dtype=np.int32), np.diff(first))
    chunk, microbatch = _number(name, device, code)
    stage, start = _stages(name, pipeline, placement, device, chunk)
    if start is not None:
        microbatch += start
    return Schedule.from_columns(
        name,
        kind=code.astype(np.int8) & 3,
        stage=stage,
        microbatch=microbatch,
        slot=slot,
        first=first,
        where=placement,
    )


#: Columns of the op's, of few bits: most of the time goes to moving them.
_Ints = npt.NDArray[np.int32]
_Codes = npt.NDArray[np.uint16]


def _ops(turns: npt.NDArray[np.uint32]) -> tuple[_Codes, _Ints]:
    """Each op's step and the number of its turn; a pair's turn is two ops."""
    slot: _Ints = np.arange(len(turns), dtype=np.int32)
    code: _Codes = turns.astype(np.uint16)
    two = turns >= 1 << _STEP_BITS
    if two.any():
        widths = two.astype(np.int8) + 1
        slot, code = np.repeat(slot, widths), np.repeat(code, widths)
        code[np.cumsum(widths, dtype=np.int32)[two] - 1] = (turns[two] >> _STEP_BITS) - 1
    return code, slot


def _number(name: str, device: _Ints, code: _Codes) -> tuple[_Codes, _Ints]:
    """Each op's chunk, and its place in the count of its own (device, chunk, F | B or I | W)."""
    kind, bare = code & 3, code == W
    chunk: Any = code >> _KIND_BITS
    work = (kind + 1) >> 1  # F, then B and I, which share one count as both are the backward, then W
    if not bare.any():
        return chunk, _rank_within(device, chunk, work)
    counted, rank = np.flatnonzero(~bare), np.empty(len(code), dtype=np.int32)
    rank[counted] = _rank_within(device[counted], chunk[counted], work[counted])
    # The n-th bare W of a device pays for its n-th I.
    owed, paid = np.flatnonzero(kind == Kind.I), np.flatnonzero(bare)
    first = np.searchsorted(device[owed], np.arange(int(device[-1]) + 2))  # each device's first debt
    debt = first[device[paid]] + _rank_within(device[paid])
    short = debt >= first[device[paid] + 1]
    if short.any():
        d = int(device[paid[short][0]])
        raise ShapeError(f"{name}: device {d} does more weight gradients (W) than it has input gradients (I)")
    chunk[paid], rank[paid] = chunk[owed[debt]], rank[owed[debt]]
    return chunk, rank


def _rank_within(*columns: npt.NDArray[Any]) -> _Ints:
    """For each row of the columns, how many equal rows stand before it."""
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    # A stable sort of short integers is one of buckets.
    group: Any = np.zeros(len(columns[0]), np.uint16 if math.prod(sizes) < 2**16 else np.int64)
    for column, size in zip(columns, sizes, strict=True):
        group *= size
        group += column.astype(group.dtype)
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    new = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(group)]).astype(np.int32)
    rank = np.empty(len(group), dtype=np.int32)
    ranks = np.arange(len(group), dtype=np.int32)
    ranks -= np.repeat(new, np.diff(np.append(new, len(group))))
    rank[order] = ranks
    return rank


def _stages(
    name: str, pipeline: Pipeline, placement: Placement, device: _Ints, chunk: _Codes
) -> tuple[_Ints, _Ints | None]:
    """Each op's stage, and the first micro-batch of the flow that its chunk serves, None where that is 0."""
    chunks = max(map(len, placement.stages), default=0)
    stage_of = np.full((placement.devices, chunks), -1, dtype=np.int32)
    start_of = np.zeros((placement.devices, chunks), dtype=np.int32)
    per_flow = pipeline.microbatches // placement.n_flows
    for d, (stages, flows) in enumerate(zip(placement.stages, placement.flows, strict=True)):
        stage_of[d, : len(stages)] = stages
        start_of[d, : len(stages)] = np.multiply(flows, per_flow)
    at = device * chunks + np.minimum(chunk, chunks - 1)
    stage = stage_of.ravel()[at]
    lacking = (chunk >= chunks) | (stage < 0)
    if lacking.any():
        op = int(np.argmax(lacking))
        raise ShapeError(f"{name}: device {device[op]} has no chunk {chunk[op]}; it holds {chunks}")
    return stage, start_of.ravel()[at] if start_of.any() else None
