"""Every error that pipesched raises for bad input.

PipeschedError
├── UnknownScheduleError   no such name, with the nearest ones
├── ShapeError             a size that the schedule cannot run at
│   └── UnknownOptionError an option that the schedule does not have
├── CostError              times that make no sense
├── FormatError            a file that cannot be read as a schedule
├── UserCodeError          a user's own schedule function failed
├── InvalidScheduleError   a schedule that can never run, or is incomplete
└── OutputError            a place that cannot be written to

The message is one sentence: what, where, the numbers, the way out. It quotes files and command lines, so it
is made printable here, once for all.
"""

from pipesched.words import printable


class PipeschedError(Exception):
    """Root of all errors that are the input's fault; the command line turns them into exit code 2."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))


class UnknownScheduleError(PipeschedError):
    """A schedule name that is not registered and not a file."""


class ShapeError(PipeschedError):
    """Devices, micro-batches or chunks that a schedule cannot run with."""


class UnknownOptionError(ShapeError):
    """An option that a schedule does not have; ``option`` as it was written, or would be: ``--group``."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.option = option


class CostError(PipeschedError):
    """A cost model that makes no sense: negative, NaN, infinite, W > B, a list of the wrong length."""


class FormatError(PipeschedError):
    """A file that cannot be read as a schedule.

    ``problems`` lists ``(row, cell, sentence)``, 1-based; row and cell are 0 where they have no meaning.
    """

    def __init__(self, message: str, problems: tuple[tuple[int, int, str], ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class UserCodeError(PipeschedError):
    """A user's Python schedule could not be loaded, raised, or returned something else."""


class InvalidScheduleError(PipeschedError):
    """A schedule that breaks a rule, where a valid one is needed."""


class OutputError(PipeschedError):
    """An output path that exists already or cannot be written."""


class PipeschedWarning(UserWarning):
    """Input that is allowed but strange or slow; the command line prints it as a note."""

    def __init__(self, message: str = "") -> None:
        super().__init__(printable(message))
