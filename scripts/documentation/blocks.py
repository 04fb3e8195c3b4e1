"""Fenced code blocks of a Markdown page."""

import re
from collections.abc import Callable
from typing import NamedTuple

_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')


class Block(NamedTuple):
    """``language`` is the word after the fence, ``title`` the file that the block is, if it is one."""

    language: str
    title: str | None
    body: str
    line: int  # of the body, counted from 1


def blocks(text: str) -> list[Block]:
    """All of them, in order."""
    return [_block(match) for match in _BLOCK.finditer(text)]


def replaced(text: str, new_body: Callable[[Block], str]) -> str:
    """The page with every block's body replaced, from first to last."""

    def rewrite(match: re.Match[str]) -> str:
        return f"```{match[1]}\n{new_body(_block(match))}```"

    return _BLOCK.sub(rewrite, text)


def _block(match: re.Match[str]) -> Block:
    title = _TITLE.search(match[1])
    line = match.string.count("\n", 0, match.start(2)) + 1
    return Block(match[1].split(" ")[0], title[1] if title else None, match[2], line)
