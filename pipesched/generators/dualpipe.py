"""DualPipe, and the eight steps that DualPipeV shares with it."""

from pipesched import formula as t
from pipesched.generators._registry import needs, schedule
from pipesched.placement import bidirectional
from pipesched.program import B0, B1, F0, F1, I0, I1, Pipeline, Program, W


def eight_steps(half: int, near: int, microbatches: int) -> Program:
    """What a device does that is ``near`` devices from its nearer end, ``half - 1 - near`` from the middle.

    Phase 0 works on the chunk whose micro-batches reach the device first, phase 1 on the other;
    ``microbatches`` is their number in each phase.
    """
    inner = half - 1 - near
    main = microbatches - 2 * half + near + 1
    whole, split = (near + 1) * [B1, B0], (near + 1) * [I1, I0]
    return (
        2 * inner * [F0]
        + (near + 1) * [F0, F1]
        + inner * [I1, W, F1]
        # The middle devices start unpaired: their first two ops depend on each other through a neighbour.
        + ([F0 & B1, F1 & B0] if inner else [F0, B1, F1 & B0])
        + (main - 1) * [F0 & B1, F1 & B0]
        + inner * [B1, F1 & B0]
        + whole[: near + 1]
        + split[near + 1 :]
        + inner * [W, I0]
        + (near + 1) * [W]
    )


def published(half: t.Expr) -> t.Formula:
    """The README's formula for ``half`` levels, and where it holds on every device."""
    return t.Formula(
        (half - 1) * (t.FB + t.B - 3 * t.W),
        exact_if=(t.F.equals(t.I), t.W <= t.I, t.FB.equals(t.F + t.B), t.B.equals(t.I + t.W), t.C.equals(0)),
    )


def by_device(half: t.Expr, near: t.Expr) -> t.Formula:
    """The idle time of a device ``near`` devices from its end, for whatever times; by simulation.

    In the middle it is largest; every level further out gains what a pair saves.
    """
    return t.Formula(
        (half - 1) * (t.FB - t.I - 2 * t.W + t.maximum(t.I, t.W))
        + t.maximum((half - 1) * t.F, (half - 1) * t.I - t.F)
        - t.maximum(0, half - 2 - near) * (t.F + t.B - t.FB),
        exact_if=(t.maximum(t.F, t.B) <= t.FB, t.B.equals(t.I + t.W), t.C.equals(0)),
    )


@schedule(
    "dualpipe",
    title="DualPipe",
    source="DeepSeek-V3 technical report 2024, arXiv:2412.19437; github.com/deepseek-ai/DualPipe",
    placement=bidirectional,
    chunks=2,
    constraints=(
        needs("an even number of devices", lambda p: p.devices % 2 == 0, about="devices"),
        needs("an even number of micro-batches", lambda p: p.microbatches % 2 == 0),
        needs("at least 2 micro-batches per device", lambda p: p.microbatches >= 2 * p.devices),
    ),
    formula=published(t.PP / 2),
    general=(by_device(t.PP / 2, t.minimum(t.D, t.PP - 1 - t.D)),),
    peak=(t.Formula(t.PP + 1),),
)
def dualpipe(p: Pipeline, d: int) -> Program:
    """Feed the pipeline from both ends and overlap each forward with a backward of the other direction.

    Micro-batches 0..MB/2-1 flow down (stage s on device s), the rest flow up (stage s on device
    PP-1-s). Every device holds two stages, so the parameters stand twice; at most PP+1 activations.
    """
    return eight_steps(p.devices // 2, min(d, p.devices - 1 - d), p.microbatches // 2)
