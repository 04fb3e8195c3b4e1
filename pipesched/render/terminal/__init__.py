"""The Gantt chart in the terminal.

From plain data to characters: ``scale`` (time to columns), ``colors`` and ``palettes`` (tones), then what
paints a ``canvas``: ``fills`` on ``eighths`` of columns, ``letters`` on ``cells``, or ``shares`` where cells
are thinner than a character. ``panel`` puts ruler, lanes and ``strips`` together, ``gantt`` everything.

The rule by which cells are merged, so that busy and idle time stay true: in colour, a column is blank for
as much of its height as its time is idle, to an eighth, from a sixteenth on. In letters, a column is idle
as soon as half a column of idle time is due, so every gap as long as a column shows, and the idle columns
up to any place are those that the lane was idle, to half a column.
"""

from pipesched.render.terminal.gantt import Gantt

__all__ = ["Gantt"]
