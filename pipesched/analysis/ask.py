"""One question for both: why an op runs when it does, or what a device does at a time."""

from pipesched.analysis.explain import OpExplained, explain_op
from pipesched.analysis.waiting import DeviceExplained, explain_device
from pipesched.errors import ShapeError
from pipesched.ops import parse_slot
from pipesched.timeline import Timeline


def explain(
    timeline: Timeline, op: str | None = None, *, device: int | None = None, at: float | None = None
) -> OpExplained | DeviceExplained:
    """Why ``op`` (``3F7``, or a pair) runs when it does, or what ``device`` does ``at`` a time.

    Raises :class:`ShapeError` for anything else than one of the two, and for what the timeline has not.
    """
    if op is None and device is not None and at is not None:
        return explain_device(timeline, device, at)
    if op is None or device is not None or at is not None:
        raise ShapeError("give either an op, such as 3F7, or both a device and a time")
    wanted = parse_slot("".join(op.split()))
    if wanted is None:
        raise ShapeError(f"{op!r} is not an op; ops read like 3F7, 3B7, 3I7, 3W7 or (0F7;7B3)OVERLAP_F_B")
    return explain_op(timeline, wanted)
