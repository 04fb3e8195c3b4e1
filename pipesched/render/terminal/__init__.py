"""The Gantt chart in the terminal.

From plain data to characters: ``scale`` (time to columns), ``colors`` and ``palettes`` (tones), then what
paints a ``canvas``: ``fills`` on ``eighths`` of columns, ``letters`` on ``cells``, or ``shares`` where cells
are thinner than a character; there stands the rule by which they are merged. ``panel`` puts ruler, lanes,
``breaks`` and ``strips`` together, ``gantt`` everything.
"""

from pipesched.render.terminal.gantt import Gantt

__all__ = ["Gantt"]
