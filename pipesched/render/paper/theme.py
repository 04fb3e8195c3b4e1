"""Inks of the figures."""

from typing import NamedTuple

from pipesched.errors import OutputError
from pipesched.ops import Kind
from pipesched.render.chart import PALETTE, Tone


class Theme(NamedTuple):
    """Colours as #rrggbb; ``tones`` by kind, then shade, as in the one palette."""

    background: str | None
    ink: str
    faint: str  # ruler, edge of a chart
    grid: str
    idle: str
    border: str  # of cells
    mark: str  # what takes no time, what is over the cap
    held: str  # activations
    tones: dict[Kind, tuple[Tone, Tone]]
    hints: bool  # whether cells say what they are under the mouse

    def tone(self, tone: int) -> Tone:
        """Fill and ink of a cell, by 2 x kind + shade."""
        return self.tones[Kind(tone // 2)][tone % 2]


#: The palette's hues, with lightness spread so that all eight tones stay apart on a grey printer: from
#: 57 to 238 of 255, 20 or more between any two.
_GREY_SAFE = {
    Kind.F: (Tone("#ffb544", "#1a1a1a"), Tone("#b75b06", "#ffffff")),
    Kind.B: (Tone("#4aab78", "#1a1a1a"), Tone("#154d30", "#ffffff")),
    Kind.I: (Tone("#e5f7db", "#1a1a1a"), Tone("#c4e7b4", "#1a1a1a")),
    Kind.W: (Tone("#77ade3", "#1a1a1a"), Tone("#285b9c", "#ffffff")),
}

THEMES: dict[str, Theme] = {
    "print": Theme(
        None, "#000000", "#a0a0a0", "#e2e2e2", "#ffffff", "#1a1a1a", "#a5006e", "#b9a7de", _GREY_SAFE,
        hints=False,
    ),
    "screen": Theme(
        "#ffffff", "#1f2328", "#c4cad1", "#e1e5e9", "#f3f4f6", "#3b4149", "#a5006e", "#b9a7de", PALETTE,
        hints=True,
    ),
    "dark": Theme(
        "#14171c", "#e6e8eb", "#444c56", "#333a43", "#21262d", "#14171c", "#ff8ad1", "#8f78c9", PALETTE,
        hints=True,
    ),
}  # fmt: skip


def theme_named(name: str) -> Theme:
    """The theme; raises :class:`OutputError` where there is none of this name."""
    if name not in THEMES:
        raise OutputError(f"a theme is one of {', '.join(THEMES)}; got {name!r}")
    return THEMES[name]
