"""What a rule says when it is broken."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pipesched import words
from pipesched.schedule import Schedule


class Violation(NamedTuple):
    """One broken rule.

    ``op`` in torch's letters, ``device`` and ``position`` (in the device's list) 0-based; each None
    where it has no meaning. The message counts cells from 1, as editors do.
    """

    code: str
    op: str | None
    device: int | None
    position: int | None
    message: str


#: From a schedule, or from whole lists (:class:`pipesched.validate.transfers.Lists`).
#: So many of the rest are counted; a file of a million mistakes is not read for their exact number.
COUNTED = 1000

Finder = Callable[[Any], Iterator[Violation]]


class Rule(NamedTuple):
    """A rule: its code, what it demands, the search for what breaks it, and what is then wrong.

    ``also`` has the further codes that the search gives, each with what is wrong.
    """

    code: str
    demand: str
    find: Finder
    broken: str
    also: Mapping[str, str] = MappingProxyType({})

    @property
    def codes(self) -> dict[str, str]:
        """Every code that it can say, with what is wrong."""
        return {self.code: self.broken, **self.also}

    def first(self, checked: Any, limit: int) -> Iterator[Violation]:
        """The first ``limit`` violations; if there are more, one that says how many."""
        found = self.find(checked)
        yield from itertools.islice(found, limit)
        rest = sum(1 for _ in itertools.islice(found, COUNTED)) if limit > 1 else 0
        if rest:
            many = f"{rest}{' or' if rest == COUNTED else ''} more"
            yield Violation(self.code, None, None, None, f"and {many} of {self.code!r}")


def at(schedule: Schedule, code: str, op: int, message: str) -> Violation:
    """A violation at an op that the schedule has."""
    slot = int(schedule.slot[op])
    return Violation(code, str(schedule.op(op)), int(schedule.device[op]), schedule.position(slot), message)


def place(schedule: Schedule, op: int) -> str:
    """``device 1, cell 3``: where an op stands."""
    return f"device {schedule.device[op]}, {cell(schedule, op)}"


def cell(schedule: Schedule, op: int) -> str:
    """``cell 3``: where an op stands in its device's list, counted from 1."""
    return words.cell(schedule.position(int(schedule.slot[op])))
