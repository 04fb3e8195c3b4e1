"""BitPipe."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.generators._slot_rule import both_ends, idle, two_slots_apart
from pipesched.placement import bidirectional_zigzag
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

_EVEN, _GENERAL = idle(t.PP - 2)


@schedule(
    "bitpipe",
    title="BitPipe",
    source="Wu et al. 2024, arXiv:2410.19367",
    placement=bidirectional_zigzag,
    chunks=4,
    constraints=both_ends,
    formula=_EVEN,
    general=(_GENERAL,),
)
def bitpipe(p: Pipeline) -> Schedule:
    """Chimera over V-shaped pipelines: two directions, two stages of each on every device.

    Micro-batches 0..MB/2-1 run the V that opens at device 0, the rest the V that opens at the last
    device; units of PP micro-batches follow each other and the parameters stand twice. Slots assume
    F = B: then PP-2 forwards of a (half-size) stage are idle; in general
    (PP-2)(min(F,B) + MB/PP |B-F|).
    """
    return two_slots_apart("bitpipe", p, bidirectional_zigzag(p.devices))
