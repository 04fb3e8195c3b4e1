"""Rules about sharded parameters and gradients, of files that have any: UNSHARD, RESHARD, REDUCE_GRAD."""

from collections.abc import Iterator

import numpy as np

from pipesched.actions import Act
from pipesched.ops import Kind
from pipesched.validate.lists import Lists
from pipesched.validate.violation import Rule, Violation


def reductions(lists: Lists) -> Iterator[Violation]:
    """Each device reduces each of its stages' gradients once, after the last of them."""
    actions = lists.actions
    reducing = actions.find(Act.REDUCE_GRAD)
    if not (len(reducing) or actions.has_transfers):
        return
    last = _last_gradients(lists)
    done: dict[tuple[int, int], int] = {}
    for action in reducing.tolist():
        held = (int(actions.device[action]), int(actions.stage[action]))
        yield from _wrong_reduction(lists, action, last.get(held), done.get(held))
        done.setdefault(held, action)
    for (d, stage), op in last.items():
        if (d, stage) not in done:
            text = f"{stage}REDUCE_GRAD"
            message = (
                f"{text} missing on device {d}: after {actions.schedule.op(op)} the gradients of "
                f"stage {stage} are neither reduced nor scaled"
            )
            yield lists.at("missing-reduce-grad", lists.action_of(op), message, text)


def _last_gradients(lists: Lists) -> dict[tuple[int, int], int]:
    """By (device, stage): the op that computes the last weight gradient."""
    schedule = lists.actions.schedule
    ops = np.flatnonzero(np.isin(schedule.kind, (Kind.B, Kind.W)))
    held = zip(schedule.device[ops].tolist(), schedule.stage[ops].tolist(), strict=True)
    return dict(zip(held, ops.tolist(), strict=True))


def _wrong_reduction(lists: Lists, action: int, last: int | None, earlier: int | None) -> Iterator[Violation]:
    actions = lists.actions
    text, d = actions.text(action), int(actions.device[action])
    where = f"{text} (device {d}, {lists.cell(action)})"
    if last is None:
        stage = int(actions.stage[action])
        yield lists.at(
            "early-reduce-grad", action, f"{where} reduces stage {stage}, which device {d} never runs"
        )
    elif earlier is not None:
        message = f"{where} stands twice, also in {lists.cell(earlier)}: the gradients are scaled twice"
        yield lists.at("duplicate-reduce-grad", action, message)
    elif action < lists.action_of(last):
        op, cell = actions.schedule.op(last), lists.cell(lists.action_of(last))
        message = f"{where} stands before {op} ({cell}), whose gradient it leaves out"
        yield lists.at("early-reduce-grad", action, message)


def sharding(lists: Lists) -> Iterator[Violation]:
    """A stage is gathered before it is used, not twice, and released in the end."""
    actions = lists.actions
    for d in np.unique(actions.device[actions.find(Act.UNSHARD, Act.RESHARD)]).tolist():
        yield from _sharding_of(lists, d)


def _sharding_of(lists: Lists, d: int) -> Iterator[Violation]:
    actions, schedule = lists.actions, lists.actions.schedule
    gathered: dict[int, int] = {}  # stage -> its UNSHARD
    told: set[int] = set()  # stages whose use has been complained about since
    for action in range(int(actions.first[d]), int(actions.first[d + 1])):
        code, stage = int(actions.code[action]), int(actions.stage[action])
        where = f"{actions.text(action)} (device {d}, {lists.cell(action)})"
        if code == Act.UNSHARD:
            if stage in gathered:
                message = f"{where} repeats {lists.cell(gathered[stage])} without a {stage}RESHARD between"
                yield lists.at("repeated-unshard", action, message)
            gathered[stage] = action
        elif code == Act.RESHARD:
            if gathered.pop(stage, None) is None:
                yield lists.at("not-unsharded", action, f"{where} releases a stage that is not gathered")
            told.discard(stage)
        elif code == Act.COMPUTE:
            slot = int(actions.slot[action])
            used = schedule.stage[int(schedule.slot_op[slot]) : int(schedule.slot_op[slot + 1])].tolist()
            for missing in {*used} - gathered.keys() - told:
                told.add(missing)
                yield lists.at("not-unsharded", action, f"{where} runs while stage {missing} is not gathered")
    for stage, action in gathered.items():
        message = f"{actions.text(action)} (device {d}, {lists.cell(action)}) has no {stage}RESHARD after it"
        yield lists.at("never-resharded", action, message)


SHARD_RULES = (
    Rule(
        "missing-reduce-grad",
        "a stage's gradients are reduced after the last of them, once",
        reductions,
        "gradients that are never reduced",
        {
            "early-reduce-grad": "a REDUCE_GRAD before the last gradient, or of a stage that never runs here",
            "duplicate-reduce-grad": "a REDUCE_GRAD that stands twice",
        },
    ),
    Rule(
        "never-resharded",
        "a stage is gathered before its use, not twice, and released",
        sharding,
        "an UNSHARD without a RESHARD after it",
        {
            "repeated-unshard": "an UNSHARD of a stage that is gathered already",
            "not-unsharded": "a use, or a RESHARD, of a stage that is not gathered",
        },
    ),
)
