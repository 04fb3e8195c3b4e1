"""The slots of a device as slices of a Chrome trace, each with the ends of the arrows that it takes part in.

Slots that look alike but for their numbers are made together: one pattern, filled many times.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.formats import trace_events as e
from pipesched.ops import Kind
from pipesched.schedule import Schedule

Ints = npt.NDArray[np.int64]

#: Between two events.
JOIN = ",\n"


class Turns:
    """Start and end of every slot in ns, and the arrows between slots, int64[arrows].

    Arrows are numbered by ``producer``, the slot that they start from; each ends at its ``consumer``.
    """

    def __init__(self, schedule: Schedule, start: Ints, end: Ints, producer: Ints, consumer: Ints) -> None:
        self.schedule, self.start, self.end = schedule, start, end
        self._stages = schedule.stages
        self.producer, self.consumer = producer, consumer
        self._by_consumer = np.argsort(consumer, kind="stable")

    def texts(self, device: int, block: slice) -> list[str]:
        """Those of one device, or a block of them: a text each."""
        slots = np.arange(block.start, block.stop + 1)
        ending = np.searchsorted(self.consumer, slots, sorter=self._by_consumer)
        leaving = np.searchsorted(self.producer, slots)
        texts = [""] * (len(slots) - 1)
        for alike in _groups(self._looks(block) * 9 + np.diff(ending) * 3 + np.diff(leaving)):
            a, b = int(alike[0]), int(alike[0]) + 1
            events, columns = self._slices(device, slots[alike])
            start = columns[0]
            for at in range(ending[b] - ending[a]):
                events.append(e.arrow("f", device, e.COMPUTE))
                columns += [self._by_consumer[ending[alike] + at].tolist(), start]
            for at in range(leaving[b] - leaving[a]):
                events.append(e.arrow("s", device, e.COMPUTE))
                columns += [(leaving[alike] + at).tolist(), self._leaves(slots[alike])]
            for k, text in zip(alike.tolist(), filled(JOIN.join(events), columns), strict=True):
                texts[k] = text
        return texts

    def _looks(self, block: slice) -> Ints:
        """A number for all that is the same in slots that look alike: the kinds and stages of their ops."""
        schedule = self.schedule
        lead = schedule.slot_op[block]
        look = np.zeros(len(lead), dtype=np.int64)
        for op in (lead, lead + schedule.paired[block]):
            look = (look * self._stages + schedule.stage[op]) * len(Kind) + schedule.kind[op]
        return look

    def _slices(self, device: int, slots: Ints) -> tuple[list[str], list[Sequence[Any]]]:
        """The pattern of slots that look alike, and the columns that fill it, the start first."""
        schedule = self.schedule
        lead = schedule.slot_op[slots]
        first, ops = int(lead[0]), range(int(schedule.paired[slots[0]]) + 1)
        kinds, stages = (
            column[first : first + len(ops)].tolist() for column in (schedule.kind, schedule.stage)
        )
        numbers = [schedule.microbatch[lead + at].tolist() for at in ops]
        start, end = self.start[slots], self.end[slots]
        position = (slots - schedule.first_slot[device]).tolist()
        columns = [microseconds(start), microseconds(end - start), *numbers, *numbers, position]
        return [e.slice_(device, e.COMPUTE, e.turn(kinds, stages))], columns

    def _leaves(self, slots: Ints) -> Sequence[int | str]:
        """Where arrows start: within the slice, not on its edge."""
        start, end = self.start[slots], self.end[slots]
        return microseconds(end - np.minimum(1000, (end - start) // 2))


def _groups(keys: Ints) -> Iterator[Ints]:
    """The indices of equal keys, for each key."""
    order = np.argsort(keys, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)


def filled(pattern: str, columns: Iterable[Sequence[Any]]) -> list[str]:
    """The pattern once for each row of the columns."""
    return [pattern % row for row in zip(*columns, strict=True)]


def microseconds(ns: Ints) -> Sequence[int | str]:
    """Nanoseconds as microseconds, exactly."""
    whole, rest = np.divmod(ns, 1000)
    if not rest.any():
        return list(whole.tolist())
    parts = zip(whole.tolist(), rest.tolist(), strict=True)
    return [f"{us}.{part:03d}" if part else us for us, part in parts]
