"""How transfers run: when one starts, what it holds up, and what waits for it. The only place that knows.

A device works through its list; at a SEND it offers a result, at a RECV it is ready to take one. Sends are
``buffered`` (the device leaves its result and goes on) or by ``rendezvous`` (the transfer starts only when
the receiver is ready too). ``async``: the device goes on computing meanwhile, and only the op that uses a
result waits for it. ``blocking``: a RECV holds the device until its result is there, and a rendezvous SEND
until it is gone. A channel carries one transfer at a time: it is one for each ``direction`` between two
devices, one for the ``pair``, or each device has a single one, ``shared`` by all its transfers. By
rendezvous, a device serves the transfers of a channel in the order of its list; buffered, first come, first
served.
"""

import heapq
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pipesched.actions import RECEIVES, SENDS, Act, Actions
from pipesched.choices import ASYNC, BUFFERED, DIRECTION, PAIR, RENDEZVOUS, SHARED, Mode
from pipesched.crossings import Carriers, Crossings

#: Plain numbers: millions of steps are told apart by them.
_COMPUTE, _SEND, _RECEIVE = map(int, (Act.COMPUTE, Act.SEND_F, Act.RECV_F))


class Load(NamedTuple):
    """Times, in any unit: of each slot; of each crossing, how long it holds its channel, and then travels."""

    slots: Sequence[float]
    transfers: Sequence[float]
    latency: Sequence[float]


