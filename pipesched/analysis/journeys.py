"""What transfers did where they were run: how a result got to another device, and what they held up.

Plain data, no words; times in the cost model's unit.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pipesched.actions import SENDS
from pipesched.choices import BLOCKING, RENDEZVOUS
from pipesched.crossings import Carriers, carriers
from pipesched.simulate.transfers import TransferTimeline
from pipesched.timeline import Timeline


class Journey(NamedTuple):
    """One result on its way.

    Offered by ``send`` at ``issued``, taken by ``recv`` at ``posted``; from ``begun`` to ``sent`` on its
    channel, and there at ``arrived``. ``waits_for_recv`` is how long the send waited for the receive, 0
    where sends wait for nobody; ``queued`` how long it then waited for its channel.
    """

    send: str
    recv: str
    issued: float
    posted: float
    begun: float
    sent: float
    arrived: float
    waits_for_recv: float
    queued: float


class Hold(NamedTuple):
    """A SEND or RECV that holds its device from ``start`` to ``end``.

    ``peer`` is the device of its ``counterpart``, to which that comes at ``ready``, when all slots before
    ``slots_before`` have run.
    """

    action: str
    start: float
    end: float
    counterpart: str
    peer: int
    ready: float
    slots_before: int


class Journeys:
    """Those of a timeline; none of one that runs compute alone."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline if isinstance(timeline, TransferTimeline) else None

    @property
    def hold_devices(self) -> bool:
        """Whether a transfer can keep its device from computing."""
        return self.timeline is not None and self.timeline.transport.mode.comm == BLOCKING

    @cached_property
    def _of(self) -> dict[int, int]:
        """The crossing that each op waits for."""
        ran = self.timeline
        return {} if ran is None else {op: edge for edge, op in enumerate(ran.across.consumer.tolist())}

    @cached_property
    def _found(self) -> Carriers:
        ran = self.timeline
        if ran is None:
            raise ValueError("transfers were not run")
        return carriers(ran.actions, ran.across)

    def to(self, op: int) -> Journey | None:
        """How the result that an op needs from another device got there."""
        ran, edge = self.timeline, self._of.get(op)
        if ran is None or edge is None:
            return None
        columns = ran.issued, ran.posted, ran.begun, ran.sent, ran.arrived
        issued, posted, begun, sent, arrived = (float(column[edge]) for column in columns)
        ready = max(issued, posted) if ran.transport.mode.send == RENDEZVOUS else issued
        texts = ran.across.send_text(edge), ran.across.recv_text(edge)
        return Journey(
            *texts, issued, posted, begun, sent, arrived, round(ready - issued, 12), round(begun - ready, 12)
        )

    def holds(self, device: int, slot: int) -> Iterator[Hold]:
        """What holds a device before ``slot``, since the slot before; or after its last slot."""
        ran = self.timeline
        if ran is None or not self.hold_devices:
            return
        first, stop = ran.schedule.first_slot[device : device + 2].tolist()
        compute, ends = ran.actions.compute, ran.actions.first
        start = int(compute[slot - 1]) + 1 if slot > first else int(ends[device])
        for action in range(start, int(compute[slot]) if slot < stop else int(ends[device + 1])):
            edge = int(self._found.crossing[action])
            if edge < 0:
                continue
            hold = self._hold(ran, int(ran.actions.code[action]) in SENDS, edge)
            if hold.end > hold.start:
                yield hold

    def hold_at(self, device: int, slot: int, time: float) -> Hold | None:
        """What holds a device at a time between its slot before ``slot`` and that one."""
        return next((hold for hold in self.holds(device, slot) if hold.start <= time < hold.end), None)

    def _hold(self, ran: TransferTimeline, sends: bool, edge: int) -> Hold:
        texts = ran.across.send_text(edge), ran.across.recv_text(edge)
        ends = ran.across.source, ran.across.target
        reached = float(ran.issued[edge]), float(ran.posted[edge])
        mine, other = (0, 1) if sends else (1, 0)
        start = reached[mine]
        end = float(ran.arrived[edge])
        if sends:
            end = float(ran.sent[edge]) if ran.transport.mode.send == RENDEZVOUS else start
        there = (self._found.send, self._found.recv)[other][edge]
        before = int(np.searchsorted(ran.actions.compute, there))
        return Hold(
            texts[mine], start, max(start, end), texts[other], int(ends[other][edge]), reached[other], before
        )
