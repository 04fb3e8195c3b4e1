"""Groups of micro-batches: how an interleaved schedule walks through the chunks of its devices.

A group runs chunk after chunk: all its members on chunk 0, all on chunk 1, ... The last group may be
smaller. With v chunks that gives MB x v forwards in a fixed order, the *virtual* micro-batches of
Megatron, and as many backwards with the chunks reversed.
"""

from itertools import pairwise

from pipesched.generators._registry import needs
from pipesched.ops import Kind
from pipesched.program import Pipeline, Step, step


def default_group(p: Pipeline) -> int:
    """The group size of torch: as many equal rounds as can have at least PP members each."""
    return p.microbatches // max(1, p.microbatches // p.devices)


equal_rounds = needs(
    "micro-batches that split into MB//PP equal groups",
    lambda p: p.microbatches % max(1, p.microbatches // p.devices) == 0,
    unless="group",
)


def in_groups(p: Pipeline, group: int, forward: Kind, backward: Kind) -> tuple[list[Step], list[Step]]:
    """The forwards and the backwards of a device, MB x v each, in the order of groups and chunks."""
    sizes = [min(group, p.microbatches - start) for start in range(0, p.microbatches, group)]
    forwards = [step(forward, chunk) for chunk in range(p.chunks)]
    backwards = [step(backward, chunk) for chunk in reversed(range(p.chunks))]
    return (
        [each for size in sizes for each in forwards for _ in range(size)],
        [each for size in sizes for each in backwards for _ in range(size)],
    )


def deadlocks(p: Pipeline, group: int) -> bool:
    """Whether devices wait for each other in a circle, with Megatron's warm-up and this group size.

    The only way to come round in a circle is from a forward of device 0 to the last device (its chunk
    before), over to a backward there, with it to device 0 (its chunk after), and to a later forward.
    Either passage leads back by the size of its group, and device 0 is 2(PP-1) warm-up forwards ahead:
    the circle closes where two groups in a row hold fewer than 2(PP-1) micro-batches together.
    Exceptions: one chunk has no such passage, and the passages of one micro-batch over two chunks are
    too short to meet in the next group.
    """
    full, rest = divmod(p.microbatches, group)
    passages = p.chunks - 1
    full_after_full = 2 * group < 2 * (p.devices - 1)
    rest_after_full = 0 < rest < 2 * (p.devices - 1) - group
    return passages > 0 and (
        (full_after_full and full >= (2 if passages * group >= 2 else 3))
        or (rest_after_full and full >= 1 and passages * rest >= 2)
    )


def legal_groups(p: Pipeline) -> str:
    """Every group size that runs to its end, as ``7, 9..12``."""
    legal = [group for group in range(1, p.microbatches + 1) if not deadlocks(p, group)]
    breaks = [0, *(i for i, (a, b) in enumerate(pairwise(legal), 1) if b > a + 1), len(legal)]
    spans = [(legal[a], legal[b - 1]) for a, b in pairwise(breaks)]
    shown = [str(a) if a == b else f"{a}..{b}" for a, b in spans]
    return ", ".join(shown if len(shown) <= 12 else [*shown[:6], "...", *shown[-5:]])
