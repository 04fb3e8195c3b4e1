"""Whether a schedule can run, and if not, why, in words."""

from collections.abc import Iterator

from pipesched.actions import Actions
from pipesched.channels import Mode
from pipesched.errors import InvalidScheduleError
from pipesched.schedule import Schedule
from pipesched.validate.deadlock import deadlocks
from pipesched.validate.lists import Lists
from pipesched.validate.rules import RULES
from pipesched.validate.shards import SHARD_RULES
from pipesched.validate.transfer_deadlock import transfer_deadlocks
from pipesched.validate.transfers import TRANSFER_RULES
from pipesched.validate.violation import Rule, Violation

__all__ = ["Mode", "Rule", "Violation", "check", "rules", "validate"]

#: At most so many violations of one rule are written out; the rest are counted.
LIMIT = 100

_DEADLOCK = Rule(
    "deadlock",
    "no device waits for itself through others",
    deadlocks,
    "devices, or transfers, that wait for each other, as a cycle",
)
_LIST_RULES = (*TRANSFER_RULES, *SHARD_RULES)


def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of checking."""
    return (*RULES, _DEADLOCK, *_LIST_RULES)


def validate(plan: Schedule | Actions, limit: int = LIMIT, *, mode: Mode | None = None) -> list[Violation]:
    """All violations of all rules; empty for what can run to its end.

    Lists with transfers are checked for deadlock in the way of ``mode`` too: by default sends wait for
    nobody. At most ``limit`` of one rule are written out, followed by one that counts the rest.
    """
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    found = [violation for rule in (*RULES, _DEADLOCK) for violation in rule.first(schedule, limit)]
    if isinstance(plan, Actions) and not plan.only_compute:
        found.extend(_of_lists(Lists(plan), limit, mode or Mode(), broken=bool(found)))
    return found


def _of_lists(lists: Lists, limit: int, mode: Mode, *, broken: bool) -> Iterator[Violation]:
    for rule in _LIST_RULES:
        for violation in rule.first(lists, limit):
            broken = True
            yield violation
    if lists.actions.has_transfers and not broken:
        yield from transfer_deadlocks(lists.actions, lists.across, lists.found, mode)


def check(plan: Schedule | Actions) -> None:
    """Raise :class:`InvalidScheduleError` with the first violation, deadlock excepted.

    Deadlocks show when the schedule is run: see :func:`pipesched.simulate.simulate`.
    """
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    for rule in RULES:
        for violation in rule.first(schedule, 1):
            raise InvalidScheduleError(f"{plan.name} cannot run: {violation.message}")
    if isinstance(plan, Actions) and plan.has_transfers:
        for rule in TRANSFER_RULES:
            for violation in rule.first(Lists(plan), 1):
                raise InvalidScheduleError(f"{plan.name} cannot run: {violation.message}")
