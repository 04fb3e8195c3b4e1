"""Running the blocks of a page, in order, in a directory of its own.

- ``console``: lines that start with ``$`` are commands, the rest is what they print (stdout and stderr
  as one, 100 columns, no colour). A command is ``pipesched ...``, which runs in this process,
  ``cat FILE`` or ``python FILE``; commands may be piped, and may end in ``; echo $?``.
- a block with a ``title="mine.py"`` is written to that file;
- ``python``: runs, in one namespace per page, and prints nothing;
- ``pycon``: lines that start with ``>>>`` or ``...`` run in the same namespace, the rest is what they print.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from documentation import ROOT
from documentation.blocks import Block, replaced
from pipesched.cli.app import run
from pipesched.errors import PipeschedWarning
from pipesched.generators import _registry

_ENVIRONMENT = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
_COLORS = ("FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE")


class DocumentationError(Exception):
    """A block that cannot be run as it stands."""


def executed(text: str, name: str) -> str:
    """The page with the outputs that its commands print; raises where a block fails."""
    with _directory(), _imports_as_they_were(), warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeschedWarning)  # commands print them all the same
        return replaced(text, _Session(name).body)


@contextlib.contextmanager
def _directory() -> Iterator[None]:
    environment = {key: value for key, value in os.environ.items() if key not in _COLORS}
    with (
        tempfile.TemporaryDirectory() as directory,
        contextlib.chdir(directory),
        mock.patch.dict(os.environ, {**environment, **_ENVIRONMENT}, clear=True),
    ):
        shutil.copytree(ROOT / "schedules", "schedules")
        yield


@contextlib.contextmanager
def _imports_as_they_were() -> Iterator[None]:
    """Schedules that a page registers and modules of its own are gone after it."""
    here = str(Path.cwd())
    _registry.recipes()  # those that are published are imported once and for all
    with mock.patch.dict(_registry._RECIPES), mock.patch.object(sys, "path", [here, *sys.path]):  # noqa: SLF001
        yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(here):
            del sys.modules[name]


class _Session:
    def __init__(self, name: str) -> None:
        self.name = name
        self.names: dict[str, object] = {"__name__": "page"}

    def body(self, block: Block) -> str:
        """What belongs into a block: its own text, with the right outputs."""
        if block.title is not None:
            Path(block.title).write_text(block.body, encoding="utf-8")
            return block.body
        run_block = {"console": _console, "pycon": self._pycon, "python": self._python}.get(block.language)
        try:
            return run_block(block) if run_block else block.body
        except Exception as error:
            where = f"{self.name}, block at line {block.line}"
            raise DocumentationError(f"{where}: {type(error).__name__}: {error}") from error

    def _python(self, block: Block) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile("\n" * (block.line - 1) + block.body, self.name, "exec"), self.names)  # noqa: S102
        if printed.getvalue():
            raise DocumentationError("it prints; make it a pycon block")
        return block.body

    def _pycon(self, block: Block) -> str:
        lines: list[str] = []
        for example in doctest.DocTestParser().get_examples(block.body):
            first, *more = example.source.splitlines()
            lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
            lines += _interactive(example.source, self.names).splitlines()
        return "".join(f"{line}\n" for line in lines)


def _interactive(source: str, names: dict[str, object]) -> str:
    """What the Python prompt prints; of an exception its last line, as doctest has it."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(source, "<pycon>", "single"), names)  # noqa: S102
        except Exception as error:  # noqa: BLE001  the page shows it
            print(f"Traceback (most recent call last):\n  ...\n{type(error).__module__}", end=".")
            print(f"{type(error).__qualname__}: {error}")
    return printed.getvalue()


def _console(block: Block) -> str:
    lines: list[str] = []
    for line in block.body.splitlines():
        if line.startswith("$ "):
            lines += [line, *_tidied(_command(line.removeprefix("$ ")))]
    return "".join(f"{line}\n" for line in lines)


def _tidied(output: str) -> list[str]:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    return "\n".join(line.rstrip() for line in plain.splitlines()).rstrip("\n").splitlines()


def _command(command: str) -> str:
    """What a command line prints."""
    pipeline, semicolon, echo = command.partition("; ")
    if semicolon and echo != "echo $?":
        raise DocumentationError(f"only 'echo $?' may follow a semicolon: {command}")
    printed, piped, code = "", "", 0
    parts = pipeline.split(" | ")
    for number, part in enumerate(parts):
        code, out, seen = _process(shlex.split(part), piped, merged=number == len(parts) - 1)
        printed, piped = printed + seen, out
    return printed + (f"{code}\n" if echo else "")


def _process(words: list[str], stdin: str, *, merged: bool) -> tuple[int, str, str]:
    """Exit code, what goes on to the next command, and what is seen."""
    program, *arguments = words
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = out if merged else io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    if program == "cat":
        out.write("".join(Path(name).read_text(encoding="utf-8") for name in arguments))
        code = 0
    elif program == "python":
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)  # noqa: S603
        out.write(done.stdout)
        err.write(done.stderr)
        code = done.returncode
    elif program == "pipesched":
        code = _pipesched(arguments, stdin, out, err)
    else:
        raise DocumentationError(f"a page may run pipesched, cat and python, not {program!r}")
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return code, texts[0], texts[1]


def _pipesched(arguments: list[str], stdin: str, out: io.TextIOWrapper, err: io.TextIOWrapper) -> int:
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    with (
        warnings.catch_warnings(),
        mock.patch.object(sys, "stdin", given),
        mock.patch.object(sys, "argv", ["pipesched", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        return run(arguments)
