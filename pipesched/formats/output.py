"""Writing files so that nothing is lost or half-written."""

import contextlib
import os
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType

from pipesched.errors import OutputError


def check_free(path: Path, *, force: bool) -> None:
    """Raise :class:`OutputError` where writing to ``path`` would overwrite or could not work."""
    try:
        found = path.stat()
    except FileNotFoundError:
        found = None
    except (OSError, ValueError) as error:  # a name too long, a loop of links, a closed directory, a NUL
        raise _cannot(path, error) from None
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: there is no directory {path.parent}")
    if found and path.is_file() and not force:
        raise OutputError(f"{path} exists already; give --force to overwrite it, or another name")


def write(path: Path, parts: Iterable[str | bytes], *, force: bool = False) -> None:
    """Write all parts or nothing: the file appears under its name only when it is complete."""
    check_free(path, force=force)
    try:
        if path.exists() and not path.is_file():  # a device such as /dev/null, a pipe
            with path.open("wb") as out:
                out.writelines(map(as_bytes, parts))
            return
        with _tidy_when_stopped():
            _write_beside(path.resolve() if path.is_symlink() else path, parts)
    except OSError as error:
        raise _cannot(path, error) from None


def _cannot(path: Path, error: OSError | ValueError) -> OutputError:
    told = getattr(error, "strerror", None) or str(error)
    return OutputError(f"cannot write {path}: {told.lower()}")


def _write_beside(path: Path, parts: Iterable[str | bytes]) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:50]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.writelines(map(as_bytes, parts))
        mask = os.umask(0)
        os.umask(mask)
        with contextlib.suppress(OSError):  # file systems without modes
            Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


class _Stopped(BaseException):
    """A signal that ends the process, turned into an exception so that what is open is tidied up first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def _tidy_when_stopped() -> Iterator[None]:
    """Let SIGTERM and SIGHUP, where they would end the process at once, first unwind what is inside."""
    ours = []
    if threading.current_thread() is threading.main_thread():
        known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        ours = [number for number in known if signal.getsignal(number) == signal.SIG_DFL]

    def stop(number: int, _: FrameType | None) -> None:
        raise _Stopped(number)

    for number in ours:
        signal.signal(number, stop)
    try:
        yield
    except _Stopped as stopped:
        signal.signal(stopped.number, signal.SIG_DFL)
        os.kill(os.getpid(), stopped.number)
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def as_bytes(part: str | bytes) -> bytes:
    """A part of a file: text in UTF-8, halves of surrogate pairs as their escapes."""
    return part if isinstance(part, bytes) else part.encode("utf-8", "backslashreplace")
