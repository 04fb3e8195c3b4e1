"""Deadlocks of transfers: sends that wait for receives that wait for sends, as a cycle in words."""

from collections.abc import Iterator

from pipesched.actions import Act, Actions
from pipesched.channels import Machine
from pipesched.choices import ASYNC, BUFFERED, Mode
from pipesched.crossings import Carriers, Crossings
from pipesched.validate.violation import Violation


def transfer_deadlocks(
    actions: Actions, across: Crossings, found: Carriers, mode: Mode
) -> Iterator[Violation]:
    """One violation for each cycle, if these lists are run in this way; O(A log P)."""
    if (mode.comm, mode.send) == (ASYNC, BUFFERED):  # whoever waits, waits for an op: no other cycles
        return
    machine = Machine(actions, across, found, mode).run()
    if not machine.blocked:
        return
    waits = _Waits(actions, across, machine)
    seen: set[tuple[str, int]] = set()
    for d in machine.blocked:
        cycle = waits.cycle(d, seen)
        if cycle:
            yield waits.violation(cycle)


class _Waits:
    """Who waits for what: ("device", d) waits for a transfer, ("transfer", e) for a device or a transfer."""

    def __init__(self, actions: Actions, across: Crossings, machine: Machine) -> None:
        self.actions, self.across, self.machine = actions, across, machine

    def cycle(self, d: int, seen: set[tuple[str, int]]) -> list[tuple[str, int]]:
        """The cycle that device d's wait leads to, from a device on; empty if it was seen."""
        path: list[tuple[str, int]] = []
        node = ("device", d)
        while node not in seen:
            seen.add(node)
            path.append(node)
            node = self._next(node)
        if node not in path:
            return []
        cycle = path[path.index(node) :]
        first = next((at for at, (what, _) in enumerate(cycle) if what == "device"), 0)
        return cycle[first:] + cycle[:first]

    def _next(self, node: tuple[str, int]) -> tuple[str, int]:
        what, number = node
        machine = self.machine
        if what == "device":
            return "transfer", self._awaited(number)
        if machine.issued[number] is None:
            return "device", int(self.across.source[number])
        if machine.posted[number] is None and machine.mode.send == "rendezvous":
            return "device", int(self.across.target[number])
        return "transfer", self._ahead(number)

    def _awaited(self, d: int) -> int:
        """The transfer that a blocked device waits for."""
        what, number, _ = self.machine.steps[self.machine.heads[d]]
        if what != Act.COMPUTE:
            return number
        return next(edge for edge in self.machine.uses[number] if self.machine.arrived[edge] is None)

    def _ahead(self, edge: int) -> int:
        """The transfer at the head of a line that this one stands in."""
        heads = [self.machine.queues[end][0] for end in self.machine.channels[edge]]
        return next(head for head in heads if head != edge)

    def _head(self, d: int) -> str:
        return self.actions.text(self._action(d))

    def _action(self, d: int) -> int:
        """Where a blocked device stands."""
        return self.machine.steps[self.machine.heads[d]][2]

    def _line(self, edge: int, ahead: int) -> int:
        """The device in whose line one transfer stands behind another."""
        ends = self.machine.channels[edge]
        at = next(at for at, end in enumerate(ends) if self.machine.queues[end][0] == ahead)
        return int((self.across.source, self.across.target)[at][edge])

    def _name(self, edge: int, device: int) -> str:
        sends = int(self.across.source[edge]) == device
        return self.across.send_text(edge) if sends else self.across.recv_text(edge)

    def _sentence(self, before: tuple[str, int], edge: int, following: tuple[str, int]) -> str:
        """Why one transfer of the cycle does not happen."""
        what, other = following
        if what == "transfer":
            device = self._line(edge, other)
            ahead = self._name(other, device)
            return f"{self._name(edge, device)} (device {device}) waits behind {ahead} on its channel"
        issued = self.machine.issued[edge] is not None
        text = self.across.recv_text(edge) if issued else self.across.send_text(edge)
        device = before[1] if before[0] == "device" else self._line(before[1], edge)
        subject = self._head(device) if before[0] == "device" else self._name(edge, device)
        after = (
            "" if self._head(other) == text else f", which device {other} reaches after {self._head(other)}"
        )
        return f"{subject} (device {device}) waits for {text}{after}"

    def violation(self, cycle: list[tuple[str, int]]) -> Violation:
        """The cycle as a sentence, pointing at a device that takes part."""
        parts = [
            self._sentence(cycle[at - 1], number, cycle[(at + 1) % len(cycle)])
            for at, (what, number) in enumerate(cycle)
            if what == "transfer"
        ]
        d = cycle[0][1] if cycle[0][0] == "device" else int(self.across.source[cycle[0][1]])
        return Violation(
            "deadlock",
            self._head(d) if d in self.machine.blocked else None,
            d,
            self.actions.position(self._action(d)) if d in self.machine.blocked else None,
            f"deadlock: {'; '.join(parts)} (with {self.machine.mode})",
        )
