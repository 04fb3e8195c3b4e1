"""ZB1P, which the Zero Bubble papers call ZB-H1."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.placement import linear
from pipesched.program import F, I, Pipeline, Program, W


@schedule(
    "zb1p",
    title="ZB1P",
    aliases=("zb-h1", "zbh1"),
    source="Qi et al. 2024, arXiv:2401.10241 (ZB-H1)",
    placement=linear,
    formula=t.Formula(
        (t.PP - 1) * (t.F + t.B - 2 * t.W),
        exact_if=(t.W <= t.F, t.W <= t.I, t.B.equals(t.I + t.W), t.MB >= t.PP, t.C.equals(0)),
    ),
    general=(
        t.Formula((t.PP - 1) * t.maximum(t.F, t.I, t.F + t.I - t.W), exact_if=(t.MB >= t.PP, t.C.equals(0))),
    ),
    span=(t.Formula((t.PP - 1) * (t.I + t.maximum(0, t.F - t.W)), exact_if=(t.MB >= t.PP, t.C.equals(0))),),
    peak=(t.Formula(t.PP, exact_if=(t.MB >= t.PP,)),),
)
def zb1p(p: Pipeline, d: int) -> Program:
    """1F1B with the backward split: weight gradients wait until they can fill the bubble.

    Device d lags its weight gradients d micro-batches behind its input gradients, so that all devices
    hold PP micro-batches at most (freed at W). For MB >= PP and whatever times the idle time is
    (PP-1)max(F, I, F+I-W); the published formula is that where W is the shortest of the three.
    """
    warmup = min(p.devices - 1 - d, p.microbatches)
    lag = min(d, p.microbatches)
    with_f = p.microbatches - warmup  # iterations that still have a forward to run
    short, long = sorted((with_f, lag))
    between = [F, I, W] if with_f > lag else [I]
    return (
        warmup * [F]
        + short * [F, I]
        + (long - short) * between
        + (p.microbatches - long) * [I, W]
        + lag * [W]
    )
