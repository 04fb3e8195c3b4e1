"""Lowering: sends and receives put into a schedule's lists.

A send stands directly after its op. Where the receive stands is a choice:

- ``early``: where it is sent. All devices run in turns, one action each, and whoever runs a sender puts the
  receive at the end of the other device's list so far. All lists are then parts of one sequence, so that no
  way of transferring can deadlock. torch 2.13's default, order included.
- ``late``: directly before the op that uses it; but of two devices, the lower posts what it is owed before it
  sends to the higher. torch's ``defer_pp_recv``, wherever that keeps receives in the order of the sends.
- ``paired``: as late as two devices can list their common transfers in one order, so that a send takes the
  receives before it along, like Megatron-LM's combined calls.
"""

from collections import deque
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from pipesched._kernel import Links, end_times
from pipesched.actions import RECEIVES, SENDS, Act, Actions, moved
from pipesched.choices import Recv
from pipesched.crossings import Crossings, carriers, crossings
from pipesched.errors import InvalidScheduleError, ShapeError
from pipesched.loaded import Given, plan_of
from pipesched.transfers.shards import with_shards
from pipesched.validate import check
from pipesched.validate.deadlock import explain, run

Ints = npt.NDArray[np.int64]

#: Where receives can stand.
EARLY, LATE, PAIRED = RECV = get_args(Recv)


def lower(plan: Given, recv: str = EARLY, *, fsdp: bool = False, reduce_grad: bool = True) -> Actions:
    """Compute, SEND and RECV, and REDUCE_GRAD, of every device; O(N log N).

    ``fsdp`` adds UNSHARD and RESHARD. What lists hold already stays where it is. Raises
    :class:`InvalidScheduleError` for a schedule that cannot run to its end, :class:`ShapeError` for lists
    that have transfers and for another ``recv`` than early, late or paired.
    """
    if recv not in RECV:
        raise ShapeError(f"recv must be {', '.join(RECV[:-1])} or {RECV[-1]}; got {recv!r}")
    plan = plan_of(plan)
    if isinstance(plan, Actions) and plan.has_transfers:
        raise ShapeError(f"{plan.called} has transfers of its own: lowering would put them in twice")
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    check(schedule)
    ran = run(schedule)
    for violation in explain(schedule, ran):
        raise InvalidScheduleError(f"{schedule.called} cannot run: {violation.message}")
    actions = with_shards(plan, unshard=fsdp, reduce_grad=reduce_grad)
    across = crossings(schedule)
    lowered = _interleaved(actions, across, _turns(actions, ran.order))
    return lowered if recv == EARLY else _deferred(lowered, across, together=recv == PAIRED)


def _turns(actions: Actions, order: list[int]) -> Ints:
    """The turn in which each action runs when devices take turns, one action each: int64[A].

    A lower device's result is there in the same turn, a higher one's in the next.
    """
    schedule = actions.schedule
    compute = actions.compute
    first = actions.first[schedule.slot_device]
    before = np.arange(schedule.n_slots, dtype=np.int64) - 1
    opens = schedule.first_slot[:-1][np.diff(schedule.first_slot) > 0]
    before[opens] = schedule.n_slots
    steps = np.diff(compute, prepend=0)
    steps[opens] = compute[opens] - first[opens] + 1
    awaited = schedule.awaited
    device = np.append(schedule.slot_device, -1)
    lag = np.where(awaited < schedule.n_slots, (device[awaited] > device[:-1]) - steps, 0)
    ran = end_times(order, Links(before, awaited, lag.astype(np.float64)), steps.astype(np.float64))
    turns = np.arange(actions.n_actions, dtype=np.int64) - actions.first[actions.device] + 1
    late = np.zeros(actions.n_actions, dtype=np.int64)  # how much later than without waiting
    late[compute] = ran.astype(np.int64) - turns[compute]
    for start, stop in zip(actions.first[:-1].tolist(), actions.first[1:].tolist(), strict=True):
        late[start:stop] = np.maximum.accumulate(late[start:stop])
    return turns + late


