"""The published schedules, one file each. Importing this package registers them, in this order."""

from pipesched.generators._registry import Recipe, find, recipes, schedule

# isort: off
from pipesched.generators import gpipe as gpipe
from pipesched.generators import one_f_one_b as one_f_one_b
from pipesched.generators import zb1p as zb1p
from pipesched.generators import dualpipe as dualpipe
from pipesched.generators import dualpipev as dualpipev
# isort: on

__all__ = ["Recipe", "find", "recipes", "schedule"]
