"""Opening a schedule file of any format, safely."""

import codecs
import sys
from pathlib import Path

from pipesched.errors import FormatError
from pipesched.loaded import Loaded

#: Larger files are refused unread: 10^8 bytes are about 10^7 ops.
MOST_BYTES = 2**29


def load(path: str | Path, *, dialect: str = "auto") -> Loaded:
    """Read a ``.csv`` or ``.json`` schedule; ``-`` is standard input.

    ``dialect`` says what B means in older files: ``auto``, ``torch`` (whole) or ``b-input``.
    Raises :class:`FormatError` for a file that is missing, empty, not text, too large, or no schedule.
    Only the form is checked: see :func:`pipesched.validate.validate` for the rest.
    """
    name = "standard input" if str(path) == "-" else Path(path).name
    return loads(text_of(path), name, json_file=str(path).lower().endswith(".json"), dialect=dialect)


def loads(text: str, name: str = "text", *, json_file: bool = False, dialect: str = "auto") -> Loaded:
    """Like :func:`load`, from the text; JSON is known by its first brace or by ``json_file``."""
    if json_file or text.lstrip("\ufeff \t\r\n").startswith("{"):
        from pipesched.formats import json_file as json_format  # noqa: PLC0415  only when needed

        actions, costs = json_format.read(text.removeprefix("\ufeff"), name)
        return Loaded(actions.schedule, costs, actions)
    from pipesched.formats import torch_csv  # noqa: PLC0415

    actions = torch_csv.read(text, name, dialect)
    return Loaded(actions.schedule, None, actions)


def text_of(path: str | Path, wanted: str = "no rows; a schedule has one row per device") -> str:
    """The text of a file, or of standard input for ``-``, without a BOM; FormatError if it cannot be had.

    ``wanted`` completes "is empty: ".
    """
    name = "standard input" if str(path) == "-" else str(path)
    try:
        if str(path) != "-":
            with Path(path).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        elif sys.stdin is None:
            raise FormatError("cannot read standard input: it is closed")
        else:
            content = sys.stdin.buffer.read(MOST_BYTES + 1)
    except OSError as error:
        raise FormatError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None
    except ValueError as error:  # a NUL in the name, a closed stream
        raise FormatError(f"cannot read {name}: {error}") from None
    if not content.removeprefix(codecs.BOM_UTF8).strip():
        raise FormatError(f"{name} is empty: {wanted}")
    return _decoded(name, content).removeprefix("\ufeff")


def _decoded(name: str, content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise FormatError(f"{name} is larger than {MOST_BYTES / 1e6:.0f} MB, the most that is read")
    if content.startswith(b"\x1f\x8b"):
        trace = ", and a trace is no schedule" if name.endswith(".trace.json.gz") else ""
        raise FormatError(f"{name} is compressed: unpack it with gzip -d{trace}")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(f"{name} is UTF-16 text; save it as UTF-8")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(f"{name} is not text: byte {error.start + 1} is not UTF-8") from None
    if "\0" in text:
        raise FormatError(f"{name} is not text: byte {content.index(0) + 1} is a NUL")
    return text
