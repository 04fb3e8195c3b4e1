"""What B means in a file: the whole backward, as in torch today, or its input half, as for a while before."""

import warnings

import numpy as np
import numpy.typing as npt

from pipesched.errors import PipeschedWarning
from pipesched.formats.torch_csv_cells import BW
from pipesched.ops import Kind

Ints = npt.NDArray[np.int64]

#: Look at the file; B is whole; B is for the input and BW whole.
AUTO, TORCH, B_INPUT = DIALECTS = ("auto", "torch", "b-input")


def whole_or_input(letters: Ints, stage: Ints, microbatch: Ints, name: str, dialect: str) -> Ints:
    """The kinds that the letters mean, int64[N].

    Under ``auto``, B is for the input where the file has BW, or where it has W, no I, every W has a B of
    the same stage and micro-batch, and most B have such a W. A note says so.
    """
    if dialect == TORCH or (dialect == AUTO and not _b_is_input(letters, stage, microbatch)):
        return letters
    if dialect == AUTO:
        message = f"{name}: B is read as the backward for the input (I), as older files have it"
        warnings.warn(f"{message}; --csv-dialect torch reads it as whole", PipeschedWarning, stacklevel=5)
    kinds = letters.copy()
    kinds[letters == Kind.B], kinds[letters == BW] = Kind.I, Kind.B
    return kinds


def _b_is_input(letters: Ints, stage: Ints, microbatch: Ints) -> bool:
    has = {kind: letters == kind for kind in (BW, Kind.I, Kind.W, Kind.B)}
    if has[BW].any():
        return True
    if has[Kind.I].any() or not has[Kind.W].any():
        return False
    keys = stage * (int(microbatch.max()) + 1) + microbatch
    b, w = np.unique(keys[has[Kind.B]]), np.unique(keys[has[Kind.W]])
    return bool(np.isin(w, b).all()) and 2 * len(w) > len(b)
