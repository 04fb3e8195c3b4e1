"""Files for programs: reading and writing schedules. Each format is one module."""

from pipesched.formats.load import load, loads
from pipesched.loaded import Loaded

__all__ = ["Loaded", "load", "loads"]
