"""What a file holds, and taking it for a schedule: functions of schedules take what ``load`` gives, too."""

from typing import NamedTuple

from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.schedule import Schedule


class Loaded(NamedTuple):
    """A schedule from a file, the costs that the file gives, if any, and its transfers beside the compute."""

    schedule: Schedule
    costs: CostModel | None
    actions: Actions


Plan = Schedule | Actions
Given = Plan | Loaded


def plan_of(given: Given) -> Plan:
    """The schedule, or the whole lists where they hold more; TypeError for anything else."""
    if isinstance(given, Loaded):
        return given.schedule if given.actions.only_compute else given.actions
    if isinstance(given, Schedule | Actions):
        return given
    raise TypeError(f"expected a Schedule, Actions, or what load gives; got {type(given).__name__}")


def schedule_of(plan: Plan) -> Schedule:
    """The compute of it."""
    return plan.schedule if isinstance(plan, Actions) else plan


def costs_of(costs: CostModel | None, *given: Given) -> CostModel:
    """The costs that are asked for, else those of the first file that gives some, else the default ones."""
    own = [each.costs for each in given if isinstance(each, Loaded) and each.costs is not None]
    return costs or next(iter(own), None) or CostModel()
