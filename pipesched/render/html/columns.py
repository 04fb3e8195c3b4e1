"""Integer columns on their way into the page: narrow, deflated, base64."""

import zlib
from base64 import b64encode
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Integers = npt.NDArray[np.integer[Any]]

#: Type codes of numpy and of viewer/decode.mjs, narrow ones first.
_TYPES = ("u1", "i1", "u2", "i2", "i4", "f8")
_ALIGNED = 8

#: Steps per unit of time to try: whole numbers, decimal fractions, and shares of 1/2 .. 1/16 of them.
_STEPS = sorted({part * 10**power for part in range(1, 17) for power in range(7)})
#: With more different values than this they are measured, not given: no grid fits.
_MOST_VALUES = 100_000


class Packed(NamedTuple):
    """``layout`` has name, type code and length of each column, in the order of the bytes of ``data``."""

    layout: list[tuple[str, str, int]]
    data: str


def pack(columns: dict[str, Integers]) -> Packed:
    """All columns as one text; each at a multiple of 8 bytes, as narrow as it can be, little-endian."""
    layout, parts = [], []
    for name, column in columns.items():
        code = _narrowest(column)
        raw = column.astype(f"<{code}").tobytes()
        layout.append((name, code, len(column)))
        parts.append(raw + bytes(-len(raw) % _ALIGNED))
    return Packed(layout, deflated(b"".join(parts)))


def deflated(content: bytes) -> str:
    """The content deflated (zlib, as DecompressionStream("deflate") reads it) and in base64."""
    return b64encode(zlib.compress(content, 6)).decode()


def _narrowest(column: Integers) -> str:
    low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
    for code in _TYPES[:-1]:
        limits = np.iinfo(code)
        if limits.min <= low and high <= limits.max:
            return code
    return _TYPES[-1]


def steps_per_unit(*spans: Numbers) -> tuple[float, bool]:
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
