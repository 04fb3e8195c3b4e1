"""Sharded parameters: when to gather and release a stage's, and when to reduce its gradients."""

from typing import NamedTuple

from pipesched.actions import Act, Actions, Extra
from pipesched.ops import Kind
from pipesched.schedule import Schedule

#: So many stages of a device are gathered at a time: one forward, one backward, one fetched ahead.
ACTIVE = 3


class _Between(NamedTuple):
    """Actions without a micro-batch, in order: columns."""

    code: list[int]
    stage: list[int]
    device: list[int]
    before: list[int]

    def put(self, act: Act, stage: int, device: int, before: int) -> None:
        for column, value in zip(self, (act, stage, device, before), strict=True):
            column.append(value)


def with_shards(plan: Schedule | Actions, *, unshard: bool, reduce_grad: bool) -> Actions:
    """UNSHARD and RESHARD around a stage's use, REDUCE_GRAD after its last weight gradient; O(N).

    A device gathers the next ``ACTIVE`` different stages that it works on and releases the others;
    both as torch 2.13 does, order included. What lists have already stays, and is not put in again.
    """
    if not isinstance(plan, Actions):
        return Actions.of(plan, _between(plan, unshard=unshard, reduce_grad=reduce_grad))
    put = _between(
        plan.schedule,
        unshard=unshard and not len(plan.find(Act.UNSHARD, Act.RESHARD)),
        reduce_grad=reduce_grad and not len(plan.find(Act.REDUCE_GRAD)),
    )
    return Actions.of(plan.schedule, plan.extra.joined(put))


def _between(schedule: Schedule, *, unshard: bool, reduce_grad: bool) -> Extra:
    between = _Between([], [], [], [])
    stages = _slot_stages(schedule)
    last = _last_gradients(schedule) if reduce_grad else {}
    for d in range(schedule.devices):
        slots = range(int(schedule.first_slot[d]), int(schedule.first_slot[d + 1]))
        wanted = _next_stages([stages[k] for k in slots]) if unshard else []
        active: set[int] = set()
        for at, k in enumerate(slots):
            if unshard:
                for stage in [held for held in active if held not in wanted[at]]:
                    active.remove(stage)
                    between.put(Act.RESHARD, stage, d, k)
                for stage in [new for new in wanted[at] if new not in active]:
                    active.add(stage)
                    between.put(Act.UNSHARD, stage, d, k)
            for stage in last.get(k, ()):
                between.put(Act.REDUCE_GRAD, stage, d, k + 1)
        for stage in list(active):
            between.put(Act.RESHARD, stage, d, slots.stop)
    none = [-1] * len(between.code)
    return Extra(between.code, between.stage, none, between.device, between.before)


def _slot_stages(schedule: Schedule) -> list[list[int]]:
    """The stage of each slot, or the two of a pair."""
    stages, ops = schedule.stage.tolist(), schedule.slot_op.tolist()
    return [stages[ops[k] : ops[k + 1]] for k in range(schedule.n_slots)]


def _next_stages(slots: list[list[int]]) -> list[list[int]]:
    """For each slot, the first ``ACTIVE`` different stages from there on; one more if a pair brings two."""
    ahead: list[tuple[int, int]] = []  # (stage, slot of its next use), nearest first
    found: list[list[int]] = []
    for at in range(len(slots) - 1, -1, -1):
        used = list(dict.fromkeys(slots[at]))
        ahead = [(stage, at) for stage in used] + [entry for entry in ahead if entry[0] not in used]
        del ahead[ACTIVE + 1 :]
        both = len(ahead) > ACTIVE and ahead[ACTIVE][1] == ahead[ACTIVE - 1][1]
        found.append([stage for stage, _ in ahead[: ACTIVE + both]])
    return found[::-1]


def _last_gradients(schedule: Schedule) -> dict[int, list[int]]:
    """By slot: the stages whose last weight gradient on that device is computed there."""
    last: dict[tuple[int, int], int] = {}
    for op, (kind, stage, device) in enumerate(
        zip(schedule.kind.tolist(), schedule.stage.tolist(), schedule.device.tolist(), strict=True)
    ):
        if kind in (Kind.B, Kind.W):
            last[device, stage] = op
    slots: dict[int, list[int]] = {}
    for (_, stage), op in sorted(last.items(), key=lambda entry: entry[1]):
        slots.setdefault(int(schedule.slot[op]), []).append(stage)
    return slots
