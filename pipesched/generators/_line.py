"""One device's line of slots, filled op by op."""

from pipesched.ops import Kind

_FREE, _F, _I, _B, _B_END = range(5)  # what a slot is taken by; a W takes a free one
_TURNS = {Kind.F: bytes([_F]), Kind.I: bytes([_I]), Kind.B: bytes([_B, _B_END])}
_OWES = (0, 0, 1, 0, 0)  # what each adds to the W's owed after it
_KEEPS = (0, 1, 0, 0, -1)  # and to the activations kept


class Line:
    """F and I take one slot, B two; each owed W takes the first slot that is left free, in order.

    No forward starts while ``cap`` activations are held. A W frees one at its end, as a B does.
    """

    def __init__(self, backward: Kind, cap: int) -> None:
        self._shapes = (_TURNS[Kind.F], _TURNS[backward])
        self._cap = cap
        self._turns = bytearray()
        # At the start of each slot, and one beyond the last: W's owed, activations kept.
        self._owed, self._kept = [0], [0]

    def place(self, backward: int, soonest: int) -> int:
        """Put a forward (0) or backward (1) into the earliest slot from ``soonest`` on; return it."""
        shape = self._shapes[backward]
        slot = self._hole(backward, len(shape), soonest)
        if slot is not None:
            self._turns[slot : slot + len(shape)] = shape
            self._recount(slot)
            return slot
        while len(self._turns) < soonest or (not backward and self._full()):
            self._append(_FREE)
        slot = len(self._turns)
        for turn in shape:
            self._append(turn)
        return slot

    def weights(self) -> list[int]:
        """The slots in which W's run."""
        inside = [slot for slot, turn in enumerate(self._turns) if turn == _FREE and self._owed[slot]]
        end = len(self._turns)
        return [*inside, *range(end, end + self._owed[-1])]

    def _full(self) -> bool:
        """Whether a forward at the end has to wait for a W."""
        return self._kept[-1] >= self._cap and self._owed[-1] > 0

    def _append(self, turn: int) -> None:
        self._turns.append(turn)
        self._owed.append(0)
        self._kept.append(0)
        self._recount(len(self._turns) - 1)

    def _recount(self, slot: int) -> None:
        """Count what is owed and kept again, from a slot to the end."""
        owed, kept = self._owed[slot], self._kept[slot]
        for at in range(slot, len(self._turns)):
            turn = self._turns[at]
            paid = turn == _FREE and owed > 0
            owed += _OWES[turn] - paid
            kept += _KEEPS[turn] - paid
            self._owed[at + 1], self._kept[at + 1] = owed, kept

    def _hole(self, backward: int, width: int, soonest: int) -> int | None:
        """The earliest free slot before the end that keeps the cap, walking back from the end.

        A forward holds one activation more from its slot on. Where the slot was a W's, that W and all
        behind it give way, up to the next idle slot or beyond the end: one more is held until there.
        """
        turns, owed, kept = self._turns, self._owed, self._kept
        more = 1 - backward
        best, until_idle = None, kept[-1]
        if until_idle + more > self._cap:
            return None
        for slot in range(len(turns) - 1, soonest - 1, -1):
            held = kept[slot] + (turns[slot] == _F)
            if held + more > self._cap:
                break
            if not any(turns[slot : slot + width]) and (not owed[slot] or until_idle + more < self._cap):
                best = slot
            idle = turns[slot] == _FREE and not owed[slot]
            until_idle = held if idle else max(until_idle, held)
        return best
