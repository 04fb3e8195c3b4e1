"""Looped breadth-first, BF-PP."""

from dataclasses import replace

import numpy as np

from pipesched import formula as t
from pipesched.generators._registry import schedule
from pipesched.ops import Kind
from pipesched.placement import linear
from pipesched.program import Pipeline, build, step
from pipesched.schedule import Schedule


@schedule(
    "looped-bfs",
    title="Looped BFS",
    aliases=("loopedbfs", "breadth-first", "bf-pp", "bfs"),
    source="Lamy-Poirier 2022, arXiv:2211.05953",
    placement=linear,
    chunks=2,
    any_chunks=True,
    formula=t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.MB >= t.PP, t.C.equals(0))),
    span=(t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.MB >= t.PP, t.C.equals(0))),),
    peak=(t.Formula(t.MB * t.V),),
)
def looped_bfs(p: Pipeline) -> Schedule:
    """GPipe over several stages per device: all micro-batches through a chunk before the next chunk.

    Chunk by chunk all forwards; then, chunks and micro-batches both in reverse as in torch, all
    backwards. The bubble of interleaved 1F1B with the memory of GPipe: MB x v activations; every stage
    runs once in one piece, which lets data parallelism gather and reduce it once.
    """
    m = p.microbatches
    forwards = [step(Kind.F, chunk) for chunk in range(p.chunks) for _ in range(m)]
    backwards = [step(Kind.B, chunk) for chunk in reversed(range(p.chunks)) for _ in range(m)]
    up = build("looped-bfs", p, linear(p.devices, p.chunks), p.devices * [forwards + backwards])
    down = np.where(up.kind == Kind.B, m - 1 - up.microbatch, up.microbatch)
    return replace(up, microbatch=down)
