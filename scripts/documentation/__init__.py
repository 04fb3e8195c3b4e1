"""The documentation is run, not believed: what ``scripts/docs`` rewrites and tests/test_docs.py checks."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def pages() -> list[Path]:
    """Every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "schedules" / "README.md"]
