"""GPipe."""

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.placement import linear
from pipesched.program import B, F, Pipeline, Program


@schedule(
    "gpipe",
    title="GPipe",
    source="Huang et al. 2019, arXiv:1811.06965",
    placement=linear,
    formula=t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.C.equals(0),)),
    general=(t.Formula((t.PP - 1) * (t.F + t.B + 2 * t.C)),),
    span=(t.Formula((t.PP - 1) * (t.F + t.B + 2 * t.C)),),
    peak=(t.Formula(t.MB),),
)
def gpipe(p: Pipeline, _d: int) -> Program:
    """All forwards, then all backwards.

    Simple, and keeps the activations of every micro-batch. The backwards run in ascending order, as in
    torch; the paper's figure drains in descending order, which takes the same time.
    """
    return p.microbatches * [F] + p.microbatches * [B]
