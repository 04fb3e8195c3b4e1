"""The cells of torch's CSV: what each spells.

Anchored, unlike torch's own pattern, which reads ``1BW3`` as 1B and ``0F-1`` as 0F in silence.
"""

import re

from pipesched.actions import Act
from pipesched.ops import MAX_ID, Kind, parse_slot

#: The usual cell, ``0F1``: nine digits are below ``MAX_ID`` without looking.
PLAIN = re.compile(r"([0-9]{1,9})([FBIW])([0-9]{1,9})")
#: BW stands for the whole backward in older files, where B is the backward for the input.
BW = len(Kind)
LETTERS = {**{kind.name: int(kind) for kind in Kind}, "BW": BW}

_OLDER = re.compile(r"(?P<stage>[0-9]{1,10})BW(?P<mb>[0-9]{1,10})")
_TORCH_2_4 = re.compile(r"(?P<kind>[FBIW]|BW)(?P<mb>[0-9]{1,10})_s(?P<stage>[0-9]{1,10})")
_OTHER = re.compile(r"([0-9]{1,10})([A-Z][A-Z_]+[A-Z])([0-9]{1,10})?")
#: Known types that name no micro-batch; the other known ones must.
_WHOLE_STAGE = tuple(map(int, (Act.UNSHARD, Act.RESHARD, Act.REDUCE_GRAD)))
_OPAQUE = int(Act.OPAQUE)  # plain numbers: a file has millions of them
_KNOWN = {act.name: int(act) for act in Act if act not in (Act.COMPUTE, Act.OPAQUE)}


def parse_compute(text: str, *, older: bool) -> list[tuple[int, int, int]]:
    """(letter, stage, micro-batch) of the op or the two ops; empty for anything else.

    ``older``: also ``1BW3``, and torch 2.4's ``F0_s1``.
    """
    slot = parse_slot(text)
    if slot:
        return [(int(op.kind), op.stage, op.microbatch) for op in slot]
    match = (_OLDER.fullmatch(text) or _TORCH_2_4.fullmatch(text)) if older else None
    if not match:
        return []
    stage, microbatch = int(match["stage"]), int(match["mb"])
    kind = match.groupdict().get("kind", "BW")
    return [(LETTERS[kind], stage, microbatch)] if max(stage, microbatch) <= MAX_ID else []


def parse_other(text: str) -> tuple[int, int, int] | None:
    """(action, stage, micro-batch or -1) of a transfer, or of a type that is not known; else None.

    A type that is not known has three letters or more: ``1X1`` and ``1FF1`` are slips of the pen.
    """
    match = _OTHER.fullmatch(text)
    if not match:
        return None
    stage, microbatch = int(match[1]), -1 if match[3] is None else int(match[3])
    act = _KNOWN.get(match[2], _OPAQUE)
    well_formed = (microbatch < 0) == (act in _WHOLE_STAGE) if act != _OPAQUE else len(match[2]) > 2
    return (act, stage, microbatch) if well_formed and stage <= MAX_ID and microbatch <= MAX_ID else None
