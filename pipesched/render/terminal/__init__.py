"""The Gantt chart in the terminal."""

from pipesched.render.terminal.gantt import Gantt

__all__ = ["Gantt"]