class Machine:
    """Lists being run; afterwards, when everything happened, or where every device stopped.

    By slot: ``start``, ``end``. By crossing: ``issued``, ``posted``, ``begun``, ``sent``, ``arrived``;
    None for what never happened. ``heads``: by device, the place in ``steps`` where it stands, ``stops``
    when through. O(A log P). Without ``load``, nothing takes time: enough to see whether all can run.
    """

    def __init__(
        self, actions: Actions, across: Crossings, found: Carriers, mode: Mode, load: Load | None = None
    ) -> None:
        slots, edges = actions.schedule.n_slots, len(across)
        self.mode = mode
        self.load = load or Load([0.0] * slots, [0.0] * edges, [0.0] * edges)
        self._list_steps(actions, found)
        self.uses: dict[int, list[int]] = {}
        for edge, slot in enumerate(actions.schedule.slot[across.consumer].tolist()):
            self.uses.setdefault(slot, []).append(edge)
        links = list(zip(across.source.tolist(), across.target.tolist(), strict=True))
        ends = {link: _channels(mode, *link) for link in set(links)}
        self.channels = [ends[link] for link in links]
        self.free: dict[tuple[int, ...], float] = {}
        self.queues: dict[tuple[int, ...], deque[int]] = {}
        nothing: list[float | None] = [None] * edges
        self.issued, self.posted, self.begun = nothing[:], nothing[:], nothing[:]
        self.sent, self.arrived = nothing[:], nothing[:]
        self.start, self.end = [0.0] * slots, [0.0] * slots
        self._waiting: dict[int, list[tuple[float, int]]] = {}
        self._ready: list[tuple[float, int]] = []

    def _list_steps(self, actions: Actions, found: Carriers) -> None:
        """``steps``: (what, slot or crossing, action) of whatever matters here, device after device."""
        what = np.full(len(Act), -1)
        what[Act.COMPUTE], what[list(SENDS)], what[list(RECEIVES)] = _COMPUTE, _SEND, _RECEIVE
        matters = np.flatnonzero(what[actions.code] >= 0)
        step = what[actions.code[matters]]
        number = np.where(step == _COMPUTE, actions.slot[matters], found.crossing[matters])
        columns = (step.tolist(), number.tolist(), matters.tolist())
        self.steps: list[tuple[int, int, int]] = list(zip(*columns, strict=True))
        places: list[int] = np.searchsorted(matters, actions.first).tolist()
        self.heads, self.stops = places[:-1], places[1:]

    def run(self) -> "Machine":
        """Run until all is done or nothing can go on."""
        self._ready = [(0.0, d) for d in range(len(self.heads))]
        while self._ready:
            now, d = heapq.heappop(self._ready)
            self._advance(d, now)
        return self

    @property
    def blocked(self) -> list[int]:
        """Devices that never came to the end of their list."""
        return [d for d, head in enumerate(self.heads) if head < self.stops[d]]

    def _advance(self, d: int, now: float) -> None:
        for head in range(self.heads[d], self.stops[d]):
            what, number, _ = self.steps[head]
            if what == _COMPUTE:
                until = self._compute(number, now, d)
            elif what == _SEND:
                until = self._send(number, now, d)
            else:
                until = self._receive(number, now, d)
            if until is None:
                self.heads[d] = head
                return
            if until > now:
                self.heads[d] = head + 1
                heapq.heappush(self._ready, (until, d))
                return
        self.heads[d] = self.stops[d]

    def _wait(self, edge: int, now: float, d: int) -> None:
        self._waiting.setdefault(edge, []).append((now, d))

    def _compute(self, slot: int, now: float, d: int) -> float | None:
        begin = now
        for edge in self.uses.get(slot, ()):
            arrival = self.arrived[edge]
            if arrival is None:
                self._wait(edge, now, d)
                return None
            begin = max(begin, arrival)
        self.start[slot] = begin
        self.end[slot] = end = begin + self.load.slots[slot]
        return end

    def _send(self, edge: int, now: float, d: int) -> float | None:
        if self.issued[edge] is None:
            self.issued[edge] = now
            if self.mode.send == BUFFERED:
                self._begin(edge, now)
            else:
                self._enqueue(edge, self.channels[edge][0])
        if self.mode.comm == ASYNC or self.mode.send == BUFFERED:
            return now
        sent = self.sent[edge]
        if sent is None:
            self._wait(edge, now, d)
        return sent

    def _receive(self, edge: int, now: float, d: int) -> float | None:
        if self.posted[edge] is None:
            self.posted[edge] = now
            if self.mode.send == RENDEZVOUS:
                self._enqueue(edge, self.channels[edge][1])
        if self.mode.comm == ASYNC:
            return now
        arrival = self.arrived[edge]
        if arrival is None:
            self._wait(edge, now, d)
            return None
        return max(now, arrival)

    def _enqueue(self, edge: int, channel: tuple[int, ...]) -> None:
        """Line up, and let whatever is first in line at both of its ends begin."""
        self.queues.setdefault(channel, deque()).append(edge)
        heads = [edge]
        while heads:
            edge = heads.pop()
            if self.begun[edge] is not None:  # came first in line at both ends at once
                continue
            issued, posted, ends = self.issued[edge], self.posted[edge], self.channels[edge]
            if issued is None or posted is None or any(self.queues[end][0] != edge for end in ends):
                continue
            self._begin(edge, max(issued, posted))
            for end in ends:
                self.queues[end].popleft()
                heads.extend([self.queues[end][0]] if self.queues[end] else [])

    def _begin(self, edge: int, ready: float) -> None:
        a, b = self.channels[edge]
        begin = max(ready, self.free.get(a, 0.0), self.free.get(b, 0.0))
        self.free[a] = self.free[b] = sent = begin + self.load.transfers[edge]
        self.begun[edge], self.sent[edge] = begin, sent
        self.arrived[edge] = sent + self.load.latency[edge]
        for woken in self._waiting.pop(edge, ()):
            heapq.heappush(self._ready, woken)


def _channels(mode: Mode, source: int, target: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What a transfer occupies at its two ends. Buffered, the ends of a link are one thing."""
    if mode.channels == SHARED:
        return (source,), (target,)
    if mode.send == BUFFERED:
        low, high = (source, target) if mode.channels == DIRECTION else sorted((source, target))
        return (low, high), (low, high)
    if mode.channels == PAIR:
        return (source, target), (target, source)
    return (source, target, 0), (target, source, 1)
