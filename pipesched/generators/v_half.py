"""V-Half."""

from pipesched import formula as t
from pipesched.generators._building_block import Block, squeezed
from pipesched.generators._registry import schedule
from pipesched.ops import Kind
from pipesched.placement import v_shape
from pipesched.program import Pipeline
from pipesched.schedule import Schedule

_EQUAL = (t.F.equals(t.I), t.W.equals(t.I))


@schedule(
    "v-half",
    title="V-Half",
    aliases=("vhalf",),
    source="Qi et al. 2024, arXiv:2405.15362",
    placement=v_shape,
    chunks=2,
    formula=t.Formula(
        (3 * t.PP - 7 + 3 * (t.PP % 2)) * t.F, exact_if=(*_EQUAL, t.PP >= 3, t.MB >= t.PP, t.C.equals(0))
    ),
    peak=(t.Formula(2 * ((t.PP + 2) // 2), exact_if=(t.MB >= t.PP,)),),
)
def v_half(p: Pipeline) -> Schedule:
    """Half of 1F1B's activations: two stages per device in a V, forwards down every second slot.

    The block goes down at two slots per device and up at one, forward and backward alike, and comes
    again every six slots; the weight gradients take the slots between. At most floor((PP+2)/2) devices'
    worth of activations, that is twice as many of a stage. Squeezed, with F = I = W and MB >= PP > 2,
    3PP-7 forwards of a stage are idle for even PP, 3PP-4 for odd; 1 for PP = 2. With other times
    nothing more is lost per micro-batch as long as W+2I >= 2F and W+2F >= 2I.
    """
    shift = 3 if p.devices % 2 == 0 else 0  # keeps the way back out of the way down's slots
    turn = 3 * p.devices
    blocks = [
        Block(2 * d, turn - 2 - d, turn - 1 + shift + 2 * d, 2 * turn - 2 + shift - d)
        for d in range(p.devices)
    ]
    # What the whole steady state can move by: it keeps the block's order, which suits uneven times.
    ahead = 2 * p.devices + (1 if p.devices % 2 == 0 else -2)
    return squeezed("v-half", p, blocks, Kind.I, cap=2 * ((p.devices + 2) // 2), ahead=ahead)
