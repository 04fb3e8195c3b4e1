"""Activations held by each device, in activations of one micro-batch on one stage.

A forward allocates one when it starts; a whole backward frees it when it ends. Of a split backward, W
frees it (the default), or I does, or I frees a fraction and W the rest (W keeps the inputs of its
matrix products: 32h of 34h + 5as bytes per token and layer, Qi et al. 2024).
In an overlapped pair the forward allocates before the backward frees.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.errors import CostError
from pipesched.schedule import Schedule
from pipesched.timeline import Timeline
from pipesched.words import number

Floats = npt.NDArray[np.float64]


def freed_at_input(free_at: str | float) -> float:
    """The fraction that I frees: 0 for "w", 1 for "i", or the number itself; CostError for others."""
    named = {"w": 0.0, "i": 1.0}
    text = str(free_at).strip().lower()
    fraction = named[text] if text in named else number(text)
    if fraction is None or not 0 <= fraction <= 1:
        raise CostError(f"free-at must be w, i or a fraction from 0 to 1; got {free_at}")
    return fraction


class Memory(NamedTuple):
    """Per op float64[N]: ``during`` is what its device holds while it runs, ``after`` once it has ended.

    Per device: ``peak`` float64[P], and ``peak_op`` int64[P], the first op that runs at the peak; 0 and -1
    for a device without ops.
    """

    during: Floats
    after: Floats
    peak: Floats
    peak_op: npt.NDArray[np.int64]


def memory(schedule: Schedule, free_at: str | float = "w") -> Memory:
    """Activations over every device's list; independent of times, as a device runs one slot at a time.

    ``free_at`` as :func:`freed_at_input` reads it. The schedule need not be one that can run.
    """
    at_input = freed_at_input(free_at)
    change = np.array([1.0, -1.0, 0.0 - at_input, at_input - 1.0])[schedule.kind]  # F, B, I, W
    net = np.cumsum(change)
    base = np.append(0.0, net)[schedule.first[:-1]]  # what the devices before left over: 0, if all is freed
    after = net - base[schedule.device]
    during = after - np.minimum(change, 0.0)  # a forward allocates when it starts, others free when they end
    if not at_input.is_integer():
        after, during = np.round(after, 9), np.round(during, 9)
    peak_op = np.array(
        [
            a + int(np.argmax(during[a:b])) if a < b else -1
            for a, b in zip(schedule.first[:-1], schedule.first[1:], strict=True)
        ],
        dtype=np.int64,
    )
    peak = np.append(during, 0.0)[peak_op]  # -1 is what was appended
    return Memory(during, after, peak, peak_op)


def steps(timeline: Timeline, held: Memory, device: int) -> tuple[Floats, Floats]:
    """What one device holds over time as a staircase: times and levels; each level lasts to the next time."""
    schedule = timeline.schedule
    ops = slice(int(schedule.first[device]), int(schedule.first[device + 1]))
    during, after = held.during[ops], held.after[ops]
    times = np.stack((timeline.start[ops], timeline.end[ops]), axis=1).ravel()
    levels = np.stack((during, after), axis=1).ravel()
    # The two ops of a pair overlap: the forward has not ended when the backward starts.
    inside = np.zeros(len(times), dtype=np.bool_)
    paired = np.flatnonzero(np.diff(schedule.slot[ops]) == 0)
    inside[2 * paired + 1] = inside[2 * paired] = True
    keep = ~inside
    return np.append(0.0, times[keep]), np.append(0.0, levels[keep])
