"""Links and anchors of Markdown pages, as GitHub makes them."""

import re
from collections.abc import Iterator
from pathlib import Path

_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def broken_links(page: Path) -> Iterator[str]:
    """Relative links of a page to no file, or to no heading of it."""
    text = _FENCED.sub("", page.read_text(encoding="utf-8"))
    for markdown, html in _LINK.findall(text):
        link = markdown or html
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading"


def anchors(page: Path) -> set[str]:
    """Of every heading."""
    return {_slug(title) for title in _HEADING.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))}


def _slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
