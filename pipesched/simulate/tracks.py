"""Tracks: the ops of one kind on one chunk of one device, in order. What repeats, repeats track by track."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.ops import Kind
from pipesched.schedule import Schedule

Ints = npt.NDArray[np.int64]


class Tracks(NamedTuple):
    """``ops`` int64[N] lists every op, track by track; track t's are ``ops[first[t]:first[t + 1]]``.

    ``first`` int64[T+1], with T = devices x chunks x kinds: every track has its number, empty or not.
    """

    ops: Ints
    first: Ints

    def __getitem__(self, track: int) -> Ints:  # type: ignore[override]
        """The ops of one track in the order of its device's list."""
        return self.ops[self.first[track] : self.first[track + 1]]

    @property
    def sizes(self) -> Ints:
        """How many ops each track has, int64[T]."""
        return np.diff(self.first)


def track_of(schedule: Schedule) -> Ints:
    """The track of every op, int64[N]."""
    chunks = max(map(len, schedule.placement.stages), default=1)
    track = schedule.device.astype(np.int64)
    track *= chunks
    track += schedule.chunk
    track *= len(Kind)
    track += schedule.kind
    return track


def tracks(schedule: Schedule, known: Ints | None = None) -> Tracks:
    """The tracks of a schedule; O(N). ``known`` is the track of every op, where it is known already."""
    chunks = max(map(len, schedule.placement.stages), default=1)
    n_tracks = schedule.devices * chunks * len(Kind)
    track = track_of(schedule) if known is None else known
    small = track.astype(np.uint16) if n_tracks < 2**16 else track  # stable on short integers is fast
    sizes = np.bincount(track, minlength=n_tracks)
    return Tracks(np.argsort(small, kind="stable"), np.concatenate(([0], np.cumsum(sizes))))
