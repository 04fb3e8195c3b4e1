"""A schedule: for each device, the order of its ops. No times.

Columns are the truth (fast, one entry per op); ops and rows are views for people.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pipesched import dependencies, placement
from pipesched.errors import FormatError
from pipesched.ops import OVERLAP, Kind, Op, Slot, wrong_slot
from pipesched.placement import Placement
from pipesched.words import count, printable

_LETTERS = tuple(kind.name for kind in Kind)


@dataclass(frozen=True, eq=False)
class Schedule:
    """Every device's list, device after device.

    Columns of the N ops: ``kind`` int8[N], ``stage``, ``microbatch`` and ``slot`` int32[N].
    ``slot`` numbers the turns from 0 over all devices; the two ops of an overlapped pair, forward
    first, share one. ``first`` int64[P+1]: device d's ops are ``first[d]:first[d+1]``.
    ``cells`` int32[slots], where the schedule came from a file with empty cells, is each turn's
    0-based cell in its row; ``file`` is what that file is called.

    Names may come from anywhere (a file, a user's function): they are made printable here, so that whoever
    draws or writes them need not look.
    """

    name: str
    kind: npt.NDArray[np.int8]
    stage: npt.NDArray[np.int32]
    microbatch: npt.NDArray[np.int32]
    slot: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]
    placement: Placement
    cells: npt.NDArray[np.int32] | None = None
    file: str = ""

    def __post_init__(self) -> None:
        for key in ("name", "file"):
            object.__setattr__(self, key, printable(getattr(self, key)))

    def __repr__(self) -> str:
        return f"<Schedule {self.name!r}: {self.describe()}, {count(self.n_ops, 'op')}>"

    @classmethod
    def from_rows(
        cls, name: str, rows: Sequence[Sequence[Op | Slot]], where: Placement | None = None
    ) -> "Schedule":
        """Build from one list of ops, or of pairs (forward, backward), per device.

        ``where`` is inferred from the rows when not given. Raises :class:`FormatError` for what is no op
        and no pair, and for an id outside 0..2^31-2. Nothing else is checked: see
        :func:`pipesched.validate.validate`.
        """
        turns = [[(turn,) if isinstance(turn, Op) else turn for turn in row] for row in rows]
        for number, row in enumerate(turns, 1):
            for at, turn in enumerate(row, 1):
                if wrong := wrong_slot(turn):
                    raise FormatError(f"{name} row {number}, cell {at}: {wrong}")
        ops = [op for row in turns for turn in row for op in turn]
        columns = np.array(ops, dtype=np.int64).reshape(-1, 3)
        widths = [len(turn) for row in turns for turn in row]
        counts = [sum(map(len, row)) for row in turns]
        return cls.from_columns(
            name,
            kind=columns[:, 0],
            stage=columns[:, 1],
            microbatch=columns[:, 2],
            slot=np.repeat(np.arange(len(widths)), widths),
            first=np.concatenate(([0], np.cumsum(counts, dtype=np.int64))),
            where=where,
        )

    @classmethod
    def from_columns(
        cls,
        name: str,
        *,
        kind: npt.ArrayLike,
        stage: npt.ArrayLike,
        microbatch: npt.ArrayLike,
        slot: npt.ArrayLike,
        first: npt.ArrayLike,
        where: Placement | None = None,
        cells: npt.ArrayLike | None = None,
    ) -> "Schedule":
        """Build from columns of any integer type; the placement is inferred when not given."""
        first64 = np.asarray(first, dtype=np.int64)
        stage32, microbatch32 = np.asarray(stage, dtype=np.int32), np.asarray(microbatch, dtype=np.int32)
        if where is None:
            device = np.repeat(np.arange(len(first64) - 1, dtype=np.int32), np.diff(first64))
            where = placement.infer(device, stage32, microbatch32, len(first64) - 1)
        return cls(
            name,
            np.asarray(kind, dtype=np.int8),
            stage32,
            microbatch32,
            np.asarray(slot, dtype=np.int32),
            first64,
            where,
            None if cells is None else np.asarray(cells, dtype=np.int32),
        )

    @property
    def called(self) -> str:
        """What messages call it: its name, or its file, with the name where that is another."""
        return self.name if self.file in ("", self.name) else f"{self.file} ({self.name})"

    def renamed(self, name: str) -> "Schedule":
        """The same schedule under another name."""
        return replace(self, name=name)

    def __eq__(self, other: object) -> bool:
        """Same ops in the same order on the same placement, whatever the name."""
        if not isinstance(other, Schedule):
            return NotImplemented
        mine, theirs = self._columns(), other._columns()
        return self.placement == other.placement and all(map(np.array_equal, mine, theirs))

    __hash__ = None  # type: ignore[assignment]

    def _columns(self) -> tuple[npt.NDArray[np.int64], ...]:
        return tuple(
            np.asarray(column, dtype=np.int64)
            for column in (self.kind, self.stage, self.microbatch, self.slot, self.first)
        )

    @property
    def devices(self) -> int:
        """Number of devices, P."""
        return len(self.first) - 1

    @property
    def stages(self) -> int:
        """Number of stages, S."""
        return self.placement.n_stages

    @cached_property
    def microbatches(self) -> int:
        """Number of different micro-batches."""
        if int(self.microbatch.max(initial=0)) <= self.n_ops:
            return int(np.count_nonzero(np.bincount(self.microbatch)))
        return len(np.unique(self.microbatch))  # a sparse file: ids far above the number of ops

    @property
    def n_ops(self) -> int:
        """Number of ops, N; a pair counts two."""
        return len(self.kind)

    @property
    def n_slots(self) -> int:
        """Number of slots over all devices; a pair counts one."""
        return int(self.slot[-1]) + 1 if len(self.slot) else 0

    @cached_property
    def device(self) -> npt.NDArray[np.int32]:
        """Device of each op, int32[N]."""
        return np.repeat(np.arange(self.devices, dtype=np.int32), np.diff(self.first))

    @cached_property
    def slot_op(self) -> npt.NDArray[np.int64]:
        """First op of each slot, and N at the end: int64[slots+1]."""
        if self.n_slots == self.n_ops:  # no pairs
            return np.arange(self.n_ops + 1)
        starts = np.flatnonzero(np.diff(self.slot, prepend=-1))
        return np.append(starts, self.n_ops).astype(np.int64)

    @cached_property
    def first_slot(self) -> npt.NDArray[np.int64]:
        """Device d's slots are ``first_slot[d]:first_slot[d+1]``; int64[P+1]."""
        return np.searchsorted(self.slot_op, self.first).astype(np.int64)

    @cached_property
    def slot_device(self) -> npt.NDArray[np.int32]:
        """Device of each slot, int32[slots]."""
        return np.repeat(np.arange(self.devices, dtype=np.int32), np.diff(self.first_slot))

    @cached_property
    def paired(self) -> npt.NDArray[np.bool_]:
        """Whether each slot is an overlapped pair, bool[slots]."""
        two: npt.NDArray[np.bool_] = np.diff(self.slot_op) == 2
        return two

    @cached_property
    def places(self) -> dependencies.Places | None:
        """Where each op stands; None where ids are far above the number of ops."""
        return dependencies.places(self.kind, self.stage, self.microbatch)

    @cached_property
    def needs(self) -> dependencies.Needs:
        """What each op waits for; see :class:`pipesched.dependencies.Needs`."""
        return dependencies.needs(self.kind, self.stage, self.microbatch, self.places)

    def elsewhere(self, needed: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Whether the op that each op needs stands on another device, bool[N]; for a negative one, no."""
        other: npt.NDArray[np.bool_] = self.device[np.maximum(needed, 0)] != self.device
        return other & (needed >= 0)

    @cached_property
    def awaited(self) -> npt.NDArray[np.int64]:
        """The slots on other devices whose results each slot awaits: int64[2, slots].

        Row 0 for its first op, row 1 for the second of a pair; ``slots`` itself where there is none.
        What stands on the same device is awaited by the order of the list.
        """
        awaited = np.full((2, self.n_slots), self.n_slots, dtype=np.int64)
        needed = self.needs.neighbour
        elsewhere = self.elsewhere(needed)
        if self.n_slots == self.n_ops:  # no pairs: slots are ops
            np.copyto(awaited[0], needed, where=elsewhere)
            return awaited
        source = np.where(elsewhere, self.slot[np.maximum(needed, 0)], self.n_slots)
        lead = self.slot_op[:-1]
        awaited[0] = source[lead]
        awaited[1, self.paired] = source[lead[self.paired] + 1]
        return awaited

    @cached_property
    def chunk(self) -> npt.NDArray[np.int32]:
        """Which of its device's stages each op works on, int32[N]; -1 where the placement lacks it."""
        width = max(self.stages, int(self.stage.max(initial=0)) + 1)
        wanted = self.device.astype(np.int64) * width + self.stage
        if self.devices * width > 8 * self.n_ops + 64:  # ids far above the number of ops
            return self._sparse_chunk(width, wanted)
        chunk_of = np.full(self.devices * width, -1, dtype=np.int32)
        for d, held in enumerate(self.placement.stages):
            chunk_of[d * width + np.asarray(held, dtype=np.int64)] = np.arange(len(held))
        chunk: npt.NDArray[np.int32] = chunk_of[wanted]
        return chunk

    def _sparse_chunk(self, width: int, wanted: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        held = [(d * width + s, c) for d, row in enumerate(self.placement.stages) for c, s in enumerate(row)]
        keys, chunks = np.array(held, dtype=np.int64).reshape(-1, 2).T
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return np.where(keys[at] == wanted, chunks[at], -1).astype(np.int32)

    def describe(self) -> str:
        """``8 devices, 8 stages, 20 micro-batches``."""
        return describe(self.devices, self.stages, self.microbatches)

    def op(self, index: int) -> Op:
        """One op as an object."""
        return Op(Kind(int(self.kind[index])), int(self.stage[index]), int(self.microbatch[index]))

    def slot_text(self, slot: int) -> str:
        """``3F7``, or ``(0F7;7B3)OVERLAP_F_B``."""
        ops = ";".join(str(self.op(i)) for i in range(int(self.slot_op[slot]), int(self.slot_op[slot + 1])))
        return f"({ops}){OVERLAP}" if self.paired[slot] else ops

    def op_texts(self, ops: npt.NDArray[np.int64]) -> list[str]:
        """``3F7`` for every one of many ops."""
        columns = (column[ops].tolist() for column in (self.stage, self.kind, self.microbatch))
        return [f"{s}{_LETTERS[k]}{m}" for s, k, m in zip(*columns, strict=True)]

    def slot_texts(self, slots: npt.NDArray[np.int64]) -> list[str]:
        """:meth:`slot_text` of every one of many slots."""
        lead = self.slot_op[slots]
        texts, two = self.op_texts(lead), np.flatnonzero(self.paired[slots])
        for at, second in zip(two.tolist(), self.op_texts(lead[two] + 1), strict=True):
            texts[at] = f"({texts[at]};{second}){OVERLAP}"
        return texts

    def position(self, slot: int) -> int:
        """0-based place of a slot in its device's list (in its row of the file it came from)."""
        if self.cells is not None:
            return int(self.cells[slot])
        return slot - int(self.first_slot[self.slot_device[slot]])

    def rows(self) -> Iterator[list[str]]:
        """Each device's slots as text, one device at a time (never all in memory)."""
        for d in range(self.devices):
            row = self.op_texts(np.arange(self.first[d], self.first[d + 1]))
            slots = self.paired[self.first_slot[d] : self.first_slot[d + 1]]
            if slots.any():
                ops = iter(row)
                row = [f"({next(ops)};{next(ops)}){OVERLAP}" if two else next(ops) for two in slots.tolist()]
            yield row


def describe(devices: int, stages: int, microbatches: int) -> str:
    """A size in words: ``8 devices, 8 stages, 1,000 micro-batches``."""
    sizes = ((devices, "device"), (stages, "stage"), (microbatches, "micro-batch"))
    return ", ".join(count(number, one) for number, one in sizes)
