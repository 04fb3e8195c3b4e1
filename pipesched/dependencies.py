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


class _Locator:
    """Finds ops by kind, stage and micro-batch; of two equal ones, the first."""

    def __init__(self, kind: npt.NDArray[np.int8], stage: Ints, microbatch: Ints) -> None:
        self._kind, self._stage = kind, stage
        self._width = int(microbatch.max(initial=0)) + 1
        self._height = int(stage.max(initial=0)) + 1
        self._key = stage * self._width + microbatch
        self._tables: dict[tuple[Kind, ...], Ints] = {}

    def apply(self, rule: dict[Kind, Need]) -> Ints:
        """For every op, the index of the op that the rule makes it wait for, ``NONE`` or ``MISSING``."""
        found = np.full(len(self._kind), NONE, dtype=np.int64)
        for consumer, need in rule.items():
            wanted = self._kind == consumer
            if need.step < 0:
                wanted &= self._stage >= -need.step
            elif need.step > 0:
                wanted &= self._stage < self._height - need.step
            ops = np.flatnonzero(wanted)
            if len(ops):
                found[ops] = self._find(need.kinds, self._key[ops] + need.step * self._width)
        return found

    def _find(self, kinds: tuple[Kind, ...], keys: Ints) -> Ints:
        """Index of the first op of one of ``kinds`` with each key, or ``MISSING``."""
        size = self._height * self._width
        if size <= 8 * len(self._kind) + 64:
            if kinds not in self._tables:
                among = self._among(kinds)[::-1]  # backwards, so that the first of two equal ones stays
                self._tables[kinds] = np.full(size, MISSING, dtype=np.int64)
                self._tables[kinds][self._key[among]] = among
            return self._tables[kinds][keys]
        among = self._among(kinds)
        if not len(among):  # a sparse file: ids far above the number of ops
            return np.full(len(keys), MISSING, dtype=np.int64)
        known, first = np.unique(self._key[among], return_index=True)
        at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[at] == keys, among[first[at]], MISSING)

    def _among(self, kinds: tuple[Kind, ...]) -> Ints:
        return np.flatnonzero(np.isin(self._kind, kinds))


def needs(
    kind: npt.NDArray[np.int8], stage: npt.NDArray[np.int32], microbatch: npt.NDArray[np.int32]
) -> Needs:
    """Apply the rule to columns of N ops; O(N)."""
    locator = _Locator(kind, stage.astype(np.int64), microbatch.astype(np.int64))
    return Needs(locator.apply(OWN), locator.apply(NEIGHBOUR))
