"""ZBV, torch's ZBVZeroBubble."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.placement import v_shape
from pipesched.program import F0, F1, I0, I1, W0, W1, Pipeline, Program, only


@schedule(
    "zbv",
    title="ZBV",
    aliases=("zb-v", "zbvzerobubble", "zbv-zero-bubble"),
    source="Qi et al. 2024, arXiv:2401.10241, section 6; arXiv:2405.15362",
    placement=v_shape,
    chunks=2,
    formula=t.Formula(
        (t.PP - 1) * t.F,
        exact_if=(t.F.equals(t.I), t.W.equals(t.I), t.MB >= 2 * t.PP - 1, t.C.equals(0)),
    ),
    span=(
        t.Formula(
            t.PP - t.PP,
            exact_if=(t.F.equals(t.I), t.W.equals(t.I), t.MB >= 2 * t.PP - 1, t.C.equals(0)),
        ),
    ),
    peak=(t.Formula(2 * t.PP, exact_if=(t.MB >= 2 * t.PP - 1,)),),
)
def zbv(p: Pipeline, d: int) -> Program:
    """Two stages per device in a V, backwards split: no bubble between the ends in 1F1B's memory.

    Device d holds stages d and 2PP-1-d, so the last stage meets the first on device 0 and the first
    backward starts at once. With F = I = W no device ever waits between its own first and last op, at
    2PP activations of a stage. Fewer than 2PP-1 micro-batches run the same list with the rest left out.
    """
    near, far = p.devices - d, d  # devices to the turn of the V, this one counted, and to its open end
    n = max(2 * p.devices - 1, p.microbatches)
    fed = n - (2 * p.devices - 1 - d)  # forwards of chunk 0 that the steady state still has to start
    return only(
        p.microbatches,
        (2 * near - 1, [F0]),
        (far, [F1, F0]),
        (near, [F1, I1, W1]),
        (fed, [F0, I0, W0, F1, I1, W1]),
        (near - 1, [I0, W0, F1, I1, W1]),
        (far, [I0, I1]),
        (near, [I0, W0]),
        (far, [W1]),
        (far, [W0]),
    )
