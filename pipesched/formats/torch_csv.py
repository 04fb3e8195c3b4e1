"""torch.distributed.pipelining's CSV: one row per device, cells in running order, no header.

Reads what torch writes, compute-only and with transfers, its older dialects, and what people do to it
(spaces, CRLF, a BOM, blank last lines, empty cells, quotes); writes what torch's own writer does, with
LF line ends.
"""

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from pipesched.actions import Act, Actions, Extra
from pipesched.errors import FormatError, PipeschedWarning
from pipesched.formats import torch_csv_cells as cells
from pipesched.formats.torch_csv_dialect import AUTO, TORCH, whole_or_input
from pipesched.schedule import Schedule
from pipesched.words import count, shortened

#: So many wrong cells are told in full.
_TOLD = 20
#: What may stand around an action.
_BLANK = " \t"


def read(text: str, name: str, dialect: str = AUTO) -> Actions:
    """The lists that the text spells; FormatError points at every wrong row and cell, counted from 1.

    ``dialect`` is one of :data:`pipesched.formats.torch_csv_dialect.DIALECTS`. Rows end with a line feed, a
    carriage return, or both, and with nothing else that Unicode calls a line break.
    """
    rows = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while rows and not rows[-1].strip(_BLANK + ","):
        rows.pop()
    if not rows:
        raise FormatError(f"{name}: no rows; a schedule has one row per device")
    return read_rows(rows, name, dialect)


def read_rows(rows: Iterable[str], name: str, dialect: str = AUTO) -> Actions:
    """The same from one row of cells per device."""
    return _Reader(name, dialect).read(rows)


class _Reader:
    def __init__(self, name: str, dialect: str) -> None:
        self.name, self.dialect = name, dialect
        self.problems: list[tuple[int, int, str]] = []
        self.columns: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        self.cells: list[int] = []  # each slot's cell
        self.extra: list[tuple[int, ...]] = []  # code, stage, micro-batch, device, slots before, cell
        self.texts: dict[int, str] = {}  # what is kept word for word, by entry of extra

    def read(self, rows: Iterable[str]) -> Actions:
        first = [0]
        for number, row in enumerate(rows, start=1):
            self._read_row(number, row)
            first.append(len(self.columns[0]))
        self._raise_problems()
        letters, stage, microbatch, slot = (np.array(column, dtype=np.int64) for column in self.columns)
        schedule = Schedule.from_columns(
            self.name,
            kind=whole_or_input(letters, stage, microbatch, self.name, self.dialect),
            stage=stage,
            microbatch=microbatch,
            slot=slot,
            first=first,
            cells=self.cells,
        )
        return self._actions(schedule)

    def _actions(self, schedule: Schedule) -> Actions:
        if not self.extra:
            return replace(Actions.of(schedule), cells=schedule.cells)
        code, stage, microbatch, device, before, cell = np.array(self.extra, dtype=np.int64).T
        actions = Actions.of(schedule, Extra(code, stage, microbatch, device, before, self.texts))
        at = np.empty(actions.n_actions, dtype=np.int32)
        at[actions.slot >= 0], at[actions.slot < 0] = self.cells, cell
        self._note_unknown()
        return replace(actions, cells=at)

    def _read_row(self, number: int, row: str) -> None:
        kinds, stages, microbatches, slots = self.columns
        plain, letters = cells.PLAIN.fullmatch, cells.LETTERS
        for at, cell in enumerate(row.split(",")):
            action = cell.strip(_BLANK).strip('"').strip(_BLANK)
            match = plain(action)
            if match:
                stages.append(int(match[1]))
                kinds.append(letters[match[2]])
                microbatches.append(int(match[3]))
                slots.append(len(self.cells))
                self.cells.append(at)
            elif action:
                self._read_other(number, at, action)

    def _read_other(self, number: int, at: int, action: str) -> None:
        """A transfer, an unknown type, a pair, an older spelling, an id of ten digits, or nonsense."""
        other = cells.parse_other(action)
        if other is not None:
            if other[0] == Act.OPAQUE:
                self.texts[len(self.extra)] = action
            self.extra.append((*other, number - 1, len(self.cells), at))
            return
        ops = cells.parse_compute(action, older=self.dialect != TORCH)
        if not ops:
            self.problems.append((number, at + 1, f"{shortened(action, 40)!r} is not an action"))
            return
        for column, values in zip(self.columns, zip(*ops, strict=True), strict=False):
            column.extend(values)
        self.columns[3].extend([len(self.cells)] * len(ops))
        self.cells.append(at)

    def _note_unknown(self) -> None:
        if not self.texts:
            return
        kinds = sorted({text.strip("0123456789") for text in self.texts.values()})
        named = ", ".join(kinds[:4]) + (", ..." if len(kinds) > 4 else "")
        many = count(len(self.texts), "action")
        message = f"{self.name}: {many} of unknown type ({named}) kept as written: taken to do nothing"
        warnings.warn(message, PipeschedWarning, stacklevel=4)

    def _raise_problems(self) -> None:
        if not self.problems:
            return
        row, cell, sentence = self.problems[0]
        rest = len(self.problems) - 1
        more = f" (and {count(rest, 'more wrong cell')})" if rest else ""
        raise FormatError(
            f"{self.name} row {row}, cell {cell}: {sentence}{more}; "
            "actions read like 0F1, 0B1, 0I1, 0W1 or (0F7;7B3)OVERLAP_F_B",
            tuple(self.problems[:_TOLD]),
        )


def write(plan: Schedule | Actions) -> Iterator[str]:
    """The file, row by row."""
    for row in plan.rows():
        yield ",".join(row) + "\n"
