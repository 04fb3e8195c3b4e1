"""1F1B."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.placement import linear
from pipesched.program import B, F, Pipeline, Program

#: What latency adds: every round of PP micro-batches waits once for a gradient to come and a forward to go.
_TRANSFERS = 2 * t.C * ((t.PP - 1) + t.floor((t.MB - 1) * (t.PP - 1), t.PP))


@schedule(
    "1f1b",
    title="1F1B",
    aliases=("pipedream-flush", "one-f-one-b"),
    source="Narayanan et al. 2021, arXiv:2104.04473",
    placement=linear,
    formula=t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.C.equals(0),)),
    general=(t.Formula((t.PP - 1) * (t.F + t.B) + _TRANSFERS),),
    span=(t.Formula((t.PP - 1) * (t.F + t.B) + _TRANSFERS),),
    peak=(t.Formula(t.minimum(t.MB, t.PP - t.D)),),
)
def one_f_one_b(p: Pipeline, d: int) -> Program:
    """Warm up with one forward for each device downstream, then one forward, one backward.

    GPipe's bubble exactly; only memory differs: device d never holds more than PP - d micro-batches,
    however many there are. Latency c adds 2c[(PP-1) + floor((MB-1)(PP-1)/PP)] to the makespan.
    """
    warmup = min(p.devices - 1 - d, p.microbatches)
    return warmup * [F] + (p.microbatches - warmup) * [F, B] + warmup * [B]
