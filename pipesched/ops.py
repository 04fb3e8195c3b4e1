"""Operations and their text form, in the letters of torch and DualPipe.

``3F7`` is stage 3, forward, micro-batch 7. A pair that runs as one is ``(0F7;7B3)OVERLAP_F_B``.
"""

import re
from enum import IntEnum
from numbers import Integral
from typing import Any, NamedTuple

from pipesched.words import shortened


class Kind(IntEnum):
    """What an op computes. ``B`` is the whole backward: ``I`` and ``W`` in one."""

    F = 0
    B = 1
    I = 2  # noqa: E741  the published letter
    W = 3


#: Names in words, by kind.
KIND_NAMES = ("forward", "backward", "backward for the input", "backward for the weights")

#: torch's name of an overlapped pair.
OVERLAP = "OVERLAP_F_B"

#: Largest stage or micro-batch id: the columns are int32.
MAX_ID = 2**31 - 2


class Op(NamedTuple):
    """One operation. It carries no device: it stands in one's list."""

    kind: Kind
    stage: int
    microbatch: int

    def __str__(self) -> str:
        return f"{self.stage}{self.kind.name}{self.microbatch}"


#: What a device does at one turn: one op, or a forward and a backward that run together.
Slot = tuple[Op] | tuple[Op, Op]

_OP = re.compile(r"([0-9]{1,10})([FBIW])([0-9]{1,10})", re.ASCII)
_PAIR = re.compile(r"\(([^;()]*);([^;()]*)\)" + OVERLAP)


def parse_op(text: str) -> Op | None:
    """The op that ``text`` spells in full, or None. Ids above ``MAX_ID`` are no op."""
    match = _OP.fullmatch(text)
    if match is None:
        return None
    stage, kind, microbatch = int(match[1]), Kind[match[2]], int(match[3])
    return Op(kind, stage, microbatch) if max(stage, microbatch) <= MAX_ID else None


def parse_slot(text: str) -> Slot | None:
    """The op or overlapped pair that ``text`` spells in full, or None.

    A pair is a forward and a whole backward, in this order.
    """
    if not text.startswith("("):
        op = parse_op(text)
        return None if op is None else (op,)
    match = _PAIR.fullmatch(text)
    if match is None:
        return None
    forward, backward = parse_op(match[1].strip()), parse_op(match[2].strip())
    if forward is None or backward is None or (forward.kind, backward.kind) != (Kind.F, Kind.B):
        return None
    return forward, backward


def slot_text(ops: Slot) -> str:
    """Inverse of :func:`parse_slot`."""
    return str(ops[0]) if len(ops) == 1 else f"({ops[0]};{ops[1]}){OVERLAP}"


def wrong_slot(turn: Any) -> str:
    """Why a tuple is not one op, nor a forward and a whole backward; nothing if it is."""
    if turn.__class__ is tuple and len(turn) == 1 and _plain(turn[0]):
        return ""
    if not isinstance(turn, tuple | list) or not all(isinstance(op, Op) and op.kind in _KINDS for op in turn):
        return f"{shortened(repr(turn))} is neither an Op nor a pair of them"
    if len(turn) != 1 and [op.kind for op in turn] != [Kind.F, Kind.B]:
        return f"{shortened(repr(turn))} is not a forward and a whole backward, which make a pair"
    for op in turn:
        for number in op[1:]:
            if not isinstance(number, Integral) or not 0 <= int(number) <= MAX_ID:
                return f"{shortened(repr(op))} has an id outside 0..{MAX_ID}"
    return ""


_KINDS = frozenset(Kind)


def _plain(op: Any) -> bool:
    """The usual case, fast: an Op of plain numbers in their range."""
    if op.__class__ is not Op:
        return False
    kind, stage, microbatch = op
    usual = kind.__class__ is Kind and stage.__class__ is microbatch.__class__ is int
    return usual and 0 <= stage <= MAX_ID and 0 <= microbatch <= MAX_ID
