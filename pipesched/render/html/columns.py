"""Columns on their way into the page: what each entry adds to the one before, narrow, deflated, base64."""

import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.floating[Any]] | npt.NDArray[np.integer[Any]]

#: Type codes of numpy and of viewer/data.mjs, narrow ones first.
_TYPES = ("i1", "i2", "i4", "f8")
_ALIGNED = 8

#: Steps per unit of time to try: whole numbers, decimal fractions, and shares of 1/2 .. 1/16 of them.
_STEPS = sorted({part * 10**power for part in range(1, 17) for power in range(7)})
#: With more different values than this they are measured, not given: no grid fits.
_MOST_VALUES = 100_000


class Packed(NamedTuple):
    """``layout`` has each column's name, type code, offset in the bytes of ``data``, length and steps."""

    layout: list[tuple[str, str, int, int, float]]
    data: str


def pack(first: npt.NDArray[np.int64], *groups: tuple[Mapping[str, Column], float]) -> Packed:
    """All columns as one text: differences from entry to entry, each column at a multiple of 8 bytes.

    Differences start anew at every entry of ``first``, where devices begin. With each group of columns come
    its steps per unit, to which they are rounded, or 0 for whole numbers. What repeats has differences that
    repeat, of which deflate finds next to nothing; and what it writes of them repeats too, so it runs twice.
    """
    layout, content = [], bytearray()
    for columns, steps in groups:
        for name, column in columns.items():
            whole = np.rint(column * steps) if steps else column.astype(np.float64)
            sent = np.diff(whole, prepend=0.0)
            sent[first[:-1]] = whole[first[:-1]]
            code = _narrowest(sent)
            layout.append((name, code, len(content), len(column), steps))
            content += sent.astype(f"<{code}").tobytes()
            content += bytes(-len(content) % _ALIGNED)
    return Packed(layout, deflated(zlib.compress(content, 6)))


def deflated(content: bytes) -> str:
    """The content deflated (zlib, as DecompressionStream("deflate") reads it) and in base64."""
    return b64encode(zlib.compress(content, 6)).decode()


def _narrowest(column: npt.NDArray[np.float64]) -> str:
    low, high = float(column.min(initial=0.0)), float(column.max(initial=0.0))
    for code in _TYPES[:-1]:
        limits = np.iinfo(code)
        if limits.min <= low and high <= limits.max:
            return code
    return _TYPES[-1]


def steps_per_unit(*spans: npt.NDArray[np.float64]) -> tuple[float, bool]:
    """A grid on which every span is a whole number of steps, and whether it is exact.

    Where no grid fits, one so fine that the longest span has 2^30 steps.
    """
    values = np.unique(np.concatenate(spans))
    positive = values[values > 0]
    if not len(positive):
        return 1.0, True
    if len(positive) <= _MOST_VALUES:
        allowed = max(1e-9 * positive[0], 4 * np.spacing(positive[-1]))
        for steps in _STEPS:
            if np.abs(np.rint(positive * steps) / steps - positive).max() <= allowed:
                return float(steps), True
    return float(2.0 ** np.floor(np.log2(2**30 / positive[-1]))), False
