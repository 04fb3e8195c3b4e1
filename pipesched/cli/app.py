"""The application: commands, help, and the one place where errors become exit codes."""

import importlib
import inspect
import os
import sys
from typing import Annotated

import typer

from pipesched import __version__
from pipesched.cli import streams
from pipesched.cli.unknown import no_option
from pipesched.errors import PipeschedError, UnknownOptionError

_HELP = """
Draw, check and measure pipeline-parallel training schedules.

SCHEDULE is a name from 'pipesched list', a .csv (torch) or .json file, '-' for standard input,
or mine.py:function.

Times default to F=1, B=2, W=1, the published DualPipe figure. B is the whole backward: B = I + W.
"""

#: Command name to module of this package, in the order of the help.
COMMANDS = {
    "list": "listing",
    "show": "show",
    "view": "view",
    "watch": "watch",
    "analyze": "analyze",
    "validate": "validate",
    "explain": "explain",
    "diff": "diff",
    "compare": "compare",
    "report": "report",
    "export": "export",
}


def make_app(command: str | None = None) -> typer.Typer:
    """The application with one command, or all: typer takes milliseconds to build each."""
    app = typer.Typer(
        name="pipesched",
        help=_reflowed(_HELP),
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        add_completion=command not in COMMANDS,  # its options stand before a command
    )
    app.callback()(_root)
    for module in [COMMANDS[command]] if command in COMMANDS else COMMANDS.values():
        importlib.import_module(f"pipesched.cli.{module}").register(app)
    for registered in app.registered_commands:
        registered.help = _reflowed(inspect.getdoc(registered.callback) or "")
    return app


def _reflowed(text: str) -> str:
    """Paragraphs without their line ends, which typer would keep, and with [ ] that are no markup."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    return "\n\n".join(paragraphs).replace("[", "\\[")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pipesched {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Nothing to do before a command."""


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; returns its exit code.

    0; 1 for violations or differences; 2 for bad input; 130 for Ctrl-C.
    """
    streams.prepare()
    given = sys.argv[1:] if arguments is None else arguments
    completing = any(name.endswith("_COMPLETE") for name in os.environ)
    app = make_app(given[0] if given and not completing else None)
    try:
        result = app(args=given, prog_name="pipesched", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        streams.silence(sys.stdout)
        return 0
    except SystemExit as stop:
        return 0 if _is_closed_pipe(stop) else int(stop.code or 0)
    except KeyboardInterrupt:
        return 130
    except (PipeschedError, MemoryError, OSError) as error:
        return streams.fail(_sentence(error, app, given))
    except Exception as error:  # noqa: BLE001  sorted out below
        return _told_by_typer(error, app, given)
    streams.tell_notes()
    return result if isinstance(result, int) else 0


def _is_closed_pipe(stop: SystemExit) -> bool:
    """Whether this is typer's answer to it, with stdout wrapped, or rich's, of which typer's help is made."""
    last = stop.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    by_rich = last is not None and last.tb_frame.f_code.co_name == "on_broken_pipe"
    return by_rich or type(sys.stdout).__name__ == "PacifyFlushWrapper"


def _sentence(error: Exception, app: typer.Typer, given: list[str]) -> str:
    """What went wrong, for people."""
    if isinstance(error, UnknownOptionError):
        return no_option(app, given[0], error.option) or str(error)
    if isinstance(error, MemoryError):
        return "out of memory: this schedule is too large for this machine"
    if isinstance(error, OSError):  # files are read and written elsewhere, so this is about printing
        streams.silence(sys.stdout)
        return f"cannot write to standard output: {(error.strerror or str(error)).lower()}"
    return str(error)


def _told_by_typer(error: Exception, app: typer.Typer, given: list[str]) -> int:
    """Exit codes and usage errors of typer, whichever click it stands on; anything else is a bug of ours."""
    if type(error).__name__ in ("Abort", "Exit"):
        streams.tell_notes()
        return int(getattr(error, "exit_code", 130))
    usage = getattr(error, "format_message", None)
    if usage is None and sys.stdout.closed:
        return streams.fail("cannot write to standard output: it is closed")
    if usage is None:
        raise error
    sentence = str(usage()).strip().rstrip(".")
    unknown = getattr(error, "option_name", None) if sentence.startswith("No such option") else None
    if unknown and (nearest := no_option(app, given[0], unknown)):
        return streams.fail(nearest)
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "pipesched"
    if sentence.startswith("No such command") and _is_schedule(given[0]):
        return streams.fail(f"{given[0]} is a schedule, not a command: try 'pipesched show {given[0]}'")
    return streams.fail(f"{sentence}; see '{command} --help'") if sentence else 0


def _is_schedule(word: str) -> bool:
    """Whether a command could take this as SCHEDULE."""
    from pipesched.cli.source import is_file
    from pipesched.generators import choose

    try:
        return is_file(word) or ".py:" in word or bool(choose(word))
    except PipeschedError:
        return False
