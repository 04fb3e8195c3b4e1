"""Whether stages stand where a framework will put them: by a schedule's name, not by the file."""

from collections.abc import Iterator

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
    """Stages that stand on another device than this style puts them on."""
    expected = placement_of(style, schedule.devices, schedule.stages)
    holders: dict[int, list[int]] = {}
    for d, held in enumerate(expected.stages):
        for stage in held:
            holders.setdefault(stage, []).append(d)
    for d, held in enumerate(schedule.placement.stages):
        for stage in held:
            if d in holders.get(stage, []):
                continue
            where = " and ".join(map(str, holders.get(stage, []))) or "none"
            ops = (schedule.device == d) & (schedule.stage == stage)
            message = (
                f"stage {stage} stands on device {d} (row {d + 1}), but {style} puts it on device {where}"
            )
            yield at(schedule, "wrong-style", int(ops.argmax()), message)
