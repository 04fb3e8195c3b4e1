"""The terminal's pictures are those that were looked at: at 80, 120 and 200 columns, dark and light."""

import pytest
from snapshots import THEMES, WIDTHS, path, svg


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("theme", THEMES)
def test_as_it_was_looked_at(width, theme):
    expected = path(width, theme).read_text(encoding="utf-8")
    assert svg(width, theme) == expected, "look at what python tests/snapshots.py writes, then commit it"
