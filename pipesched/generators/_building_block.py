"""Controllable memory: repeat a building block, then squeeze it (Qi et al. 2024, arXiv:2405.15362).

A *building block* is one micro-batch's way down the V and back. Repeated every ``PERIOD`` slots it is a
schedule in which no two ops of a device share a slot, and whose memory is the block's: the activations
that overlap while each micro-batch is under way. Only start-up and drain then hold holes, and squeezing
fills them without ever holding more than the block does.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.generators._line import Line
from pipesched.ops import Kind
from pipesched.placement import v_shape
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

#: What a device does for each micro-batch, in unit slots: F, I and W on both its stages, or F and B.
PERIOD = 6

Ints = npt.NDArray[np.int64]


class Block(NamedTuple):
    """First slots of micro-batch 0 on device r, in the order in which it comes by."""

    forward_down: int  # F of stage r
    forward_up: int  # F of stage 2PP-1-r
    backward_down: int  # I or B of stage 2PP-1-r
    backward_up: int  # I or B of stage r


def squeezed(
    name: str, p: Pipeline, blocks: Sequence[Block], backward: Kind, cap: int, ahead: int | None = None
) -> Schedule:
    """Repeat each device's block for all micro-batches and squeeze.

    In the order of their slots all ops take the earliest slot of their device that is free, comes after
    what they need and after the micro-batch before, and keeps the activations at ``cap``; their own
    slot always does if ``cap`` is the block's peak. ``backward`` is I of one slot, with each W in the
    first slot left free after it, or B of two. Until the last micro-batch comes in, ops move by
    ``ahead`` slots at most: if all of the steady state can move by that much, it keeps the block's
    order. O(ops) but for pages of slots that are passed over where the cap is near: :class:`Line`.
    """
    stages = 2 * p.devices
    device = np.minimum(np.arange(stages), np.arange(stages)[::-1])[:, None]  # int64[S, 1]
    repeated = _repeated(p, blocks)
    floor = np.zeros_like(repeated)
    if ahead is not None:
        floor = np.where(repeated < repeated[0, device, -1], repeated - ahead, 0)
    lines = [Line(backward, cap) for _ in blocks]
    order = np.lexsort((np.broadcast_to(device, repeated.shape).ravel(), repeated.ravel()))
    slot = _placed(order, floor, device, 2 if backward == Kind.B else 1, lines)
    return _schedule(name, backward, slot, device, lines)


def _repeated(p: Pipeline, blocks: Sequence[Block]) -> Ints:
    """The slot of every F (row 0) and backward (row 1): int64[2, S, MB]."""
    block = np.array(blocks, dtype=np.int64).T  # [4, P]
    first = np.stack([np.append(down, up[::-1]) for down, up in ((block[0], block[1]), (block[3], block[2]))])
    return first[:, :, None] + PERIOD * np.arange(p.microbatches)


def _placed(order: Ints, floor: Ints, device: Ints, width: int, lines: Sequence[Line]) -> Ints:
    """Every op's slot when they are placed in this order, none before its ``floor``: int64[2, S, MB]."""
    n, half = floor.size, floor[0].size
    op = np.arange(n).reshape(floor.shape)
    needed, before = np.full_like(op, n), np.full_like(op, n)  # n: nothing, which ended at 0
    needed[0, 1:], needed[1, :-1], needed[1, -1] = op[0, :-1], op[1, 1:], op[0, -1]
    before[:, :, 1:] = op[:, :, :-1]
    columns = (order, floor, needed, before, np.broadcast_to(device, floor.shape))
    ops, *rest = (column.ravel() for column in columns)
    in_order = zip(ops.tolist(), *(column[ops].tolist() for column in rest), strict=True)
    widths = (1, width)
    end = [0] * (n + 1)
    for i, soonest, need, earlier, d in in_order:
        backward = int(i >= half)
        start = lines[d].place(backward, max(soonest, end[need], end[earlier]))
        end[i] = start + widths[backward]
    slot: Ints = np.array(end[:n]).reshape(floor.shape) - np.array(widths)[:, None, None]
    return slot


def _schedule(name: str, backward: Kind, slot: Ints, device: Ints, lines: Sequence[Line]) -> Schedule:
    """The ops of every device in the order of their slots, W's included."""
    kind, stage, microbatch = np.indices(slot.shape)
    columns = np.stack(np.broadcast_arrays(device, slot, kind * backward, stage, microbatch)).reshape(5, -1)
    columns = columns[:, np.lexsort((columns[1], columns[0]))]
    if backward == Kind.I:
        weights = columns[:, columns[2] == Kind.I]  # every device pays its W's in the order of its I's
        weights[1] = np.concatenate([line.weights() for line in lines])
        weights[2] = Kind.W
        columns = np.append(columns, weights, axis=1)
        columns = columns[:, np.lexsort((columns[1], columns[0]))]
    return Schedule.from_columns(
        name,
        kind=columns[2],
        stage=columns[3],
        microbatch=columns[4],
        slot=np.arange(columns.shape[1]),
        first=np.searchsorted(columns[0], np.arange(len(lines) + 1)),
        where=v_shape(len(lines)),
    )
