"""Words and numbers that pass between people and programs: text from outside, numbers as written, plurals."""

import re

_NUMBER = re.compile(
    r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?(inf|infinity|nan)", re.ASCII | re.IGNORECASE
)


def printable(text: str) -> str:
    r"""Text from outside so that it can be printed on one line anywhere.

    What is not printable (control characters, line breaks, changes of direction, halves of surrogate pairs)
    is shown as its escape: a terminal does nothing odd with it, and every encoding of Unicode takes it.

    >>> printable("a\n\x1b[31m")
    'a\\n\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text
    )


def number(text: str) -> float | None:
    """The number that ``text`` spells as programs do (``1``, ``0.5``, ``2e-3``), or None.

    Narrower than :class:`float`, which takes ``1_0`` and the digits of every script. ``inf`` and ``nan``
    are read too: whoever cannot use them says so.

    >>> number(" 2e-3 "), number("1_0")
    (0.002, None)
    """
    return float(text) if _NUMBER.fullmatch(text.strip(" ")) else None


def whole(text: str) -> int | None:
    """The whole number that ``text`` spells in plain digits, or None.

    >>> whole("-20"), whole("2_0")
    (-20, None)
    """
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,30}", text.strip(" "), re.ASCII) else None


def count(many: int, one: str) -> str:
    """A number with its noun.

    >>> count(1, "device"), count(2, "micro-batch"), count(0, "entry"), count(65536, "op")
    ('1 device', '2 micro-batches', '0 entries', '65,536 ops')
    """
    if many == 1:
        return f"1 {one}"
    if one.endswith("y"):
        return f"{many:,} {one[:-1]}ies"
    return f"{many:,} {one}{'es' if one.endswith('ch') else 's'}"


def cell(position: int) -> str:
    """Where something stands in a device's list, as people and editors count: from 1.

    >>> cell(0)
    'cell 1'
    """
    return f"cell {position + 1}"


def shortened(text: str, most: int = 60) -> str:
    """The text, or its beginning and "...", ``most`` characters at most."""
    return text if len(text) <= most else text[: most - 3] + "..."


def wrong_length(what: str, has: int, one: str, needs: int) -> str:
    """What to say of a list of another length.

    >>> wrong_length("F", 2, "stage", 4)
    'F has 2 entries; one per stage needs 4, or give one number for all'
    """
    return f"{what} has {count(has, 'entry')}; one per {one} needs {needs}, or give one number for all"
