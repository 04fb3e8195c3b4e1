"""What an order costs in nominal time, for generators that warn of slow ones."""

import numpy as np

from pipesched.schedule import Schedule

#: Nominal time of F, B, I and W.
_TIMES = np.array([1, 2, 1, 1])


def idle(schedule: Schedule) -> int:
    """The most that a device stands idle at F=1, B=2, I=W=1; the schedule must be free of deadlock.

    Sweeps down and up over the devices, each running as far as it can; O(ops).
    """
    duration = _TIMES[schedule.kind]
    needed, times = schedule.needs.neighbour.tolist(), duration.tolist()
    end = [0] * schedule.n_ops
    heads, stops = schedule.first[:-1].tolist(), schedule.first[1:].tolist()
    clocks = [0] * schedule.devices
    while heads != stops:
        for d in (*range(schedule.devices), *reversed(range(schedule.devices))):
            op, clock = heads[d], clocks[d]
            while op < stops[d] and (needed[op] < 0 or end[needed[op]]):
                ready = end[needed[op]] if needed[op] >= 0 else 0
                end[op] = clock = max(clock, ready) + times[op]
                op += 1
            heads[d], clocks[d] = op, clock
    busy = np.add.reduceat(duration, schedule.first[:-1])
    return max(clocks) - int(busy.min())
