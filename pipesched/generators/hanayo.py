"""Hanayo."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.generators._slot_rule import idle, two_slots_apart, whole_units
from pipesched.placement import zigzag
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

_EVEN, _GENERAL = idle(2 * (t.PP - 1))


@schedule(
    "hanayo",
    title="Hanayo",
    aliases=("wave",),
    source="Liu et al. 2023, arXiv:2308.15762",
    placement=zigzag,
    chunks=2,
    constraints=(whole_units,),
    formula=_EVEN,
    general=(_GENERAL,),
)
def hanayo(p: Pipeline, *, waves: int = 1) -> Schedule:
    """Chimera's order in waves down and up the devices, without its second copy of the parameters.

    Each of ``waves`` waves goes down the devices and back up, so a device holds 2 x waves stages and
    keeps two neighbouring ones at every turn. Units of PP micro-batches follow each other. Slots assume
    F = B: then 2(PP-1) forwards of a stage are idle, and more waves mean smaller stages; in general
    2(PP-1)(min(F,B) + MB/PP |B-F|).
    """
    return two_slots_apart("hanayo", p, zigzag(p.devices, 2 * waves))
