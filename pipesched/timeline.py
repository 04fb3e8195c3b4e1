"""A schedule with times."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pipesched.actions import Actions
from pipesched.costs import CostModel
from pipesched.schedule import Schedule

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Timeline:
    """Start and end of every slot, float64[slots], in the unit of ``costs``.

    ``lag`` float64[2, slots] is what a transfer adds to each entry of ``schedule.awaited``. ``listed`` are
    the whole lists, where they hold more than the schedule and are known: what takes no time here too.
    """

    schedule: Schedule
    costs: CostModel
    slot_start: Floats
    slot_end: Floats
    lag: Floats
    listed: Actions | None = field(default=None, kw_only=True)
    #: Whether SEND and RECV were run: see :class:`pipesched.simulate.transfers.TransferTimeline`.
    runs_transfers: ClassVar[bool] = False

    def __repr__(self) -> str:
        what = f"{self.schedule.name!r}: {self.schedule.describe()}"
        return f"<{type(self).__name__} {what}, makespan {self.makespan:g} {self.costs.unit}>"

    @property
    def makespan(self) -> float:
        """When the last op ends; everything starts at 0."""
        return float(self.slot_end.max(initial=0.0))

    @cached_property
    def start(self) -> Floats:
        """Start of every op, float64[N]; the two of a pair share it."""
        return self.slot_start[self.schedule.slot]

    @cached_property
    def end(self) -> Floats:
        """End of every op, float64[N]; the two of a pair share it."""
        return self.slot_end[self.schedule.slot]

    @cached_property
    def arrival(self) -> Floats:
        """When each awaited result is there, float64[2, slots]; 0 where none is awaited."""
        return np.append(self.slot_end, 0.0)[self.schedule.awaited] + self.lag

    @cached_property
    def busy(self) -> Floats:
        """Time that each device works, float64[P]."""
        worked = np.bincount(
            self.schedule.slot_device, self.slot_end - self.slot_start, minlength=self.schedule.devices
        )
        return worked.astype(np.float64)
