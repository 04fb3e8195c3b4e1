"""Files for programs: reading and writing schedules. Each format is one module."""

from pipesched.formats.load import Loaded, load, loads

__all__ = ["Loaded", "load", "loads"]
