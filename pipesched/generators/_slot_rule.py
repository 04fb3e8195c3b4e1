"""The slot rule that Chimera, Hanayo and BitPipe share: forwards and backwards two slots apart."""

import numpy as np
import numpy.typing as npt

from pipesched import formula as t
from pipesched.generators._registry import needs
from pipesched.ops import Kind
from pipesched.placement import Placement
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

whole_units = needs("a multiple of PP micro-batches", lambda p: p.microbatches % p.devices == 0)
#: What schedules that feed whole units of PP micro-batches from both ends need.
both_ends = (needs("an even number of devices", lambda p: p.devices % 2 == 0, about="devices"), whole_units)


def idle(slots: t.Expr) -> tuple[t.Formula, t.Formula]:
    """The idle time of a device that is idle for so many slots: at F = B, and in general.

    With uneven times every unit of PP micro-batches waits again for the longer of the two.
    """
    uneven = t.minimum(t.F, t.B) + t.MB / t.PP * t.maximum(t.F - t.B, t.B - t.F)
    return (
        t.Formula(slots * t.F, exact_if=(t.F.equals(t.B), t.C.equals(0))),
        t.Formula(slots * uneven, exact_if=(t.C.equals(0),)),
    )


def two_slots_apart(name: str, p: Pipeline, where: Placement) -> Schedule:
    """Every device's ops in the order of their slots, which no two of a device share.

    Units of PP micro-batches, shared out evenly over the flows, follow each other every 2S slots (S
    stages). The i-th micro-batch of a unit and flow runs its forward on stage s in slot s + 2i, its
    backward in slot S + (S-1-s) + 2i.
    """
    flows, stages = where.n_flows, where.n_stages
    per_flow = p.microbatches // flows
    unit, i = np.divmod(np.arange(per_flow), p.devices // flows)
    # Axes: flow, stage, kind, micro-batch of the flow.
    flow, stage, kind, at = np.indices((flows, stages, 2, per_flow)).reshape(4, -1)
    slot = 2 * stages * unit[at] + 2 * i[at] + np.where(kind == Kind.F, stage, 2 * stages - 1 - stage)
    device = _holder(where)[flow, stage]
    order = np.lexsort((slot, device))
    return Schedule.from_columns(
        name,
        kind=kind[order],
        stage=stage[order],
        microbatch=(flow * per_flow + at)[order],
        slot=np.arange(len(order)),
        first=np.searchsorted(device[order], np.arange(p.devices + 1)),
        where=where,
    )


def _holder(where: Placement) -> npt.NDArray[np.int64]:
    """Which device holds each flow's stage, int64[flows, S]."""
    holder = np.empty((where.n_flows, where.n_stages), dtype=np.int64)
    for d, (stages, flows) in enumerate(zip(where.stages, where.flows, strict=True)):
        holder[list(flows), list(stages)] = d
    return holder
