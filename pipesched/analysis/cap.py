"""Activations above a cap: which device, when, at which op."""

from collections.abc import Iterator, Sequence

import numpy as np

from pipesched.analysis.memory import memory
from pipesched.errors import CostError
from pipesched.timeline import Timeline
from pipesched.validate.violation import Violation


def over_cap(timeline: Timeline, caps: Sequence[float], free_at: str | float = "w") -> Iterator[Violation]:
    """The first op of each device that holds more than its cap, in activations of one stage and micro-batch.

    ``caps`` is one for all devices, or one per device; CostError for another number of them.
    """
    schedule = timeline.schedule
    if len(caps) not in (1, schedule.devices):
        raise CostError(
            f"the memory cap lists {len(caps)} numbers; give one, or one per device: {schedule.devices}"
        )
    if not all(cap >= 0 for cap in caps):
        raise CostError(f"a memory cap must be 0 or more; got {min(caps):g}")
    held = memory(schedule, free_at)
    for d in range(schedule.devices):
        cap, start, stop = caps[d % len(caps)], int(schedule.first[d]), int(schedule.first[d + 1])
        over = np.flatnonzero(held.during[start:stop] > cap)
        if not len(over):
            continue
        op = start + int(over[0])
        message = (
            f"device {d} holds {held.during[op]:g} activations at {timeline.start[op]:g} "
            f"{timeline.costs.unit}, when {schedule.op(op)} starts: over its cap of {cap:g} "
            f"(its peak is {held.peak[d]:g})"
        )
        position = schedule.position(int(schedule.slot[op]))
        yield Violation("memory-cap", str(schedule.op(op)), d, position, message)
