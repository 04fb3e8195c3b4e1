"""Lanes as eighths of columns, and how a terminal shows them: a character has two colours.

A column of one boundary is exact, to an eighth. Where more meet in one column, its idle time keeps its
eighths, whatever stands beside it: on the right where the column ends idle, else on the left; of several
fills the widest is shown.
"""

import numpy as np
import numpy.typing as npt

from pipesched.render.terminal.canvas import Canvas, Columns, spread

#: Left parts of a character, by eighths.
LEFT_EIGHTHS = np.array([ord(c) for c in " ▏▎▍▌▋▊▉█"], dtype=np.uint32)
Eighths = npt.NDArray[np.int64]


def empty(lanes: int, columns: int) -> Eighths:
    """Lanes of nothing: int64[lanes, 8 x columns], the number of the fill of each eighth; 0 for none."""
    return np.zeros((lanes, 8 * columns), dtype=np.int64)


def fill(lanes: Eighths, lane: Columns, start: Columns, stop: Columns, value: Columns) -> None:
    """Fill from one eighth to another, each with its value."""
    owner, at = spread(start, stop)
    lanes[lane[owner], at] = value[owner]


def show(canvas: Canvas, lanes: Eighths) -> None:
    """Put the lanes on the canvas: characters and colours."""
    parts = lanes.reshape(*canvas.char.shape, 8)
    left, right = parts[:, :, 0], parts[:, :, 7]
    changes = (np.diff(parts, axis=2) != 0).sum(axis=2)
    canvas.back[:] = right
    split = np.nonzero(changes == 1)
    canvas.front[split] = left[split]
    canvas.char[split] = LEFT_EIGHTHS[(parts[split] == left[split][:, None]).sum(axis=1)]
    many = np.nonzero(changes > 1)
    if len(many[0]):
        front, back, eighths = _two_of_many(parts[many])
        canvas.front[many], canvas.back[many], canvas.char[many] = front, back, LEFT_EIGHTHS[eighths]


def _two_of_many(parts: Eighths) -> tuple[Eighths, Eighths, Eighths]:
    """Two colours for columns of more, int64[columns, 8]: left, right, and how many eighths are left."""
    count = (parts[:, :, None] == parts[:, None, :]).sum(axis=2)  # how often each eighth's fill is there
    widest = np.take_along_axis(parts, np.where(parts > 0, count, 0).argmax(axis=1)[:, None], axis=1)[:, 0]
    idle = (parts == 0).sum(axis=1)
    left, right = parts[:, 0], parts[:, 7]
    idle_right = (idle > 0) & (right == 0)
    busy = idle == 0
    front = np.where(idle_right, widest, np.where(busy, left, 0))
    back = np.where(idle_right, 0, np.where(busy & (right != left), right, widest))
    eighths = np.where(idle_right, 8 - idle, np.where(busy, (parts == left[:, None]).sum(axis=1), idle))
    return front, back, np.clip(eighths, 1, 7)
