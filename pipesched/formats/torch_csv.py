"""torch.distributed.pipelining's CSV: one row per device, cells in running order, no header.

Reads what torch writes and what people do to it (spaces, CRLF, a BOM, blank last lines, empty cells,
quotes); writes what torch's own writer does, with LF line ends.
"""

import re
import warnings
from collections.abc import Iterator

from pipesched.errors import FormatError, PipeschedWarning
from pipesched.ops import Kind, parse_slot
from pipesched.schedule import Schedule

#: Actions that move data instead of computing. They are read over: a schedule is its compute.
_TRANSFER = re.compile(r"[0-9]+(?:UNSHARD|RESHARD|REDUCE_GRAD|(?:SEND|RECV)_[FB][0-9]+)")
_PLAIN = re.compile(r"([0-9]{1,9})([FBIW])([0-9]{1,9})")
_KINDS = {kind.name: int(kind) for kind in Kind}
#: So many wrong cells are told in full.
_TOLD = 20


def read(text: str, name: str) -> Schedule:
    """The schedule that the text spells; FormatError points at every wrong row and cell, counted from 1."""
    return _Reader(name).read(text)


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[tuple[int, int, str]] = []
        self.skipped = 0
        self.columns: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        self.cells: list[int] = []  # each slot's cell

    def read(self, text: str) -> Schedule:
        rows = text.removeprefix("\ufeff").splitlines()
        while rows and not rows[-1].strip(" \t,"):
            rows.pop()
        if not rows:
            raise FormatError(f"{self.name}: no rows; a schedule has one row per device")
        first = [0]
        for number, row in enumerate(rows, start=1):
            self._read_row(number, row)
            first.append(len(self.columns[0]))
        self._raise_problems()
        if self.skipped:
            message = f"{self.name}: {self.skipped} transfer cells (SEND, RECV, UNSHARD, ...) are left out"
            warnings.warn(f"{message}: only compute is read", PipeschedWarning, stacklevel=2)
        kind, stage, microbatch, slot = self.columns
        return Schedule.from_columns(
            self.name,
            kind=kind,
            stage=stage,
            microbatch=microbatch,
            slot=slot,
            first=first,
            cells=self.cells,
        )

    def _read_row(self, number: int, row: str) -> None:
        kinds, stages, microbatches, slots = self.columns
        for at, cell in enumerate(row.split(",")):
            action = cell.strip().strip('"').strip()
            plain = _PLAIN.fullmatch(action)
            if plain:
                stages.append(int(plain[1]))
                kinds.append(_KINDS[plain[2]])
                microbatches.append(int(plain[3]))
                slots.append(len(self.cells))
                self.cells.append(at)
            elif action:
                self._read_other(number, at, action)

    def _read_other(self, number: int, at: int, action: str) -> None:
        """A pair, a transfer, an id of ten digits, or nonsense."""
        if _TRANSFER.fullmatch(action):
            self.skipped += 1
            return
        slot = parse_slot(action)
        if slot is None:
            self.problems.append((number, at + 1, f"{_shortened(action)!r} is not an action"))
            return
        kinds, stages, microbatches, slots = self.columns
        for op in slot:
            kinds.append(int(op.kind))
            stages.append(op.stage)
            microbatches.append(op.microbatch)
            slots.append(len(self.cells))
        self.cells.append(at)

    def _raise_problems(self) -> None:
        if not self.problems:
            return
        row, cell, sentence = self.problems[0]
        rest = len(self.problems) - 1
        more = f" (and {rest} more wrong cell{'s' if rest > 1 else ''})" if rest else ""
        raise FormatError(
            f"{self.name} row {row}, cell {cell}: {sentence}{more}; "
            "actions read like 0F1, 0B1, 0I1, 0W1 or (0F7;7B3)OVERLAP_F_B",
            tuple(self.problems[:_TOLD]),
        )


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def write(schedule: Schedule) -> Iterator[str]:
    """The file, row by row."""
    for row in schedule.rows():
        yield ",".join(row) + "\n"
