"""Start and end of every op, as soon as possible."""

from dataclasses import replace
from typing import TYPE_CHECKING

from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.loaded import Given, costs_of, plan_of
from pipesched.simulate.compute import compute, links, slot_durations
from pipesched.timeline import Timeline

if TYPE_CHECKING:
    from pipesched.transport import Transport

__all__ = ["links", "simulate", "slot_durations"]


def simulate(plan: Given, costs: CostModel | None = None, transport: "Transport | None" = None) -> Timeline:
    """Run every device's list in order, each slot as soon as its inputs are there.

    A file that was loaded is run with its own costs where no others are given.

    Without ``transport``, compute alone is run, O(N): latency delays a consumer on another device and
    occupies nobody. With one, SEND and RECV are run too, O(N log P); those of the lists, or where there
    are none, those of :func:`pipesched.transfers.lower`. The two agree where transfers are async,
    buffered and take no bandwidth.

    A pair is atomic: it starts when both its ops may, and both results exist at its end. Where all times
    are decimal multiples of one tick, sums are exact. Raises :class:`InvalidScheduleError` for what
    cannot run to its end, :class:`CostError` for times that do not fit its stages.
    """
    costs, plan = costs_of(costs, plan), plan_of(plan)
    if transport is None:
        if not isinstance(plan, Actions) or plan.only_compute:
            return compute(plan.schedule if isinstance(plan, Actions) else plan, costs)
        return replace(compute(plan.schedule, costs), listed=plan)
    from pipesched.simulate.transfers import with_transfers  # noqa: PLC0415  only when asked for

    return with_transfers(plan, costs, transport)
