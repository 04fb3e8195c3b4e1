"""The published schedules, one file each. Importing this package registers them, in this order."""

from pipesched.generators._registry import Choice, Recipe, choose, find, recipes, schedule

# isort: off
from pipesched.generators import gpipe as gpipe
from pipesched.generators import one_f_one_b as one_f_one_b
from pipesched.generators import interleaved_1f1b as interleaved_1f1b
from pipesched.generators import looped_bfs as looped_bfs
from pipesched.generators import zb1p as zb1p
from pipesched.generators import zb_h2 as zb_h2
from pipesched.generators import interleaved_zb as interleaved_zb
from pipesched.generators import zbv as zbv
from pipesched.generators import v_half as v_half
from pipesched.generators import v_min as v_min
from pipesched.generators import one_f_one_b_v as one_f_one_b_v
from pipesched.generators import chimera as chimera
from pipesched.generators import hanayo as hanayo
from pipesched.generators import bitpipe as bitpipe
from pipesched.generators import dualpipe as dualpipe
from pipesched.generators import dualpipev as dualpipev
# isort: on

__all__ = ["Choice", "Recipe", "choose", "find", "recipes", "schedule"]
