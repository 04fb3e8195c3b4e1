"""Writing files so that nothing is lost or half-written."""

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from pipesched.errors import OutputError


def check_free(path: Path, *, force: bool) -> None:
    """Raise :class:`OutputError` where writing to ``path`` would overwrite or could not work."""
    if path.is_dir():
        raise OutputError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise OutputError(f"cannot write {path}: there is no directory {path.parent}")
    if path.is_file() and not force:
        raise OutputError(f"{path} exists already; give --force to overwrite it, or another name")


def write(path: Path, parts: Iterable[str | bytes], *, force: bool = False) -> None:
    """Write all parts or nothing: the file appears under its name only when it is complete."""
    check_free(path, force=force)
    try:
        if path.exists() and not path.is_file():  # a device such as /dev/null, a pipe
            with path.open("wb") as out:
                out.writelines(map(_bytes, parts))
            return
        _write_beside(path.resolve() if path.is_symlink() else path, parts)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


def _write_beside(path: Path, parts: Iterable[str | bytes]) -> None:
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:50]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.writelines(map(_bytes, parts))
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def _bytes(part: str | bytes) -> bytes:
    return part if isinstance(part, bytes) else part.encode("utf-8")
