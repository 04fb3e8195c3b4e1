"""Whether a schedule can run, and if not, why, in words."""

from pipesched.errors import InvalidScheduleError
from pipesched.schedule import Schedule
from pipesched.validate.deadlock import deadlocks
from pipesched.validate.rules import RULES
from pipesched.validate.violation import Rule, Violation

__all__ = ["Rule", "Violation", "check", "rules", "validate"]

#: At most so many violations of one rule are written out; the rest are counted.
LIMIT = 100


def rules() -> tuple[Rule, ...]:
    """Every rule, in the order of checking."""
    return (*RULES, Rule("deadlock", "no device waits for itself through others", deadlocks))


def validate(schedule: Schedule, limit: int = LIMIT) -> list[Violation]:
    """All violations of all rules; empty for a schedule that can run to its end.

    At most ``limit`` of one rule are written out, followed by one that counts the rest.
    """
    return [violation for rule in rules() for violation in rule.first(schedule, limit)]


def check(schedule: Schedule) -> None:
    """Raise :class:`InvalidScheduleError` with the first violation, deadlock excepted.

    Deadlocks show when the schedule is run: see :func:`pipesched.simulate.simulate`.
    """
    for rule in RULES:
        for violation in rule.first(schedule, 1):
            raise InvalidScheduleError(f"{schedule.name} cannot run: {violation.message}")
