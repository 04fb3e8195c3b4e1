"""Named tuples as JSON objects."""

from collections.abc import Sequence
from typing import Any


def plain(value: Any) -> Any:
    """The same with every named tuple as a dict, all the way down."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    several = isinstance(value, Sequence) and not isinstance(value, str)
    return [plain(item) for item in value] if several else value
