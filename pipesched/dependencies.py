"""Who waits for whom: the only place that knows.

A dependency needs no device: (kind, stage, micro-batch) names an op uniquely, so a model that stands
twice (DualPipe) is no special case.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import Kind

Ints = npt.NDArray[np.int64]

#: No such dependency: the op starts the chain, or the pipeline ends here.
NONE = -1
#: The dependency exists by the rule, but the schedule lacks the op.
MISSING = -2


class Need(NamedTuple):
    """An op of one of ``kinds``, ``step`` stages further on, with the same micro-batch."""

    kinds: tuple[Kind, ...]
    step: int


#: The rule. ``own`` is on the op's own stage (so on its own device), ``neighbour`` on the next or the last.
OWN: dict[Kind, Need] = {
    Kind.B: Need((Kind.F,), 0),
    Kind.I: Need((Kind.F,), 0),
    Kind.W: Need((Kind.I,), 0),
}
NEIGHBOUR: dict[Kind, Need] = {
    Kind.F: Need((Kind.F,), -1),
    Kind.B: Need((Kind.B, Kind.I), +1),
    Kind.I: Need((Kind.B, Kind.I), +1),
}


class Needs(NamedTuple):
    """The rule applied to a schedule: op indices, int64[N], or ``NONE``, or ``MISSING``."""

    own: Ints
    neighbour: Ints


class Places(NamedTuple):
    """Where each op stands, for lists whose ids are not far above their number of ops.

    ``op`` int32[kinds, S, M] is the index of the op of every kind, stage and micro-batch, of equal ones the
    first; ``MISSING`` where there is none. ``key`` int64[N] is each op's own place in it, flat.
    """

    op: npt.NDArray[np.int32]
    key: Ints

    @property
    def has(self) -> npt.NDArray[np.bool_]:
        """Which ops there are, bool[kinds, S, M]."""
        return self.op >= 0

    def wanted(self, rule: dict[Kind, Need]) -> Ints:
        """For every op, the index of the op that the rule makes it wait for, ``NONE`` or ``MISSING``."""
        table = np.empty_like(self.op)  # of kinds that do not occur, nothing is ever read
        for kind in Kind:
            need = rule.get(kind)
            if need is None or need.step:
                table[kind] = NONE
            if need is None or not (self.op[kind] >= 0).any():
                continue
            found, step = self._first(need.kinds), need.step
            if step < 0:
                table[kind, -step:] = found[:step]
            else:
                table[kind, : len(found) - step] = found[step:]
        return table.ravel()[self.key].astype(np.int64)

    def _first(self, kinds: tuple[Kind, ...]) -> npt.NDArray[np.int32]:
        """Index of the first op of one of ``kinds``, int32[S, M]: unsigned, MISSING is the largest number."""
        first: npt.NDArray[np.uint32] = self.op[kinds[0]].view(np.uint32)
        for kind in kinds[1:]:
            first = np.minimum(first, self.op[kind].view(np.uint32))
        return first.view(np.int32)


def places(
    kind: npt.NDArray[np.int8], stage: npt.NDArray[np.int32], microbatch: npt.NDArray[np.int32]
) -> Places | None:
    """Of columns of N ops, O(N); None where ids are so high that the table would be mostly empty."""
    height, width = int(stage.max(initial=0)) + 1, int(microbatch.max(initial=0)) + 1
    if height * width > 2 * len(kind) + 64:
        return None
    key = kind.astype(np.int64)
    for column, size in ((stage, height), (microbatch, width)):
        key *= size
        key += column
    op = np.full(len(Kind) * height * width, MISSING, dtype=np.int32)
    op[key] = np.arange(len(key), dtype=np.int32)
    if np.count_nonzero(op >= 0) < len(key):  # backwards, so that the first of two equal ones stays
        op[key[::-1]] = np.arange(len(key), dtype=np.int32)[::-1]
    return Places(op.reshape(len(Kind), height, width), key)


class _Sparse:
    """The same for ids far above the number of ops, as a file may have them: by sorting."""

    def __init__(self, kind: npt.NDArray[np.int8], stage: Ints, microbatch: Ints) -> None:
        self._kind, self._stage = kind, stage
        self._width = int(microbatch.max(initial=0)) + 1
        self._height = int(stage.max(initial=0)) + 1
        self._key = stage * self._width + microbatch

    def wanted(self, rule: dict[Kind, Need]) -> Ints:
        """As :meth:`Places.wanted`."""
        found = np.full(len(self._kind), NONE, dtype=np.int64)
        for consumer, need in rule.items():
            there = (self._stage >= -need.step) & (self._stage < self._height - need.step)
            ops = np.flatnonzero((self._kind == consumer) & there)
            found[ops] = self._find(need.kinds, self._key[ops] + need.step * self._width)
        return found

    def _find(self, kinds: tuple[Kind, ...], keys: Ints) -> Ints:
        """Index of the first op of one of ``kinds`` with each key, or ``MISSING``."""
        among = np.flatnonzero(np.isin(self._kind, kinds))
        if not len(among):
            return np.full(len(keys), MISSING, dtype=np.int64)
        known, first = np.unique(self._key[among], return_index=True)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[at] == keys, among[first[at]], MISSING)


def needs(
    kind: npt.NDArray[np.int8],
    stage: npt.NDArray[np.int32],
    microbatch: npt.NDArray[np.int32],
    known: Places | None,
) -> Needs:
    """Apply the rule to columns of N ops; ``known`` is their :func:`places`. O(N), or N log N without."""
    table = known or _Sparse(kind, stage.astype(np.int64), microbatch.astype(np.int64))
    return Needs(table.wanted(OWN), table.wanted(NEIGHBOUR))
