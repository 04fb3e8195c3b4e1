"""Everything that ``validate`` can check of one schedule, as its options ask."""

import warnings
from typing import NamedTuple

from pipesched.actions import Actions
from pipesched.choices import PAIR, RENDEZVOUS, Mode
from pipesched.cli.options import Moving
from pipesched.cli.source import Source
from pipesched.cli.transport import over_cap_of, plan_of, timeline_of, transport_of
from pipesched.errors import PipeschedWarning
from pipesched.validate import Violation, validate


class Demands(NamedTuple):
    """What is asked for beyond being able to run."""

    style: str | None
    memory_cap: str | None
    free_at: str


def violations(source: Source, moving: Moving, demands: Demands) -> list[Violation]:
    """All violations; a cap is looked at only where the schedule can run."""
    transport = transport_of(moving)
    mode = None if transport is None else transport.mode
    found = validate(source.plan, mode=mode)
    if not found and transport is None and isinstance(source.plan, Actions):
        _note_rendezvous(source.plan)
    if not found and transport is not None:
        found = validate(plan_of(source, moving), mode=mode)
    if demands.style is not None:
        from pipesched.validate.style import off_style

        found = [*found, *off_style(source.schedule, demands.style)]
    if demands.memory_cap is not None and not found:
        with warnings.catch_warnings():  # what is not run was checked
            warnings.simplefilter("ignore", PipeschedWarning)
            timeline = timeline_of(source, moving)
        found = over_cap_of(timeline, demands.memory_cap, demands.free_at)
    return found


def _note_rendezvous(plan: Actions) -> None:
    """Say so if it runs only because sends wait for nobody."""
    for violation in validate(plan, 1, mode=Mode(send=RENDEZVOUS, channels=PAIR)):
        message = f"{plan.called} runs where sends wait for nobody; else there is a {violation.message}"
        warnings.warn(message, PipeschedWarning, stacklevel=2)
        return
