"""Several schedules at one size, side by side.

``equal="devices"``: one model cut over P devices. A schedule with v stages per device gets stages of
1/v the size, so times given per 1/P of the model are divided by v.
``equal="stages"``: the published comparison. Every schedule has S = P stages of the given times, so one
with v stages per device needs P/v devices.
"""

from pipesched.compare.run import DEFAULT, Entry, Terms, compare, run_all
from pipesched.compare.side_by_side import table

__all__ = ["DEFAULT", "Entry", "Terms", "compare", "run_all", "table"]
