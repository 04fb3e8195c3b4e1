"""One device's line of slots, filled op by op."""

from itertools import accumulate

from pipesched.ops import Kind

_IDLE, _W, _F, _I, _B, _B_END = range(6)  # what a slot is taken by; up to W it is free for F, I and B
_TURNS = {Kind.F: (_F,), Kind.I: (_I,), Kind.B: (_B, _B_END)}
_KEEPS = (0, -1, 1, 0, 0, -1)  # what each adds to the activations kept after it
#: So many slots are passed over at once where none of them can hold too many activations.
_SPAN = 32


class _Page:
    """``_SPAN`` slots in a row: their turns, and the activations that they add; never more than ``top``."""

    __slots__ = ("adds", "top", "turns")

    def __init__(self) -> None:
        self.turns = bytearray(_SPAN)
        self.adds = self.top = 0


_EMPTY = _Page()


class Line:
    """F and I take one slot, B two; each owed W takes the first slot that is left idle, in order.

    No forward starts while ``cap`` activations are held. A W frees one at its end, as a B does. The slot
    of a W is free for other ops: its W then takes the next idle slot.
    """

    def __init__(self, backward: Kind, cap: int) -> None:
        self._shapes = (_TURNS[Kind.F], _TURNS[backward])
        self._cap = cap
        self._pages: dict[int, _Page] = {}  # those that are not all idle
        self._forwards = 0
        self._end = self._owed = self._kept = 0  # at the end: W's to come, activations kept

    def place(self, backward: int, soonest: int) -> int:
        """Put a forward (0) or backward (1) into the earliest slot from ``soonest`` on; return it."""
        shape, more = self._shapes[backward], 1 - backward
        slot, owes = self._hole(more, len(shape), soonest), int(shape[0] == _I)
        if slot is None:
            slot = self._wait(more, soonest)
            self._owed, owes = self._owed + owes, 0
        elif self._turn(slot) == _W:
            owes += 1
        for at, turn in enumerate(shape, start=slot):
            self._put(at, turn)
        for _ in range(owes):
            self._owe(slot)
        self._forwards += more
        return slot

    def weights(self) -> list[int]:
        """The slots in which W's run."""
        pages = sorted(self._pages.items())
        inside = [n * _SPAN + at for n, page in pages for at, turn in enumerate(page.turns) if turn == _W]
        return [*inside, *range(self._end, self._end + self._owed)]

    def _turn(self, slot: int) -> int:
        return self._pages.get(slot // _SPAN, _EMPTY).turns[slot % _SPAN]

    def _put(self, slot: int, turn: int) -> None:
        number, at = divmod(slot, _SPAN)
        page = self._pages.get(number)
        if page is None:
            page = self._pages[number] = _Page()
        change = _KEEPS[turn] - _KEEPS[page.turns[at]]
        page.turns[at] = turn
        page.adds += change
        self._kept += change
        if slot >= self._end:
            self._end = slot + 1
            page.top = max(page.top, page.adds)
        elif change > 0:
            page.top += change

    def _owe(self, slot: int) -> None:
        """One W more in the next idle slot, or after the end."""
        idle = self._idle(slot)
        if idle < self._end:
            self._put(idle, _W)
        else:
            self._owed += 1

    def _idle(self, slot: int) -> int:
        """The first idle slot from ``slot`` on."""
        number, at = divmod(slot, _SPAN)
        while number in self._pages and (at := self._pages[number].turns.find(_IDLE, at)) < 0:
            number, at = number + 1, 0
        return number * _SPAN + at

    def _wait(self, more: int, soonest: int) -> int:
        """The first slot after the end where there is room for ``more``; W's run meanwhile."""
        while self._owed and (self._end < soonest or (more and self._kept >= self._cap)):
            self._put(self._end, _W)
            self._owed -= 1
        return max(self._end, soonest)

    def _hole(self, more: int, width: int, soonest: int) -> int | None:
        """The earliest free slot before the end after which ``more`` activations never exceed the cap.

        Where the slot was a W's, one more still is kept until the next idle slot or the end.
        """
        if soonest >= self._end or self._kept + more > self._cap:
            return None
        if more:
            soonest = self._last_with(self._cap, soonest, self._end) + 1
        for slot in range(soonest, self._end):
            turn = self._turn(slot)
            free = turn <= _W and (width == 1 or self._turn(slot + 1) <= _W)
            if free and (turn == _IDLE or self._gives_way(slot, more)):
                return slot
        return None

    def _gives_way(self, slot: int, more: int) -> bool:
        """Whether a W can, as far as the cap is concerned."""
        stop = min(self._idle(slot) + 1, self._end)
        return self._last_with(self._cap - more, slot + 1, stop) <= slot

    def _last_with(self, level: int, first: int, stop: int) -> int:
        """The last slot before ``stop`` that holds so many activations or more; ``first - 1`` for none."""
        kept = self._kept
        if self._forwards < level:
            return first - 1
        for number in range((self._end - 1) // _SPAN, first // _SPAN - 1, -1):
            page, start = self._pages.get(number, _EMPTY), number * _SPAN
            kept -= page.adds
            if start < stop and kept + page.top >= level:
                held = _held(page.turns, kept)
                page.top = max(held) - kept
                for slot in range(min(start + _SPAN, stop) - 1, max(start, first) - 1, -1):
                    if held[slot - start] >= level:
                        return slot
        return first - 1


def _held(turns: bytearray, kept: int) -> list[int]:
    """The activations in each slot, where ``kept`` are before the first."""
    after = list(accumulate(map(_KEEPS.__getitem__, turns), initial=kept))
    return list(map(max, after[:-1], after[1:]))
