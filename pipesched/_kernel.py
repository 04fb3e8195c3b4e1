"""The one loop that gives times: a longest path over slots, in plain Python on lists.

O(slots). Measured against compiled kernels, it is fast enough.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Links(NamedTuple):
    """The graph of n slots; an index of n means that there is no such slot.

    ``before`` int64[n] is the slot just before on the same device; ``need`` int64[2, n] are slots
    whose results are awaited, which take ``lag`` float64[2, n] more to arrive.
    """

    before: Ints
    need: Ints
    lag: Floats

    def starts(self, ends: Floats) -> Floats:
        """The earliest start of every slot, given every slot's end: float64[n]."""
        padded = np.append(ends, 0.0)
        starts: Floats = padded[self.before]
        for need, lag in zip(self.need, self.lag, strict=True):
            if len(need) and need.min() < len(ends):  # without pairs, the second row is empty
                np.maximum(starts, padded[need] + lag, out=starts)
        return starts


def end_times(order: Sequence[int], links: Links, duration: Floats) -> Floats:
    """End of every slot when each starts as soon as it can; float64[n].

    ``order`` lists all slots so that each stands after what it awaits.
    """
    at = np.asarray(order, dtype=np.int64)
    columns = (links.before, links.need[0], links.lag[0], links.need[1], links.lag[1], duration)
    end: list[float] = [0.0] * (len(duration) + 1)  # the last entry stands for "no such slot"
    for k, before, need_a, lag_a, need_b, lag_b, time in zip(
        order, *(column[at].tolist() for column in columns), strict=True
    ):
        start = end[before]
        arrival = end[need_a] + lag_a
        if arrival > start:  # noqa: PLR1730  max() costs a call
            start = arrival
        arrival = end[need_b] + lag_b
        if arrival > start:  # noqa: PLR1730
            start = arrival
        end[k] = start + time
    return np.array(end[:-1])
