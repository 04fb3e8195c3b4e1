"""1F1B-V."""

from pipesched import formula as t
from pipesched.generators._building_block import PERIOD, Block, squeezed
from pipesched.generators._registry import schedule
from pipesched.ops import Kind
from pipesched.placement import v_shape
from pipesched.program import Pipeline
from pipesched.schedule import Schedule


@schedule(
    "1f1b-v",
    title="1F1B-V",
    aliases=("1f1bv", "v-1f1b", "one-f-one-b-v"),
    source="Qi et al. 2024, arXiv:2405.15362",
    placement=v_shape,
    chunks=2,
    peak=(t.Formula(2 * ((2 * t.PP + 3) // 3), exact_if=(3 * t.MB >= 4 * t.PP + 3,)),),
)
def one_f_one_b_v(p: Pipeline) -> Schedule:
    """Two thirds of 1F1B's activations with whole backwards: two stages per device in a V.

    The block's forwards run at one slot per device, and each whole backward takes the first two free
    slots after the one before it, leaving room for the other; three devices on, the picture repeats.
    It comes again every six slots. At most 2ceil((2PP+1)/3) activations of a stage. Squeezed, with
    B = 2F and MB >= PP, at most 5(PP-1) forwards of a stage are idle (33 for PP = 8), against 6(PP-1)
    in 1F1B; with other times the bubble grows with MB.
    """
    return squeezed("1f1b-v", p, _blocks(p.devices), Kind.B, cap=2 * ((2 * p.devices + 3) // 3))


def _blocks(devices: int) -> list[Block]:
    """Every device's block; slots are taken for all micro-batches, that is modulo the period."""
    forwards = [(d, 2 * devices - 1 - d) for d in range(devices)]
    taken = [{slot % PERIOD for slot in pair} for pair in forwards]
    at = 2 * devices  # the last stage's forward has just ended, on device 0
    backwards = []
    for d in (*range(devices), *reversed(range(devices))):
        while not _leaves_room(taken[d], at):
            at += 1
        taken[d] |= {at % PERIOD, (at + 1) % PERIOD}
        backwards.append(at)
        at += 2
    return [Block(down, up, backwards[d], backwards[-1 - d]) for d, (down, up) in enumerate(forwards)]


def _leaves_room(taken: set[int], at: int) -> bool:
    """Whether a backward of two slots fits here, and what is left still holds a second one if needed."""
    both = {at % PERIOD, (at + 1) % PERIOD}
    left = set(range(PERIOD)) - taken - both
    return not both & taken and (not left or any((slot + 1) % PERIOD in left for slot in left))