def _interleaved(actions: Actions, across: Crossings, turns: Ints) -> Actions:
    """Every send after its op, every receive at the same place of the common sequence."""
    schedule = actions.schedule
    source = actions.compute[schedule.slot[across.producer]]
    second = across.producer - schedule.slot_op[schedule.slot[across.producer]]
    size, n = len(across), actions.n_actions
    forward = np.where(across.backward, Act.SEND_B - Act.SEND_F, 0)
    columns: dict[str, tuple[npt.NDArray[Any], ...]] = {
        "code": (actions.code, Act.SEND_F + forward, Act.RECV_F + forward),
        "stage": (actions.stage, across.sent_by, across.received_by),
        "microbatch": (actions.microbatch, across.microbatch, across.microbatch),
        "slot": (actions.slot, np.full(size, -1), np.full(size, -1)),
        "device": (actions.device, across.source, across.target),
        "turn": (turns, turns[source], turns[source]),
        "runner": (actions.device, across.source, across.source),
        "place": (np.zeros(n, dtype=np.int64), 1 + 2 * second, 2 + 2 * second),
    }
    whole: dict[str, npt.NDArray[Any]] = {key: np.concatenate(parts) for key, parts in columns.items()}
    order = np.lexsort((whole["place"], whole["runner"], whole["turn"], whole["device"]))
    return _reordered(actions, whole, order)


def _reordered(actions: Actions, whole: dict[str, npt.NDArray[Any]], order: Ints) -> Actions:
    """Columns that begin with those of ``actions``, in another order."""
    schedule = actions.schedule
    count = np.bincount(whole["device"].astype(np.int64), minlength=schedule.devices)
    return Actions(
        schedule,
        whole["code"][order].astype(np.int8),
        whole["stage"][order].astype(np.int32),
        whole["microbatch"][order].astype(np.int32),
        whole["slot"][order].astype(np.int32),
        np.concatenate(([0], np.cumsum(count))).astype(np.int64),
        moved(actions.texts, order),
    )


def _deferred(actions: Actions, across: Crossings, *, together: bool) -> Actions:
    """Receives moved back, in their order, to where something needs them."""
    defer = _Deferral(actions, across, together=together)
    order = [at for d in range(actions.schedule.devices) for at in defer.device(d)]
    columns = {key: getattr(actions, key) for key in ("code", "stage", "microbatch", "slot", "device")}
    return _reordered(actions, columns, np.array(order, dtype=np.int64))


class _Deferral:
    def __init__(self, actions: Actions, across: Crossings, *, together: bool) -> None:
        self.together = together
        self.first, self.code = actions.first.tolist(), actions.code.tolist()
        self.slot, self.crossing = actions.slot.tolist(), carriers(actions, across).crossing.tolist()
        self.source, self.target = across.source.tolist(), across.target.tolist()
        uses: dict[int, list[int]] = {}
        for edge, slot in enumerate(actions.schedule.slot[across.consumer].tolist()):
            uses.setdefault(slot, []).append(edge)
        self.uses = uses

    def device(self, d: int) -> list[int]:
        """One device's actions in their new order."""
        out: list[int] = []
        owed: dict[int, deque[tuple[int, int]]] = {}  # by sending device: (crossing, action), oldest first
        posted: set[int] = set()

        def post(peer: int, up_to: int | None) -> None:
            queue = owed.get(peer, deque())
            while queue and up_to not in posted:
                edge, action = queue.popleft()
                posted.add(edge)
                out.append(action)

        for at in range(self.first[d], self.first[d + 1]):
            code, edge = self.code[at], self.crossing[at]
            if code in RECEIVES:
                owed.setdefault(self.source[edge], deque()).append((edge, at))
                continue
            if code in SENDS and (self.together or d < self.target[edge]):
                post(self.target[edge], None)
            for needed in self.uses.get(self.slot[at], ()) if code == Act.COMPUTE else ():
                post(self.source[needed], needed)
            out.append(at)
        return out
