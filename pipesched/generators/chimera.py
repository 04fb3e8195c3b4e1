"""Chimera."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.generators._slot_rule import both_ends, idle, two_slots_apart
from pipesched.placement import bidirectional
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

_EVEN, _GENERAL = idle(t.PP - 2)


@schedule(
    "chimera",
    title="Chimera",
    source="Li and Hoefler 2021, arXiv:2107.06925",
    placement=bidirectional,
    chunks=2,
    constraints=both_ends,
    formula=_EVEN,
    general=(_GENERAL,),
)
def chimera(p: Pipeline) -> Schedule:
    """Two 1F1B pipelines in opposite directions, each filling the other's bubble.

    Units of PP micro-batches, half of them down (stage s on device s) and half up (stage s on device
    PP-1-s), follow each other without a gap; the parameters stand twice. Slots assume F = B: then the
    idle time is (PP-2)F however many units there are; at B = 2F it is (PP-2)(MB/PP+1)F, for every unit
    waits again: in general (PP-2)(min(F,B) + MB/PP |B-F|). Micro-batches 0..MB/2-1 flow down, the rest
    up.
    """
    return two_slots_apart("chimera", p, bidirectional(p.devices))
