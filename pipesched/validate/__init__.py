"""Whether a schedule can run, and if not, why, in words."""

from pipesched.actions import Actions
from pipesched.choices import Mode
from pipesched.errors import InvalidScheduleError
from pipesched.loaded import Given, Plan, plan_of
from pipesched.validate.deadlock import deadlocks
from pipesched.validate.rules import RULES
from pipesched.validate.violation import Rule, Violation

__all__ = ["Rule", "Violation", "check", "rules", "validate"]

#: At most so many violations of one rule are written out; the rest are counted.
LIMIT = 100

_DEADLOCK = Rule(
    "deadlock",
    "no device waits for itself through others",
    deadlocks,
    "devices, or transfers, that wait for each other, as a cycle",
)


def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of checking."""
    from pipesched.validate.of_lists import LIST_RULES  # noqa: PLC0415  most schedules have no such lists

    return (*RULES, _DEADLOCK, *LIST_RULES)


def validate(plan: Given, limit: int = LIMIT, *, mode: Mode | None = None) -> list[Violation]:
    """All violations of all rules; empty for what can run to its end.

    Lists with transfers are checked for deadlock in the way of ``mode`` too: by default sends wait for
    nobody. At most ``limit`` of one rule are written out, followed by one that counts the rest.
    """
    plan = plan_of(plan)
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    found = [violation for rule in (*RULES, _DEADLOCK) for violation in rule.first(schedule, limit)]
    if isinstance(plan, Actions) and not plan.only_compute:
        from pipesched.validate.of_lists import broken_lists  # noqa: PLC0415

        found.extend(broken_lists(plan, limit, mode, broken=bool(found)))
    return found


def check(plan: Plan) -> None:
    """Raise :class:`InvalidScheduleError` with the first violation, deadlock excepted.

    Deadlocks show when the schedule is run: see :func:`pipesched.simulate.simulate`.
    """
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    for rule in RULES:
        for violation in rule.first(schedule, 1):
            raise InvalidScheduleError(f"{plan.called} cannot run: {violation.message}")
    if isinstance(plan, Actions) and plan.has_transfers:
        from pipesched.validate.of_lists import broken_transfers  # noqa: PLC0415

        for violation in broken_transfers(plan):
            raise InvalidScheduleError(f"{plan.called} cannot run: {violation.message}")
