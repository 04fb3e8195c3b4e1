"""Interleaved 1F1B, Megatron's virtual pipeline (VPP)."""

import warnings

from pipesched import formula as t
from pipesched.errors import PipeschedWarning, ShapeError
from pipesched.generators._groups import deadlocks, default_group, equal_rounds, in_groups, legal_groups
from pipesched.generators._pace import idle
from pipesched.generators._registry import schedule
from pipesched.ops import Kind
from pipesched.placement import linear
from pipesched.program import Pipeline, Program, build
from pipesched.schedule import Schedule
from pipesched.words import count

_NAME = "interleaved-1f1b"
_FULL_GROUPS = (t.MB % t.PP).equals(0)
_WITH_LATENCY = (t.PP - 1) * (t.F + t.B) + 2 * t.C * (t.V * t.PP - 1)
_SHORT_LATENCY = (_FULL_GROUPS, t.C <= t.F, t.C <= t.B, t.PP >= 2)


@schedule(
    _NAME,
    title="Interleaved 1F1B",
    aliases=("interleaved", "interleaved1f1b", "1f1b-interleaved", "1f1b-i", "vpp", "looped"),
    source="Narayanan et al. 2021, arXiv:2104.04473, section 2.2; Megatron-LM",
    placement=linear,
    chunks=2,
    any_chunks=True,
    constraints=(equal_rounds,),
    formula=t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.MB >= t.PP, t.C.equals(0))),
    general=(t.Formula(_WITH_LATENCY, exact_if=_SHORT_LATENCY),),
    span=(
        t.Formula((t.PP - 1) * (t.F + t.B), exact_if=(t.MB >= t.PP, t.C.equals(0))),
        t.Formula(_WITH_LATENCY, exact_if=_SHORT_LATENCY),
    ),
    peak=(
        t.Formula(
            t.minimum(t.MB * t.V, 2 * (t.PP - 1 - t.D) + (t.V - 1) * t.PP + 1), exact_if=(_FULL_GROUPS,)
        ),
    ),
)
def interleaved_1f1b(p: Pipeline, *, group: int | None = None) -> Schedule:
    """1F1B over several stages per device, which are visited in a loop: the bubble of one small stage.

    Stage s is on device s % PP, so v stages per device divide 1F1B's bubble by v; times are per stage.
    Forwards go group by group through all chunks, backwards likewise with the chunks reversed; device
    d warms up with 2(PP-1-d) + (v-1) x group forwards. ``group`` (Megatron's microbatch group size per
    virtual pipeline stage) defaults to torch's MB // max(1, MB//PP), which needs equal groups. The
    bubble is least where every group, the last included, has at least PP members; a smaller one is
    slow, or deadlocks. At most min(MB x v, 2(PP-1-d) + (v-1)group + 1) activations. Latency adds
    2c(v x PP - 1) to the makespan, however many micro-batches there are. One stage per device is not
    1F1B: it warms up twice as long.
    """
    size = default_group(p) if group is None else group
    _check_group(p, size)
    built = _with_groups(p, size)
    least = min(p.devices, p.microbatches)
    if size < least or 0 < p.microbatches % size < least:
        _warn_if_slow(p, size, built)
    return built


def _with_groups(p: Pipeline, group: int) -> Schedule:
    """The schedule with this group size."""
    forwards, backwards = in_groups(p, group, Kind.F, Kind.B)

    def device(d: int) -> Program:
        warmup = min(2 * (p.devices - 1 - d) + (p.chunks - 1) * group, len(forwards))
        paired = len(forwards) - warmup
        pairs = zip(forwards[warmup:], backwards[:paired], strict=True)
        return forwards[:warmup] + [turn for pair in pairs for turn in pair] + backwards[paired:]

    return build(_NAME, p, linear(p.devices, p.chunks), [device(d) for d in range(p.devices)])


def _check_group(p: Pipeline, group: int) -> None:
    """Refuse a group size that cannot run."""
    if group > p.microbatches:
        raise ShapeError(
            f"{_NAME} needs --group of at most {p.microbatches}, the number of micro-batches; got {group}"
        )
    if deadlocks(p, group):
        last = p.microbatches % group
        raise ShapeError(
            f"{_NAME} deadlocks with --group {group}{f' and {last} in the last group' if last else ''}: two "
            f"groups in a row must hold at least 2(PP-1) = {2 * (p.devices - 1)} micro-batches; the legal "
            f"sizes for {count(p.microbatches, 'micro-batch')} on {p.devices} devices are {legal_groups(p)}"
        )


def _warn_if_slow(p: Pipeline, group: int, built: Schedule) -> None:
    """Say what a group of fewer than PP costs, against all micro-batches in one group."""
    cost, least = idle(built), idle(_with_groups(p, p.microbatches))
    if cost > least:
        smallest = min(group, p.microbatches % group or group)
        warnings.warn(
            f"{_NAME} with --group {group} has a group of {smallest}, fewer than the {p.devices} devices: "
            f"{cost} idle chunk-forwards on every device instead of {least} (at F=1, B=2)",
            PipeschedWarning,
            stacklevel=4,
        )
