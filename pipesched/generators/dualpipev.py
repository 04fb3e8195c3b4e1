"""DualPipeV: DualPipe cut in half."""

from pipesched import formula as t
from pipesched.generators._registry import needs, schedule
from pipesched.generators.dualpipe import by_device, eight_steps, published
from pipesched.placement import v_shape
from pipesched.program import Pipeline, Program


@schedule(
    "dualpipev",
    title="DualPipeV",
    aliases=("dualpipe-v",),
    source="Sea AI Lab 2025 (cut in half); github.com/deepseek-ai/DualPipe",
    placement=v_shape,
    chunks=2,
    constraints=(needs("at least 2 micro-batches per device", lambda p: p.microbatches >= 2 * p.devices),),
    formula=published(t.PP),
    general=(by_device(t.PP, t.D),),
    peak=(t.Formula(2 * t.PP + 1),),
)
def dualpipev(p: Pipeline, d: int) -> Program:
    """DualPipe folded at its middle into a V, so that no stage stands twice.

    Device d holds stages d and 2PP-1-d and does what device d of DualPipe does on 2PP devices with
    twice the micro-batches. PP counts devices: at the 2PP devices of the published table, which
    compares equal numbers of stages, its formula reads (PP/2-1)(F&B+B-3W).
    """
    return eight_steps(p.devices, d, p.microbatches)
