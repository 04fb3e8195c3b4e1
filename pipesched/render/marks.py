"""What a device's list holds beside its ops and takes no time here: where it stands, and in words."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pipesched.actions import RECEIVES, SENDS, Act, Actions
from pipesched.timeline import Floats, Timeline

#: So many unknown actions are named in words.
_NAMED = 4
#: So many actions at one place are named.
_AT_ONE_PLACE = 8
_KNOWN = (Act.UNSHARD, Act.RESHARD, Act.REDUCE_GRAD)


class Marks(NamedTuple):
    """Actions without a duration, one entry each, by lane and time.

    ``lane`` int32[M]; ``time`` float64[M], the end of the slot before it, 0 where there is none; ``opaque``
    bool[M], whether its type is unknown; ``text`` as in the file: ``0WAIT_SEND_F3``, ``2UNSHARD``.
    """

    lane: npt.NDArray[np.int32]
    time: Floats
    opaque: npt.NDArray[np.bool_]
    text: tuple[str, ...]

    def only(self, keep: npt.NDArray[np.bool_], lane: npt.NDArray[np.int32]) -> "Marks":
        """Those to keep, bool[M], on the lanes that ``lane`` numbers, int32[M]."""
        kept = np.flatnonzero(keep)
        texts = tuple(self.text[at] for at in kept.tolist())
        return Marks(lane[kept], self.time[kept], self.opaque[kept], texts)

    def by_place(self) -> list[tuple[int, float, bool, str]]:
        """Lane, time, whether any is unknown, and the texts in words, of each place that has a mark."""
        places: dict[tuple[int, float], list[int]] = {}
        for at, place in enumerate(zip(self.lane.tolist(), self.time.tolist(), strict=True)):
            places.setdefault(place, []).append(at)
        return [
            (lane, time, bool(self.opaque[ats].any()), _brief([self.text[at] for at in ats]))
            for (lane, time), ats in places.items()
        ]


def _brief(texts: list[str]) -> str:
    rest = len(texts) - _AT_ONE_PLACE
    return ", ".join(texts[:_AT_ONE_PLACE]) + (f" and {rest} more" if rest > 0 else "")


def marks(timeline: Timeline) -> Marks | None:
    """All that are to be drawn: whatever neither computes nor is a transfer; None for none."""
    listed = timeline.listed
    if listed is None:
        return None
    found = listed.find(Act.OPAQUE, *_KNOWN)
    if not len(found):
        return None
    before = _slot_before(listed, found)
    time = np.append(timeline.slot_end, 0.0)[before]
    texts = tuple(map(listed.text, found.tolist()))
    return Marks(listed.device[found], time, listed.code[found] == Act.OPAQUE, texts)


def _slot_before(listed: Actions, found: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The slot before each action on its device; the number of slots for none."""
    before = np.searchsorted(listed.compute, found) - 1
    first = listed.schedule.first_slot[listed.device[found]]
    return np.where(before >= first, before, listed.schedule.n_slots)


def mark_lines(timeline: Timeline) -> tuple[str, ...]:
    """What stands in the lists beside the ops, and what became of it: a line for each sort."""
    listed = timeline.listed
    if listed is None:
        return ()
    lines = []
    unknown = listed.find(Act.OPAQUE)
    if len(unknown):
        named = _named(listed, unknown)
        lines.append(f"marked, of unknown type, taken to do nothing: {named}")
    counts = _counts(listed, _KNOWN)
    if counts:
        lines.append(f"marked, taking no time: {counts}")
    counts = "" if timeline.runs_transfers else _counts(listed, (*SENDS, *RECEIVES))
    if counts:
        lines.append(f"not run: {counts}; each result takes the latency instead")
    return tuple(lines)


def _named(listed: Actions, found: npt.NDArray[np.int64]) -> str:
    told = []
    slots = _slot_before(listed, found[:_NAMED]).tolist()
    for action, slot in zip(found[:_NAMED].tolist(), slots, strict=True):
        after = "first" if slot == listed.schedule.n_slots else f"after {listed.schedule.slot_text(slot)}"
        told.append(f"{listed.text(action)} (device {listed.device[action]}, {after})")
    rest = len(found) - len(told)
    return ", ".join(told) + (f" and {rest} more" if rest else "")


def _counts(listed: Actions, acts: Sequence[Act]) -> str:
    """``4 SEND_F, 4 RECV_F``."""
    numbers = {act.name: len(listed.find(act)) for act in acts}
    return ", ".join(f"{number} {name}" for name, number in numbers.items() if number)
