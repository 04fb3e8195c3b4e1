"""Bring every page up to date."""

import sys
from pathlib import Path

from documentation import ROOT, pages
from documentation.picture import pictures
from documentation.regions import filled
from documentation.session import executed


def up_to_date(page: Path) -> str:
    """The page with its generated parts and its outputs as they are now."""
    return executed(filled(page.read_text(encoding="utf-8")), page.name)


def main() -> int:
    """Rewrite the pages named on the command line, or all, and the pictures; say what changed."""
    named = [Path(name).resolve() for name in sys.argv[1:]]
    failed = False
    for page in named or pages():
        try:
            _write(page, up_to_date(page))
        except Exception as error:  # noqa: BLE001  the other pages can still be brought up to date
            failed = True
            print(f"{page.name}: {type(error).__name__}: {error}", file=sys.stderr)
    if not named:
        for file, svg in pictures():
            _write(file, svg)
    return int(failed)


def _write(file: Path, text: str) -> None:
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        print(f"rewrote {file.relative_to(ROOT)}")
