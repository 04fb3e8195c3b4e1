"""The rules about whole lists: transfers and shards. Most schedules have neither, so this is loaded late."""

from collections.abc import Iterator

from pipesched.actions import Actions
from pipesched.choices import Mode
from pipesched.validate.lists import Lists
from pipesched.validate.shards import SHARD_RULES
from pipesched.validate.transfer_deadlock import transfer_deadlocks
from pipesched.validate.transfers import TRANSFER_RULES
from pipesched.validate.violation import Rule, Violation

LIST_RULES: tuple[Rule, ...] = (*TRANSFER_RULES, *SHARD_RULES)


def broken_lists(plan: Actions, limit: int, mode: Mode | None, *, broken: bool) -> Iterator[Violation]:
    """What breaks these rules; deadlocks of transfers only where nothing else is ``broken``."""
    lists = Lists(plan)
    for rule in LIST_RULES:
        for violation in rule.first(lists, limit):
            broken = True
            yield violation
    if plan.has_transfers and not broken:
        yield from transfer_deadlocks(plan, lists.across, lists.found, mode or Mode())


def broken_transfers(plan: Actions) -> Iterator[Violation]:
    """One violation of each rule about transfers that is broken, deadlock excepted."""
    lists = Lists(plan)
    for rule in TRANSFER_RULES:
        yield from rule.first(lists, 1)
