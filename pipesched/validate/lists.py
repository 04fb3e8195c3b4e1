"""What the rules about transfers look at."""

from functools import cached_property

from pipesched import words
from pipesched.actions import Actions
from pipesched.crossings import Carriers, Crossings, carriers, crossings
from pipesched.validate.violation import Violation


class Lists:
    """Whole lists, with what crosses between devices and which actions carry it."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    @cached_property
    def across(self) -> Crossings:
        """Results that another device needs."""
        return crossings(self.actions.schedule)

    @cached_property
    def found(self) -> Carriers:
        """Which actions carry them."""
        return carriers(self.actions, self.across)

    def action_of(self, op: int) -> int:
        """The action that runs an op."""
        return int(self.actions.compute[self.actions.schedule.slot[op]])

    def cell(self, action: int) -> str:
        """``cell 3``: where an action stands in its device's list, counted from 1."""
        return words.cell(self.actions.position(action))

    def at(self, code: str, action: int, message: str, op: str | None = None) -> Violation:
        """A violation at an action; ``op`` where it is about another one, that is not there."""
        actions = self.actions
        text = actions.text(action) if op is None else op
        return Violation(code, text, int(actions.device[action]), actions.position(action), message)
