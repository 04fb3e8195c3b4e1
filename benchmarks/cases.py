"""Which schedules are measured, at which sizes."""

import math
import warnings
from typing import NamedTuple

from pipesched.errors import PipeschedWarning
from pipesched.generators import find
from pipesched.schedule import Schedule

#: Schedule -> chunks per device, None for its own number. Adding a schedule is one line.
SCHEDULES: dict[str, int | None] = {
    "1f1b": None,
    "interleaved-1f1b": 4,
    "zb1p": None,
    "zbv": None,
    "v-half": None,
    "dualpipe": None,
    "dualpipev": None,
}
#: Ops of the schedules whose every step is measured.
SIZES = (10**3, 10**4, 10**5, 10**6)


class Case(NamedTuple):
    """A schedule at a size."""

    name: str
    devices: int
    microbatches: int

    def generate(self) -> Schedule:
        """Its lists."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PipeschedWarning)
            return find(self.name).generate(self.devices, self.microbatches, SCHEDULES.get(self.name))


def sized(name: str, ops: float) -> Case:
    """About so many ops, on 8 devices for a thousand to 64 for a million; whole rounds of micro-batches."""
    devices = 2 ** round(math.log10(ops))
    two, three = (Case(name, devices, rounds * devices).generate().n_ops for rounds in (2, 3))
    rounds = 2 + max(0, round((ops - two) / (three - two)))
    return Case(name, devices, rounds * devices)
