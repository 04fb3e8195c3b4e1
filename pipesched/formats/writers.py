"""Which suffix is written by which format."""

import warnings
from collections.abc import Callable, Iterable

from pipesched.costs import CostModel
from pipesched.errors import PipeschedWarning
from pipesched.formats import json_file, torch_csv
from pipesched.schedule import Schedule

Writer = Callable[[Schedule, CostModel], Iterable[str | bytes]]


def _torch_csv(schedule: Schedule, _: CostModel) -> Iterable[str]:
    if schedule.placement.copies > 1:
        stage = schedule.placement.stages[0][0]
        holders = [d for d, held in enumerate(schedule.placement.stages) if stage in held]
        warnings.warn(
            f"torch cannot run this file: it wants each stage on one device, and {schedule.name} has stage "
            f"{stage} on devices {' and '.join(map(str, holders))}",
            PipeschedWarning,
            stacklevel=2,
        )
    return torch_csv.write(schedule)


WRITERS: dict[str, Writer] = {".csv": _torch_csv, ".json": json_file.write}
