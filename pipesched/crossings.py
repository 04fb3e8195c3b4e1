"""Results that one device needs from another, and the actions that carry them.

A crossing is a dependency between ops on two devices. It needs one SEND beside its producer and one RECV
beside its consumer, and between two devices they match in order, not by name.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pipesched.actions import Act, Actions
from pipesched.ops import Kind
from pipesched.schedule import Schedule

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Crossings:
    """Columns of the E crossings, by consumer.

    ``producer`` and ``consumer`` int64[E] are ops; ``backward`` bool[E]; ``source`` and ``target``
    int64[E] devices; ``sent_by``, ``received_by`` and ``microbatch`` int64[E], the stages and the
    micro-batch that name the SEND and the RECV.
    """

    producer: Ints
    consumer: Ints
    backward: npt.NDArray[np.bool_]
    source: Ints
    target: Ints
    sent_by: Ints
    received_by: Ints
    microbatch: Ints

    def __len__(self) -> int:
        return len(self.producer)

    def send_text(self, crossing: int) -> str:
        """``0SEND_F3``."""
        return f"{self.sent_by[crossing]}SEND_{self._way(crossing)}{self.microbatch[crossing]}"

    def recv_text(self, crossing: int) -> str:
        """``1RECV_F3``."""
        return f"{self.received_by[crossing]}RECV_{self._way(crossing)}{self.microbatch[crossing]}"

    def _way(self, crossing: int) -> str:
        return "B" if self.backward[crossing] else "F"

    def between(self) -> Ints:
        """A number for each directed pair of devices, int64[E]."""
        wide = int(max(self.source.max(initial=0), self.target.max(initial=0))) + 1
        return self.source * wide + self.target


def crossings(schedule: Schedule) -> Crossings:
    """All of a schedule's; O(N)."""
    needed = schedule.needs.neighbour
    consumer = np.flatnonzero(needed >= 0)
    consumer = consumer[schedule.device[needed[consumer]] != schedule.device[consumer]]
    producer = needed[consumer]
    device, stage = schedule.device.astype(np.int64), schedule.stage.astype(np.int64)
    return Crossings(
        producer,
        consumer,
        schedule.kind[consumer] != Kind.F,
        device[producer],
        device[consumer],
        stage[producer],
        stage[consumer],
        schedule.microbatch[consumer].astype(np.int64),
    )


@dataclass(frozen=True, eq=False)
class Carriers:
    """Which actions carry which crossing.

    ``crossing`` int64[A]: of each SEND and RECV, -1 for none. ``send`` and ``recv`` int64[E]: the
    first action of each crossing, -1 for none.
    """

    crossing: Ints
    send: Ints
    recv: Ints


def carriers(actions: Actions, across: Crossings) -> Carriers:
    """Match actions to crossings by name and device; O(A log A)."""
    crossing = np.full(actions.n_actions, -1, dtype=np.int64)
    ends = {True: np.full(len(across), -1, dtype=np.int64), False: np.full(len(across), -1, dtype=np.int64)}
    cases = (
        (Act.SEND_F, False, True),
        (Act.SEND_B, True, True),
        (Act.RECV_F, False, False),
        (Act.RECV_B, True, False),
    )
    for act, backward, sends in cases:
        found = actions.find(act)
        among = np.flatnonzero(across.backward == backward)
        named = across.sent_by if sends else across.received_by
        at = _look_up(named[among], across.microbatch[among], actions.stage[found], actions.microbatch[found])
        edge = np.where(at >= 0, np.append(among, -1)[at], -1)
        where = np.append(across.source if sends else across.target, -1)[edge]
        edge[where != actions.device[found]] = -1
        crossing[found] = edge
        known = edge >= 0
        ends[sends][edge[known][::-1]] = found[known][::-1]  # backwards, so that the first stays
    return Carriers(crossing, ends[True], ends[False])


def _look_up(
    stage: Ints,
    microbatch: Ints,
    wanted_stage: npt.NDArray[np.int32],
    wanted_microbatch: npt.NDArray[np.int32],
) -> Ints:
    """Where each wanted (stage, micro-batch) stands, -1 for nowhere; int64."""
    if not len(stage) or not len(wanted_stage):
        return np.full(len(wanted_stage), -1, dtype=np.int64)
    wide = int(max(microbatch.max(), wanted_microbatch.max())) + 1
    keys = stage * wide + microbatch
    wanted = wanted_stage.astype(np.int64) * wide + wanted_microbatch
    order = np.argsort(keys, kind="stable")
    at = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[at] == wanted, at, -1)
