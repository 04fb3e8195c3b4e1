"""plotly Figures, for notebooks and the HTML page. Importing this module imports plotly."""

from pipesched.render.figure_gantt import gantt, merged_notice
from pipesched.render.figure_idle import idle
from pipesched.render.figure_memory import MERGED_MEMORY, memory
from pipesched.render.figure_style import MOST_OPS

__all__ = ["MERGED_MEMORY", "MOST_OPS", "gantt", "idle", "memory", "merged_notice"]
