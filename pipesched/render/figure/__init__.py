"""plotly Figures, for notebooks and the HTML page. Importing this module imports plotly."""

from pipesched.render.figure.gantt import gantt, merged_notice
from pipesched.render.figure.idle import idle
from pipesched.render.figure.memory import MERGED_MEMORY, memory
from pipesched.render.figure.style import MOST_OPS
from pipesched.render.figure.tradeoff import tradeoff

__all__ = ["MERGED_MEMORY", "MOST_OPS", "gantt", "idle", "memory", "merged_notice", "tradeoff"]
