"""Entry point of ``pipesched`` and ``python -m pipesched``."""

import atexit
import contextlib
import os
import sys


def main() -> None:
    """Run the command line and end the process with its exit code.

    The system takes all memory back at once. Python would first walk through everything that is loaded: that
    takes a tenth of a small command's time, and more where lists are long.
    """
    code = command_line()
    atexit._run_exitfuncs()  # noqa: SLF001  what others still want to do
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, full, or never there
            stream.flush()
    os._exit(code)


def command_line() -> int:
    """Run it; returns the exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # answered without loading anything
        from pipesched import __version__  # noqa: PLC0415

        print(f"pipesched {__version__}")  # noqa: T201
        return 0
    # Nothing here multiplies matrices, and the threads for it take a third of a small command's start.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from pipesched.cli.app import run  # noqa: PLC0415

        return run()
    except KeyboardInterrupt:  # while still loading
        return 130


if __name__ == "__main__":
    main()
