"""Interleaved 1F1B with split backwards, torch's InterleavedZeroBubble."""

from pipesched import formula as t
from pipesched.generators._groups import default_group, equal_rounds, in_groups
from pipesched.generators._registry import schedule
from pipesched.generators._split import lagging
from pipesched.ops import Kind
from pipesched.placement import linear
from pipesched.program import Pipeline, Program


@schedule(
    "interleaved-zb",
    title="Interleaved ZB",
    aliases=("interleavedzerobubble", "interleaved-zero-bubble", "izb"),
    source="torch.distributed.pipelining; after Qi et al. 2024, arXiv:2401.10241",
    placement=linear,
    chunks=2,
    any_chunks=True,
    constraints=(equal_rounds,),
    formula=t.Formula(
        (t.PP - 1) * t.maximum(t.F, t.I, t.F + t.I - t.W), exact_if=(t.MB >= t.PP, t.C.equals(0))
    ),
    span=(t.Formula((t.PP - 1) * (t.I + t.maximum(0, t.F - t.W)), exact_if=(t.MB >= t.PP, t.C.equals(0))),),
    peak=(t.Formula(t.PP * t.V, exact_if=((t.MB % t.PP).equals(0),)),),
)
def interleaved_zb(p: Pipeline, d: int) -> Program:
    """The interleaved order with ZB1P's split backward: half the warm-up, weight gradients that lag.

    Device d warms up with PP-1-d + (v-1) x group forwards and lags its weight gradients d steps behind
    its input gradients; groups are those of interleaved 1F1B. With v stages per device the bubble is
    ZB1P's of one small stage; at most PP + (v-1) x group activations. With one stage it is ZB1P.
    """
    group = default_group(p)
    forwards, inputs = in_groups(p, group, Kind.F, Kind.I)
    return lagging(forwards, inputs, warmup=p.devices - 1 - d + (p.chunks - 1) * group, lag=d)
