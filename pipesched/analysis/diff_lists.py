"""What differs between two lists beside the compute: transfers, gathers, reductions. Plain data, no words."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from pipesched.actions import Actions
from pipesched.analysis.longest import longest_increasing
from pipesched.schedule import Schedule


class Other(NamedTuple):
    """An action that only one of the two has, with its place in the device's whole list."""

    action: str
    device: int
    position: int


class Shifted(NamedTuple):
    """An action that stands elsewhere: after another slot (None: before all), or elsewhere among its like."""

    action: str
    device: int
    position: int
    after: str | None
    to_device: int
    to_position: int
    to_after: str | None


class Others(NamedTuple):
    """Everything beside the compute that differs: ``missing`` from B, ``added`` in B, ``moved``."""

    moved: list[Shifted]
    missing: list[Other]
    added: list[Other]


class _Place(NamedTuple):
    device: int
    position: int
    after: str | None

    @property
    def between(self) -> tuple[int, str | None]:
        """The gap between two slots that it stands in."""
        return self.device, self.after


#: An action's text, and which of those with this text it is.
_Key = tuple[str, int]


def compare_others(a: Schedule | Actions, b: Schedule | Actions) -> Others | None:
    """The difference; None, as it was not compared, unless both have more than compute. O(A log A)."""
    if not isinstance(a, Actions) or not isinstance(b, Actions) or a.only_compute or b.only_compute:
        return None
    mine, theirs = dict(_places(a)), dict(_places(b))
    both = [key for key in mine if key in theirs]
    keys = [key for key in both if mine[key].between != theirs[key].between]
    keys += _reordered([key for key in both if mine[key].between == theirs[key].between], mine, theirs)
    moved = [Shifted(key[0], *mine[key], *theirs[key]) for key in keys]
    moved.sort(key=lambda each: (each.device, each.position))
    return Others(moved, _alone(mine, theirs), _alone(theirs, mine))


def _places(actions: Actions) -> Iterator[tuple[_Key, _Place]]:
    """Where everything but the compute stands."""
    seen: Counter[str] = Counter()
    others = np.flatnonzero(actions.slot < 0)
    before = np.searchsorted(actions.compute, others) - 1
    first = actions.schedule.first_slot
    devices = actions.device[others].tolist()
    for action, slot, device in zip(others.tolist(), before.tolist(), devices, strict=True):
        text = actions.text(action)
        after = actions.schedule.slot_text(slot) if slot >= first[device] else None
        yield (text, seen[text]), _Place(device, action - int(actions.first[device]), after)
        seen[text] += 1


def _reordered(keys: list[_Key], mine: dict[_Key, _Place], theirs: dict[_Key, _Place]) -> list[_Key]:
    """The fewest that must move for all of a gap to be in one order."""
    gaps: dict[tuple[int, str | None], list[_Key]] = {}
    for key in keys:
        gaps.setdefault(mine[key].between, []).append(key)
    moved = []
    for within in gaps.values():
        stay = set(longest_increasing([theirs[key].position for key in within]))
        moved += [key for at, key in enumerate(within) if at not in stay]
    return moved


def _alone(some: dict[_Key, _Place], others: dict[_Key, _Place]) -> list[Other]:
    return [Other(key[0], place.device, place.position) for key, place in some.items() if key not in others]
