"""Times with transfers: the lists run by :class:`pipesched.channels.Machine`."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pipesched.actions import Actions
from pipesched.channels import Load, Machine
from pipesched.costs import CostModel
from pipesched.crossings import Carriers, Crossings, carriers, crossings
from pipesched.errors import InvalidScheduleError
from pipesched.schedule import Schedule
from pipesched.simulate.compute import check_runs, slot_durations, ticks_per_unit
from pipesched.timeline import Floats, Timeline
from pipesched.transfers import lower
from pipesched.transport import Transport
from pipesched.validate.transfer_deadlock import transfer_deadlocks


@dataclass(frozen=True, eq=False, repr=False)
class TransferTimeline(Timeline):
    """Times of transfers too: float64[E], one per crossing.

    ``issued`` when the sender comes to its SEND, ``posted`` the receiver to its RECV; ``begun`` to
    ``sent`` the transfer holds its channel; ``arrived`` is when the result can be used.
    """

    actions: Actions
    transport: Transport
    across: Crossings
    issued: Floats
    posted: Floats
    begun: Floats
    sent: Floats
    arrived: Floats
    runs_transfers: ClassVar[bool] = True


def with_transfers(plan: Schedule | Actions, costs: CostModel, transport: Transport) -> TransferTimeline:
    """See :func:`pipesched.simulate.simulate`."""
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    if isinstance(plan, Actions) and plan.has_transfers:
        actions = plan
        check_runs(actions)
    else:
        actions = lower(plan, reduce_grad=False)
    across = crossings(schedule)
    found = carriers(actions, across)
    return _timeline(actions, costs, transport, across, found)


def _timeline(
    actions: Actions, costs: CostModel, transport: Transport, across: Crossings, found: Carriers
) -> TransferTimeline:
    schedule = actions.schedule
    slots = slot_durations(schedule, costs)
    held = transport.durations(across, schedule.devices, schedule.stages)
    ticks = ticks_per_unit(np.concatenate((slots, held)), costs.latency)
    scale = ticks or 1
    times = [np.rint(part * scale) if ticks else part for part in (slots, held)]
    latency = np.full(len(across), round(costs.latency * scale) if ticks else costs.latency)
    load = Load(times[0].tolist(), times[1].tolist(), latency.tolist())
    machine = Machine(actions, across, found, transport.mode, load).run()
    if machine.blocked:  # which it is at whatever times: lists are gone through in order
        for violation in transfer_deadlocks(actions, across, found, transport.mode):
            raise InvalidScheduleError(f"{schedule.called} cannot run: {violation.message}")
    start, end = np.array(machine.start), np.array(machine.end)
    arrived = np.array(machine.arrived, dtype=np.float64)
    lag = np.zeros_like(schedule.awaited, dtype=np.float64)
    slot = schedule.slot[across.consumer]
    second = across.consumer != schedule.slot_op[slot]
    lag[second.astype(np.int64), slot] = arrived - end[schedule.slot[across.producer]]
    return TransferTimeline(
        schedule,
        costs,
        start / scale,
        end / scale,
        lag / scale,
        actions,
        transport,
        across,
        np.array(machine.issued, dtype=np.float64) / scale,
        np.array(machine.posted, dtype=np.float64) / scale,
        np.array(machine.begun, dtype=np.float64) / scale,
        np.array(machine.sent, dtype=np.float64) / scale,
        arrived / scale,
        listed=actions,
    )
