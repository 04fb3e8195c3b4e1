"""The least makespan that any order could have, at these costs and on this placement.

Every device must wait until the first micro-batch can reach it, and then do all its work: that is one
bound. If it does nothing but forwards and input gradients, the last of those must still find its way back
to stage 0 and its weight gradient be run: that is another. Backwards may be split, whatever this schedule
does; pairs are counted where it has some. With one stage per device and equal stages these are
idle >= (PP-1)(F+c) and makespan >= (MB+PP-1)(F+I) + 2c(PP-1) + W (Qi et al. 2024).
"""

from typing import NamedTuple

import numpy as np

from pipesched.costs import CostModel
from pipesched.ops import Kind
from pipesched.placement import Placement
from pipesched.schedule import Schedule
from pipesched.timeline import Floats, Timeline


class Bound(NamedTuple):
    """``makespan`` is the bound, ``device`` the one that sets it, ``over`` what the timeline takes more."""

    makespan: float
    device: int
    over: float
    optimal: bool


def least_makespan(timeline: Timeline) -> Bound:
    """The larger of both bounds, over all devices; a pair is taken as long as the model says."""
    schedule = timeline.schedule
    return bound(schedule, timeline.costs, _microbatches(schedule), timeline.makespan)


def bound(schedule: Schedule, costs: CostModel, counts: Floats, makespan: float) -> Bound:
    """The same for other numbers of micro-batches per device and chunk: ``counts`` float64[P, chunks]."""
    f, b, i, w = costs.per_stage(schedule.stages)
    backward = np.minimum(b, i + w)
    chain = np.minimum(i, b)  # what passes a gradient on, at the least
    both, fed = f + backward, f + chain
    if schedule.paired.any() and costs.FB is not None:
        each = np.arange(schedule.stages)
        pair = costs.pair_times(each, each, schedule.stages)
        both, fed = np.minimum(both, pair), np.minimum(fed, pair)
    bounds = np.zeros(schedule.devices)
    reach = [_reach(schedule.placement, flow, f, costs.latency) for flow in range(schedule.placement.n_flows)]
    back = [
        _reach(schedule.placement, flow, chain, costs.latency) for flow in range(schedule.placement.n_flows)
    ]
    for d, (held, flows) in enumerate(zip(schedule.placement.stages, schedule.placement.flows, strict=True)):
        first = min(reach[flow][s] for s, flow in zip(held, flows, strict=True))
        last = min(
            back[flow][s] + min(w[0], backward[0] - chain[0]) for s, flow in zip(held, flows, strict=True)
        )
        all_work = sum(float(counts[d, c] * both[s]) for c, s in enumerate(held))
        no_weights = sum(float(counts[d, c] * fed[s]) for c, s in enumerate(held))
        bounds[d] = first + max(all_work, no_weights + max(last, 0.0))
    worst = int(np.argmax(bounds))
    least = float(bounds[worst])
    over = round(makespan - least, 9) + 0.0
    return Bound(least, worst, over, optimal=abs(over) <= 1e-9 * max(makespan, 1e-300))


def _microbatches(schedule: Schedule) -> Floats:
    """Number of micro-batches per device and chunk, float64[P, chunks]."""
    chunks = max(map(len, schedule.placement.stages), default=0)
    forwards = schedule.kind == Kind.F
    key = schedule.device[forwards].astype(np.int64) * chunks + schedule.chunk[forwards]
    return np.bincount(key, minlength=schedule.devices * chunks).reshape(-1, chunks).astype(np.float64)


def _reach(placement: Placement, flow: int, times: Floats, latency: float) -> Floats:
    """When work that starts at stage 0 can reach each stage of a flow: the sum of all before, and hops."""
    device = np.zeros(len(times), dtype=np.int64)
    for d, (held, flows) in enumerate(zip(placement.stages, placement.flows, strict=True)):
        for stage, served in zip(held, flows, strict=True):
            if served == flow:
                device[stage] = d
    hops = np.concatenate(([0], np.cumsum(np.diff(device) != 0)))
    reach: Floats = np.concatenate(([0.0], np.cumsum(times)[:-1])) + latency * hops
    return reach
