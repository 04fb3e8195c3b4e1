"""Inks of the figures for paper."""

from typing import NamedTuple

from pipesched.errors import OutputError
from pipesched.ops import Kind
from pipesched.render.chart import PALETTE, Tone


class Theme(NamedTuple):
    """Colours as #rrggbb; ``tones`` by kind, then shade, as in the one palette."""

    background: str | None
    ink: str
    faint: str  # grid, ruler, edge of a chart
    idle: str
    border: str  # of cells
    mark: str  # of what takes no time
    tones: dict[Kind, tuple[Tone, Tone]]

    def tone(self, kind: int, shade: int) -> Tone:
        """Fill and ink of a cell."""
        return self.tones[Kind(kind)][shade % 2]


#: The palette's hues, with lightness spread so that all eight tones stay apart on a grey printer: from
#: 57 to 238 of 255, 20 or more between any two.
_GREY_SAFE = {
    Kind.F: (Tone("#ffb544", "#1a1a1a"), Tone("#b75b06", "#ffffff")),
    Kind.B: (Tone("#4aab78", "#1a1a1a"), Tone("#154d30", "#ffffff")),
    Kind.I: (Tone("#e5f7db", "#1a1a1a"), Tone("#c4e7b4", "#1a1a1a")),
    Kind.W: (Tone("#77ade3", "#1a1a1a"), Tone("#285b9c", "#ffffff")),
}

THEMES = {
    "print": Theme(None, "#000000", "#a0a0a0", "#ffffff", "#1a1a1a", "#a5006e", _GREY_SAFE),
    "screen": Theme("#ffffff", "#1f2328", "#d0d5da", "#f3f4f6", "#3b4149", "#a5006e", PALETTE),
    "dark": Theme("#14171c", "#e6e8eb", "#444c56", "#21262d", "#14171c", "#ff8ad1", PALETTE),
}


def theme_named(name: str) -> Theme:
    """The theme; raises :class:`OutputError` where there is none of this name."""
    if name not in THEMES:
        raise OutputError(f"a theme is one of {', '.join(THEMES)}; got {name!r}")
    return THEMES[name]
