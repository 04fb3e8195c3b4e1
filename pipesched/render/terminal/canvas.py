"""A grid of characters with colours as numbers, which becomes few styled runs per line."""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from rich.segment import Segment
from rich.style import Style

Columns = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


class Canvas:
    """``lanes`` x ``columns`` characters: ``char`` their code points, ``front`` and ``back`` colours.

    Colours are numbers whose meaning the caller knows; 0 is the terminal's own.
    """

    def __init__(self, lanes: int, columns: int) -> None:
        self.char = np.full((lanes, columns), ord(" "), dtype=np.uint32)
        self.front = np.zeros((lanes, columns), dtype=np.int64)
        self.back = np.zeros((lanes, columns), dtype=np.int64)
        self.underline = np.zeros((lanes, columns), dtype=np.bool_)

    def put(self, lane: Columns, column: Columns, text: str | npt.NDArray[np.uint32]) -> None:
        """One character at each place."""
        self.char[lane, column] = ord(text) if isinstance(text, str) else text

    def put_number(self, lane: Columns, column: Columns, number: npt.NDArray[np.int32]) -> None:
        """Decimal numbers, starting at each place."""
        length = digits(number)
        for place in range(int(length.max(initial=0))):
            at = np.flatnonzero(length > place)
            digit = number[at] // 10 ** (length[at] - 1 - place) % 10
            self.char[lane[at], column[at] + place] = digit + ord("0")

    def row(self, lane: int, style: Callable[[int, int, bool], Style | None]) -> Iterator[Segment]:
        """One line as runs of equal style."""
        text = self.char[lane].tobytes().decode("utf-32-le" if _LITTLE else "utf-32-be")
        front, back, underline = self.front[lane], self.back[lane], self.underline[lane]
        change = (np.diff(front) != 0) | (np.diff(back) != 0) | (np.diff(underline))
        starts = [0, *(np.flatnonzero(change) + 1).tolist()]
        for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
            yield Segment(
                text[start:stop], style(int(front[start]), int(back[start]), bool(underline[start]))
            )


_LITTLE = np.little_endian


def digits(number: npt.NDArray[np.int32]) -> Columns:
    """How many decimal digits each number has, int64."""
    return np.searchsorted(10 ** np.arange(1, 10), number, side="right").astype(np.int64) + 1


def spread(start: Columns, stop: Columns) -> tuple[Columns, Columns]:
    """All columns of all intervals: which interval, and which column; int64, one entry per column."""
    width = stop - start
    owner = np.repeat(np.arange(len(width)), width)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(width) - width, width)
    return owner, start[owner] + within
