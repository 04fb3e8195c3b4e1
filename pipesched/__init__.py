"""pipesched draws, checks and measures pipeline-parallel training schedules."""

__version__ = "0.1.0"
