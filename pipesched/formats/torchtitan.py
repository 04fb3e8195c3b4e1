"""Whether torchtitan can run a schedule from a file, and under which name.

It reads torch's compute-only CSV, but puts stages where a schedule's NAME says: in a V for ZBVZeroBubble and
DualPipeV with two stages per rank, else in a loop, stage s on rank s % ranks. A file that has a stage
elsewhere runs the wrong layers.
"""

from typing import NamedTuple

from pipesched.actions import Actions
from pipesched.placement import linear, v_shape
from pipesched.schedule import Schedule
from pipesched.validate import validate
from pipesched.words import count

#: Ours to the names that torch knows, where it has the schedule.
_TORCH_NAMES = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "looped-bfs": "LoopedBFS",
    "interleaved-1f1b": "Interleaved1F1B",
    "interleaved-zb": "InterleavedZeroBubble",
    "zbv": "ZBVZeroBubble",
    "dualpipev": "DualPipeV",
}
_SINGLE, _LOOPED, _V = (
    ("1F1B", "GPipe"),
    ("Interleaved1F1B", "LoopedBFS", "InterleavedZeroBubble"),
    (
        "ZBVZeroBubble",
        "DualPipeV",
    ),
)


class Verdict(NamedTuple):
    """``name`` is the NAME to give, None where torchtitan cannot run it; ``why`` says what else matters."""

    name: str | None
    why: str


def verdict(plan: Schedule | Actions) -> Verdict:
    """Judge a schedule or whole lists."""
    schedule = plan.schedule if isinstance(plan, Actions) else plan
    for violation in validate(plan, 1):
        return Verdict(None, violation.message)
    if isinstance(plan, Actions) and not plan.only_compute:
        other = plan.text(int((plan.slot < 0).argmax()))
        return Verdict(
            None, f"it reads compute-only files, and this one has {other}: it adds transfers itself"
        )
    names = _names(schedule)
    if isinstance(names, str):
        return Verdict(None, names)
    own = _TORCH_NAMES.get(schedule.name, "")
    per_rank = len(schedule.placement.stages[0])
    layers = "" if per_rank <= 2 else "; choose pipeline_parallel_layers_per_stage to get as many stages"
    sizes = ((schedule.devices, "rank"), (schedule.stages, "stage"), (schedule.microbatches, "micro-batch"))
    size = ", ".join(count(many, one) for many, one in sizes)
    return Verdict(own if own in names else names[0], size + layers)


def _names(schedule: Schedule) -> tuple[str, ...] | str:
    """The names under which stages stand where the file has them; or why there is none."""
    stages, devices = schedule.placement.stages, schedule.devices
    doubled = replicated(schedule)
    if doubled:
        return f"it wants each stage on one rank, and {schedule.called} has {doubled}"
    per_rank = {len(held) for held in stages}
    if len(per_rank) > 1:
        return f"ranks have {min(per_rank)} to {max(per_rank)} stages, and it gives every rank as many"
    chunks = per_rank.pop()
    if stages == linear(devices, chunks).stages:
        return _SINGLE if chunks == 1 else _LOOPED
    if chunks == 2 and stages == v_shape(devices).stages:
        return _V
    d = next(d for d, held in enumerate(stages) if held != linear(devices, chunks).stages[d])
    return (
        f"rank {d} has stages {', '.join(map(str, stages[d]))}, and it puts stages in a loop"
        f"{', or in a V' if chunks == 2 else ''}"
    )


def replicated(schedule: Schedule) -> str:
    """``stage 0 on devices 0 and 7``, or nothing where each stage stands on one device."""
    holders: dict[int, list[int]] = {}
    for d, held in enumerate(schedule.placement.stages):
        for stage in held:
            holders.setdefault(stage, []).append(d)
    for stage, devices in sorted(holders.items()):
        if len(devices) > 1:
            return f"stage {stage} on devices {' and '.join(map(str, devices))}"
    return ""
