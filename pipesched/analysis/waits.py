"""Idle intervals as a list whose entries are made when looked at: with latency there are millions."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

import numpy as np

from pipesched.analysis.bubble import Cause, Gaps, Ints
from pipesched.schedule import Schedule

_CAUSES = tuple(cause.name.lower() for cause in Cause)


class Gap(NamedTuple):
    """One idle interval; ``waited_for`` and ``on_device`` are null in the drain, ``transfer`` is a part."""

    device: int
    start: float
    end: float
    cause: str
    waited_for: str | None
    on_device: int | None
    transfer: float


class GapList(Sequence[Gap]):
    """Every idle interval, by device and time."""

    def __init__(self, schedule: Schedule, found: Gaps) -> None:
        self._schedule, self._found = schedule, found

    def __len__(self) -> int:
        return len(self._found.device)

    @overload
    def __getitem__(self, at: int) -> Gap: ...
    @overload
    def __getitem__(self, at: slice) -> list[Gap]: ...
    def __getitem__(self, at: int | slice) -> Gap | list[Gap]:
        places = np.arange(len(self))[at]
        gaps = list(self._made(np.atleast_1d(places)))
        return gaps if isinstance(at, slice) else gaps[0]

    def __iter__(self) -> Iterator[Gap]:
        return self._made(np.arange(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def waits(self) -> int:
        """How many of them wait for an op: all but those of the drain."""
        return int(np.count_nonzero(self._found.waited_for >= 0))

    def longest_waits(self, most: int) -> list[Gap]:
        """The longest that wait for an op, at most so many; of equals, in the order of the list."""
        waiting = np.flatnonzero(self._found.waited_for >= 0)
        lengths = (self._found.end - self._found.start)[waiting]
        return list(self._made(waiting[np.argsort(-lengths, kind="stable")[:most]]))

    def _made(self, places: Ints) -> Iterator[Gap]:
        device, start, end, cause, waited_for, transfer = (column[places] for column in self._found)
        op = waited_for.astype(np.int64)
        awaited = op >= 0
        texts, on = np.full((2, len(places)), None, dtype=object)
        texts[awaited] = self._schedule.op_texts(op[awaited])
        on[awaited] = self._schedule.device[op[awaited]].tolist()
        columns = (column.tolist() for column in (device, start, end))
        causes = [_CAUSES[each] for each in cause.tolist()]
        rows = zip(*columns, causes, texts.tolist(), on.tolist(), transfer.tolist(), strict=True)
        return map(Gap._make, rows)
