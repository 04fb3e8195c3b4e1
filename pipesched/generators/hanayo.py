"""Hanayo."""

from pipesched import formula as t
from pipesched.generators._registry import needs, schedule
from pipesched.generators._slot_rule import two_slots_apart
from pipesched.placement import zigzag
from pipesched.program import Pipeline
from pipesched.schedule import Schedule


@schedule(
    "hanayo",
    title="Hanayo",
    aliases=("wave",),
    source="Liu et al. 2023, arXiv:2308.15762",
    placement=zigzag,
    chunks=2,
    constraints=(needs("a multiple of PP micro-batches", lambda p: p.microbatches % p.devices == 0),),
    formula=t.Formula(2 * ((t.PP - 1) * t.F), exact_if=(t.F.equals(t.B), t.C.equals(0))),
    general=(
        t.Formula(
            2 * (t.PP - 1) * (t.minimum(t.F, t.B) + t.MB / t.PP * t.maximum(t.F - t.B, t.B - t.F)),
            exact_if=(t.C.equals(0),),
        ),
    ),
)
def hanayo(p: Pipeline, *, waves: int = 1) -> Schedule:
    """Chimera's order in waves down and up the devices, without its second copy of the parameters.

    Each of ``waves`` waves goes down the devices and back up, so a device holds 2 x waves stages and
    keeps two neighbouring ones at every turn. Units of PP micro-batches follow each other. Slots assume
    F = B: then 2(PP-1) forwards of a stage are idle, and more waves mean smaller stages; in general
    2(PP-1)(min(F,B) + MB/PP |B-F|).
    """
    return two_slots_apart("hanayo", p, zigzag(p.devices, 2 * waves))
