"""A grid of characters with colours as numbers, which becomes few styled runs per line."""

import itertools
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

    def rows(self, style: Callable[[int, int, bool], Style | None]) -> Iterator[list[Segment]]:
        """Every line as runs of equal style."""
        lanes, columns = self.char.shape
        text = self.char.tobytes().decode("utf-32-le" if _LITTLE else "utf-32-be")
        opens = np.ones((lanes, columns), dtype=np.bool_)
        opens[:, 1:] = False
        for layer in (self.front, self.back, self.underline):
            opens[:, 1:] |= layer[:, 1:] != layer[:, :-1]
        lane, column = np.nonzero(opens)
        start = lane * columns + column
        stops = np.append(start[1:], lanes * columns)[: len(start)].tolist()
        layers = (layer[lane, column].tolist() for layer in (self.front, self.back, self.underline))
        runs = [
            Segment(text[start:stop], style(front, back, underline))
            for start, stop, front, back, underline in zip(start.tolist(), stops, *layers, strict=True)
        ]
        first = np.searchsorted(lane, np.arange(lanes + 1)).tolist()
        for begin, end in itertools.pairwise(first):
            yield runs[begin:end]


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
