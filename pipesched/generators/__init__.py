"""The published schedules, one file each. Importing this package registers them, in this order."""

from pipesched.generators._registry import Recipe, find, recipes, schedule

from . import gpipe  # isort: skip
from . import one_f_one_b  # isort: skip
from . import zb1p  # isort: skip
from . import dualpipe  # isort: skip
from . import dualpipev  # isort: skip

__all__ = ["Recipe", "find", "recipes", "schedule"]
