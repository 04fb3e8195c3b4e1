"""Running a user's Python file, and telling what went wrong in it with the user's own line."""

import contextlib
import hashlib
import os
import sys
import traceback
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from pipesched.errors import PipeschedError, UserCodeError
from pipesched.generators._kept import kept

_OURS = Path(__file__).resolve().parents[1]
#: So much of a message or a source line is told.
_TOLD = 200


class UserFile:
    """A file of a user's, whose neighbours it may import: ``import helper``, ``from .helper import f``."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.name = self.path.name
        self._resolved = Path(os.path.realpath(path))  # Path.resolve raises for a loop of links
        self._home = self._resolved.parent

    def load(self) -> ModuleType:
        """Run it afresh and return its module; UserCodeError where that fails."""
        try:
            source = self.path.read_bytes()
        except FileNotFoundError:
            raise UserCodeError(f"cannot read {self.path}: no such file") from None
        except OSError as error:
            raise UserCodeError(f"cannot read {self.path}: {str(error.strerror).lower()}") from None
        package = self._package()
        name = f"{package.__name__}.{self.path.stem}"
        module = sys.modules[name] = ModuleType(name)
        module.__file__, module.__package__ = str(self._resolved), package.__name__
        with self.guarded():
            # Bytes, so that Python heeds the encoding that the file declares; no .pyc is left behind.
            exec(compile(source, str(self._resolved), "exec", dont_inherit=True), module.__dict__)  # noqa: S102
        return module

    def _package(self) -> ModuleType:
        """A package that stands for the file's directory, so that relative imports work."""
        name = f"_schedules_{hashlib.sha1(str(self._home).encode(), usedforsecurity=False).hexdigest()[:12]}"
        package = sys.modules.setdefault(name, ModuleType(name))
        package.__path__ = [str(self._home)]
        package.__spec__ = ModuleSpec(name, None, is_package=True)
        return package

    @contextlib.contextmanager
    def guarded(self) -> Iterator[None]:
        """Where the user's code runs: its errors become UserCodeError, what it prints goes to stderr."""
        try:
            with kept(self._home):
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            ours = isinstance(error, PipeschedError) and type(error).__module__ == PipeschedError.__module__
            if ours and str(error):
                raise
            raise UserCodeError(self.told(error)) from error

    def told(self, error: BaseException) -> str:
        """``mine.py line 12, in make: ZeroDivisionError: division by zero (line: return 1 / 0)``."""
        what = ": ".join(filter(None, (type(error).__name__, _short(_message(error)))))
        if isinstance(error, SyntaxError) and isinstance(error.filename, str) and error.lineno:
            line = f" (line: {_short(error.text)})" if isinstance(error.text, str) else ""
            return f"{Path(error.filename).name} line {error.lineno}: {what}{line}"
        frames = [
            each for each in traceback.extract_tb(error.__traceback__) if self._is_theirs(each.filename)
        ]
        if not frames:
            return f"{self.name}: {what}"
        last = frames[-1]
        where = f", in {last.name}" if last.name != "<module>" else ""
        line = f" (line: {_short(last.line)})" if last.line else ""
        return f"{Path(last.filename).name} line {last.lineno}{where}: {what}{line}"

    def _is_theirs(self, filename: str) -> bool:
        """The file itself, or a module beside it; not what is installed there."""
        path = Path(filename)
        return path == self._resolved or (
            path.is_relative_to(self._home)
            and not path.is_relative_to(_OURS)
            and "site-packages" not in path.parts
        )


def _message(error: BaseException) -> str:
    """Its text, which may be a user's code, too."""
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception as odd:  # noqa: BLE001
        return f"its message cannot be had: {type(odd).__name__}"


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= _TOLD else one_line[: _TOLD - 3] + "..."
