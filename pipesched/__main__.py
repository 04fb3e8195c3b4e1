"""Entry point of ``pipesched`` and ``python -m pipesched``."""

import sys


def main() -> None:
    """Run the command line."""
    if sys.argv[1:] in (["--version"], ["-V"]):  # answered without loading anything
        from pipesched import __version__  # noqa: PLC0415

        print(f"pipesched {__version__}")  # noqa: T201
        return
    try:
        from pipesched.cli.app import run  # noqa: PLC0415

        sys.exit(run())
    except KeyboardInterrupt:  # while still loading
        sys.exit(130)


if __name__ == "__main__":
    main()
