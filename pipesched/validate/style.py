"""Whether stages stand where a framework will put them: by a schedule's name, not by the file."""

from collections.abc import Iterator

import numpy as np

from pipesched.generators import find
from pipesched.placement import Placement, linear, zigzag
from pipesched.schedule import Schedule
from pipesched.validate.violation import Violation, at

_SHAPES = {"loop": linear, "v": zigzag}


def placement_of(style: str, devices: int, stages: int) -> Placement:
    """Where ``loop`` or ``v``, or the schedule of this name, puts stages.

    Raises :class:`UnknownScheduleError` for another name.
    """
    rule = _SHAPES.get(style.strip().lower()) or find(style).placement
    return rule(devices, -(-stages // devices))


def off_style(schedule: Schedule, style: str) -> Iterator[Violation]:
    """Stages that stand on another device than this style puts them on; of complete schedules only."""
    if schedule.stages > schedule.n_ops:  # stages are missing: other rules say so
        return
    holders: dict[int, list[int]] = {}
    for d, held in enumerate(placement_of(style, schedule.devices, schedule.stages).stages):
        for stage in held:
            holders.setdefault(stage, []).append(d)
    keys = schedule.device.astype(np.int64) * schedule.stages + schedule.stage
    for key, op in zip(*map(np.ndarray.tolist, np.unique(keys, return_index=True)), strict=True):
        d, stage = divmod(key, schedule.stages)
        if d not in holders.get(stage, []):
            where = " and ".join(map(str, holders.get(stage, []))) or "none"
            message = (
                f"stage {stage} stands on device {d} (row {d + 1}), but {style} puts it on device {where}"
            )
            yield at(schedule, "wrong-style", op, message)
