"""What devices do besides computing: send, receive, gather and reduce; torch's compute-and-communicate list.

A :class:`~pipesched.schedule.Schedule` is the compute alone. :class:`Actions` are the whole lists, as
columns beside it: every slot of the schedule is one action, the others stand between.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.schedule import Schedule
from pipesched.words import count

Ints = npt.NDArray[np.int64]


class Act(IntEnum):
    """What an action does; the names but the first and the last are torch's."""

    COMPUTE = 0
    SEND_F = 1
    RECV_F = 2
    SEND_B = 3
    RECV_B = 4
    UNSHARD = 5
    RESHARD = 6
    REDUCE_GRAD = 7
    OPAQUE = 8  # a type that is not known: kept word for word, does nothing


SENDS = (Act.SEND_F, Act.SEND_B)
RECEIVES = (Act.RECV_F, Act.RECV_B)


class Extra(NamedTuple):
    """Actions to stand between the slots of a schedule, in order: one entry each.

    ``before`` is the number of slots, over all devices, that stand before it. ``texts`` has what is
    kept word for word, by entry.
    """

    code: npt.ArrayLike
    stage: npt.ArrayLike
    microbatch: npt.ArrayLike
    device: npt.ArrayLike
    before: npt.ArrayLike
    texts: Mapping[int, str] = {}

    def joined(self, other: "Extra") -> "Extra":
        """Both in one order; of two at one place, this one's first."""
        pairs = zip(self[:-1], other[:-1], strict=True)
        columns = [np.concatenate(pair).astype(np.int64) for pair in pairs]
        code, stage, microbatch, device, before = columns
        order = np.lexsort((before, device))
        size = len(np.asarray(self.code))
        kept = {**self.texts, **{size + entry: text for entry, text in other.texts.items()}}
        code, stage, microbatch, device, before = (column[order] for column in columns)
        return Extra(code, stage, microbatch, device, before, moved(kept, order))


def moved(texts: Mapping[int, str], order: npt.NDArray[np.int64]) -> dict[int, str]:
    """Texts by place in ``order``, given by what stands there."""
    if not texts:
        return {}
    return {new: texts[old] for new, old in enumerate(order.tolist()) if old in texts}


@dataclass(frozen=True, eq=False)
class Actions:
    """Every device's whole list, device after device.

    Columns of the A actions: ``code`` int8[A], see :class:`Act`; ``stage`` and ``microbatch`` int32[A],
    -1 where there is none; ``slot`` int32[A], the schedule's slot of a COMPUTE, else -1. ``first``
    int64[P+1]: device d's are ``first[d]:first[d+1]``. ``texts`` has the words of each OPAQUE.
    ``cells`` int32[A], where they came from a file, is the 0-based cell in its row.
    """

    schedule: Schedule
    code: npt.NDArray[np.int8]
    stage: npt.NDArray[np.int32]
    microbatch: npt.NDArray[np.int32]
    slot: npt.NDArray[np.int32]
    first: Ints
    texts: Mapping[int, str] = field(default_factory=dict)
    cells: npt.NDArray[np.int32] | None = None

    @classmethod
    def of(cls, schedule: Schedule, extra: Extra | None = None) -> "Actions":
        """The schedule's compute, with ``extra`` between."""
        before = np.asarray([] if extra is None else extra.before, dtype=np.int64)
        slots = np.arange(schedule.n_slots, dtype=np.int64)
        compute = slots + np.searchsorted(before, slots, side="right")
        others = np.arange(len(before)) + before
        size = len(slots) + len(others)
        code, slot = np.zeros(size, dtype=np.int8), np.full(size, -1, dtype=np.int32)
        stage, microbatch = np.full(size, -1, dtype=np.int32), np.full(size, -1, dtype=np.int32)
        slot[compute] = slots
        first, texts = schedule.first_slot, {}
        if extra is not None:
            code[others], stage[others], microbatch[others] = extra.code, extra.stage, extra.microbatch
            count = np.bincount(np.asarray(extra.device, dtype=np.int64), minlength=schedule.devices)
            first = first + np.concatenate(([0], np.cumsum(count)))
            texts = {int(others[entry]): text for entry, text in extra.texts.items()}
        return cls(schedule, code, stage, microbatch, slot, first, texts)

    @property
    def extra(self) -> Extra:
        """Everything but the compute."""
        others = np.flatnonzero(self.slot < 0)
        before = np.searchsorted(self.compute, others)
        code, stage, microbatch = self.code[others], self.stage[others], self.microbatch[others]
        return Extra(code, stage, microbatch, self.device[others], before, moved(self.texts, others))

    def placed(self, schedule: Schedule) -> "Actions":
        """The same beside an equal schedule with another name or placement."""
        return replace(self, schedule=schedule)

    def __eq__(self, other: object) -> bool:
        """Same actions in the same order, whatever the name and the empty cells."""
        if not isinstance(other, Actions):
            return NotImplemented
        columns = ("code", "stage", "microbatch", "slot", "first")
        same = all(np.array_equal(getattr(self, key), getattr(other, key)) for key in columns)
        return same and self.texts == other.texts and self.schedule == other.schedule

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        ops = count(self.schedule.n_ops, "op")
        others = count(self.n_actions - self.schedule.n_slots, "other action")
        return f"<Actions {self.name!r}: {self.schedule.describe()}, {ops} and {others}>"

    @property
    def name(self) -> str:
        """The schedule's."""
        return self.schedule.name

    @property
    def called(self) -> str:
        """What messages call it: the schedule's file or name."""
        return self.schedule.called

    @property
    def n_actions(self) -> int:
        """Number of actions, A."""
        return len(self.code)

    @property
    def only_compute(self) -> bool:
        """Whether there is nothing but the schedule."""
        return self.n_actions == self.schedule.n_slots

    @cached_property
    def has_transfers(self) -> bool:
        """Whether any device sends or receives."""
        return bool(np.isin(self.code, (*SENDS, *RECEIVES)).any())

    @cached_property
    def device(self) -> npt.NDArray[np.int32]:
        """Device of each action, int32[A]."""
        return np.repeat(np.arange(self.schedule.devices, dtype=np.int32), np.diff(self.first))

    @cached_property
    def compute(self) -> Ints:
        """Action of each slot, int64[slots]."""
        return np.flatnonzero(self.slot >= 0)

    def find(self, *codes: Act) -> Ints:
        """Indices of all actions of these kinds, ascending."""
        return np.flatnonzero(np.isin(self.code, codes))

    def text(self, action: int) -> str:
        """``3F7``, ``1SEND_F0``, ``0UNSHARD``."""
        code = int(self.code[action])
        if code == Act.COMPUTE:
            return self.schedule.slot_text(int(self.slot[action]))
        if code == Act.OPAQUE:
            return self.texts[action]
        microbatch = int(self.microbatch[action])
        return f"{self.stage[action]}{Act(code).name}{'' if microbatch < 0 else microbatch}"

    def position(self, action: int) -> int:
        """0-based place of an action in its device's list (in its row of the file it came from)."""
        if self.cells is not None:
            return int(self.cells[action])
        return action - int(self.first[self.device[action]])

    def rows(self) -> Iterator[list[str]]:
        """Each device's actions as text, one device at a time (never all in memory)."""
        for d, computed in enumerate(self.schedule.rows()):
            start, stop = self.first[d : d + 2].tolist()
            if stop - start == len(computed):
                yield computed
                continue
            turn = iter(computed)
            codes = self.code[start:stop].tolist()
            yield [self.text(start + at) if code else next(turn) for at, code in enumerate(codes)]
