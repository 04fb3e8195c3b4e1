"""ZB-H2."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.generators._split import lagging
from pipesched.placement import linear
from pipesched.program import F, I, Pipeline, Program


@schedule(
    "zb-h2",
    title="ZB-H2",
    aliases=("zbh2", "zb2"),
    source="Qi et al. 2024, arXiv:2401.10241, section 2.2",
    placement=linear,
    formula=t.Formula(
        (t.PP - 1) * t.maximum(t.F, t.F + t.I - 2 * t.W, t.I - t.F),
        exact_if=(t.MB >= 2 * t.PP - 1, t.C.equals(0)),
    ),
    span=(
        t.Formula(
            (t.PP - 1) * t.maximum(0, t.F + t.I - 2 * t.W, t.I - t.F),
            exact_if=(t.MB >= 2 * t.PP - 1, t.C.equals(0)),
        ),
    ),
    peak=(t.Formula(2 * t.PP - 1, exact_if=(t.MB >= 2 * t.PP - 1,)),),
)
def zb_h2(p: Pipeline, d: int) -> Program:
    """ZB1P with twice the warm-up and twice the lag: twice the memory for no bubble between the ends.

    Device d warms up with 2(PP-1-d) forwards and lags its weight gradients 2d micro-batches, so that
    every device holds 2PP-1 micro-batches (freed at W). "Zero bubble" is the idle time within a
    device's own first and last op, (PP-1)max(0, F+I-2W, I-F); against the makespan every device still
    waits (PP-1)F at least.
    """
    m = p.microbatches
    return lagging(m * [F], m * [I], warmup=2 * (p.devices - 1 - d), lag=2 * d)
