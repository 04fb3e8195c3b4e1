"""V-Min."""

from pipesched import formula as t
from pipesched.generators._building_block import Block, squeezed
from pipesched.generators._registry import schedule
from pipesched.ops import Kind
from pipesched.placement import v_shape
from pipesched.program import Pipeline
from pipesched.schedule import Schedule


@schedule(
    "v-min",
    title="V-Min",
    aliases=("vmin",),
    source="Qi et al. 2024, arXiv:2405.15362",
    placement=v_shape,
    chunks=2,
    formula=t.Formula(
        (4 * t.PP - 7 + 2 * t.maximum(0, 1 - (t.PP + 2) % 3)) * t.F,
        exact_if=(t.F.equals(t.I), t.W.equals(t.I), t.PP >= 2, t.MB >= t.PP, t.C.equals(0)),
    ),
    peak=(t.Formula(2 * ((t.PP + 4) // 3), exact_if=(t.MB >= t.PP,)),),
)
def v_min(p: Pipeline) -> Schedule:
    """A third of 1F1B's activations, the least of all: each micro-batch takes its shortest way.

    The block goes down the V and up again, forward and backward, at one slot per device, and comes
    again every six slots; the weight gradients take the slots between. At most floor((PP+4)/3) devices'
    worth of activations, that is twice as many of a stage. Squeezed, with F = I = W and MB >= PP > 1,
    4PP-5 forwards of a stage are idle where PP is 1 more than a multiple of three, else 4PP-7. With
    other times the bubble grows with MB.
    """
    shift = 2 if p.devices % 3 == 0 else 0  # keeps the way back out of the way down's slots
    turn = 2 * p.devices
    blocks = [Block(d, turn - 1 - d, turn + shift + d, 2 * turn - 1 + shift - d) for d in range(p.devices)]
    return squeezed("v-min", p, blocks, Kind.I, cap=2 * ((p.devices + 4) // 3))
