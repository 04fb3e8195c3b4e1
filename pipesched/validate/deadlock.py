"""Running every device's list as far as it goes, without times; what stops it, as a cycle of waits."""

from collections.abc import Iterator
from typing import NamedTuple

from pipesched.ops import Kind
from pipesched.schedule import Schedule
from pipesched.validate.violation import Violation


class Run(NamedTuple):
    """``order``: the slots that can run, each after what it awaits; ``heads``: where each device stops."""

    order: list[int]
    heads: list[int]


def run(schedule: Schedule) -> Run:
    """Let every device run ahead until its next slot lacks an input, then wait for that; O(slots)."""
    need_a, need_b = schedule.awaited.tolist()
    stops = schedule.first_slot.tolist()
    heads = stops[:-1]
    done = bytearray(schedule.n_slots) + b"\1"  # the last entry stands for "nothing to wait for"
    waiting: dict[int, list[int]] = {}
    order: list[int] = []
    ready = list(range(schedule.devices - 1, -1, -1))
    while ready:
        d = ready.pop()
        k, stop = heads[d], stops[d + 1]
        while k < stop:
            missing = need_a[k] if not done[need_a[k]] else need_b[k]
            if not done[missing]:
                waiting.setdefault(missing, []).append(d)
                break
            done[k] = 1
            order.append(k)
            if k in waiting:
                ready.extend(waiting.pop(k))
            k += 1
        heads[d] = k
    return Run(order, heads)


def deadlocks(schedule: Schedule) -> Iterator[Violation]:
    """One violation for each cycle of devices that wait for each other."""
    if schedule.n_slots:
        yield from explain(schedule, run(schedule))


def explain(schedule: Schedule, stopped: Run) -> Iterator[Violation]:
    """The cycles behind a run that stopped early; none if it went to the end."""
    if len(stopped.order) == schedule.n_slots:
        return
    wait = _Waits(schedule, stopped)
    seen: set[int] = set()
    for start in wait.blocked:
        path: list[int] = []
        d: int | None = start
        while d is not None and d not in seen:
            seen.add(d)
            path.append(d)
            d = wait.next_device(d)
        if d in path:
            cycle = path[path.index(d) :]
            yield wait.sentence(wait.forward_first(cycle))


class _Waits:
    """Which device each blocked device waits for."""

    def __init__(self, schedule: Schedule, stopped: Run) -> None:
        self.schedule, self.heads = schedule, stopped.heads
        ends = schedule.first_slot.tolist()[1:]
        self.blocked = [d for d, head in enumerate(stopped.heads) if head < ends[d]]
        self._device = schedule.slot_device

    def _has_run(self, slot: int) -> bool:
        return slot < self.heads[int(self._device[slot])]

    def waiting_op(self, d: int) -> int:
        """The op in device d's next slot whose input is not there."""
        ops = range(*self.schedule.slot_op[self.heads[d] : self.heads[d] + 2].tolist())
        needed = self.schedule.needs.neighbour
        return next(
            op for op in ops if needed[op] >= 0 and not self._has_run(int(self.schedule.slot[needed[op]]))
        )

    def next_device(self, d: int) -> int:
        return int(self.schedule.device[self.schedule.needs.neighbour[self.waiting_op(d)]])

    def forward_first(self, cycle: list[int]) -> list[int]:
        """The cycle told from a waiting forward on: that is how people think of a pipeline."""
        kinds = [int(self.schedule.kind[self.waiting_op(d)]) for d in cycle]
        at = kinds.index(Kind.F) if Kind.F in kinds else 0
        return cycle[at:] + cycle[:at]

    def sentence(self, cycle: list[int]) -> Violation:
        schedule = self.schedule
        parts: list[str] = []
        for d in cycle:
            op = self.waiting_op(d)
            needed = int(schedule.needs.neighbour[op])
            other = int(schedule.device[needed])
            head = self.heads[other]
            part = f"{schedule.op(op)}{f' (device {d})' if not parts else ''} waits for {schedule.op(needed)}"
            if schedule.slot[needed] != head:
                part += f", which device {other} runs after {schedule.op(self.waiting_op(other))}"
            elif self.waiting_op(other) != needed:
                part += f", which device {other} runs together with {schedule.op(self.waiting_op(other))}"
            parts.append(part)
        head = self.heads[cycle[0]]
        return Violation(
            "deadlock",
            str(schedule.op(self.waiting_op(cycle[0]))),
            cycle[0],
            schedule.position(head),
            "deadlock: " + "; ".join(parts),
        )
