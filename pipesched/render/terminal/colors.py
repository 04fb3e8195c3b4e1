"""What the tones of a chart are in truecolor, in 256 and in 16 colours, and in letters."""

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.color import Color
from rich.style import Style

from pipesched.ops import Kind
from pipesched.render.chart import PALETTE, Chart, Ints, Tone

#: By kind and shade, as PALETTE: numbers of the 256 colours nearest to it by eye, ink last.
#: The nearest by number would turn the dark green of B to teal.
_IN_256 = {
    Kind.F: ((215, 234), (130, 231)),
    Kind.B: ((72, 234), (29, 231)),
    Kind.I: ((193, 234), (114, 234)),
    Kind.W: ((110, 234), (25, 231)),
}
#: The same in the 16 that every terminal names and shows in its own way: yellow, cyan, magenta and blue,
#: and their bright ones. Green would be yellow to many colour-blind eyes; the bright ones alone are greys
#: in some themes.
_IN_16 = {
    Kind.F: ((3, 0), (11, 0)),
    Kind.B: ((6, 0), (14, 0)),
    Kind.I: ((5, 15), (13, 0)),
    Kind.W: ((4, 15), (12, 0)),
}
#: Micro-batches come round through these: Okabe and Ito's colours for every eye, next to each other as
#: different as can be, then the numbers of their likes among the 16.
_HUES = (("#e69f00", 3), ("#56b4e9", 6), ("#cc79a7", 5), ("#009e73", 2), ("#d55e00", 1), ("#0072b2", 4))
#: How much white (or black, below 0) a hue is mixed with for each kind.
_TINT = {Kind.F: 0.6, Kind.B: 0.0, Kind.I: 0.3, Kind.W: -0.45}
_DARK, _LIGHT = "#1a1a1a", "#ffffff"
#: What is left of a fill's light in every second cell, where there is no room for a border.
_SHADED = 0.86

AnyInts = npt.NDArray[np.signedinteger[Any]]


class Colors:
    """Each bar's tone, ``tone`` int32[N] in 0..``tones``-1, and the styles of the tones.

    A tone is kind x ``variants`` + variant: the shade, or the hue of the micro-batch. Numbers for
    :class:`pipesched.render.terminal.canvas.Canvas`: 0 is the terminal's own colour, then come the fills
    of all tones, the same shaded, and the inks.
    """

    def __init__(self, chart: Chart, color_by: str, system: str | None) -> None:
        self.system = system
        self.by_microbatch = color_by == "microbatch"
        self.variants = len(_HUES) if self.by_microbatch else 2
        variant = chart.label if self.by_microbatch else chart.shade
        self.tone: Ints = chart.kind * self.variants + variant % self.variants
        self.tones = len(Kind) * self.variants
        self._styles: dict[tuple[int, int, bool], Style | None] = {}

    @property
    def shades(self) -> bool:
        """Whether neighbours without a border between them can be told apart by a shade."""
        return self.system == "truecolor"

    def fill(self, tone: AnyInts, shaded: AnyInts | int = 0) -> AnyInts:
        """The number of each fill."""
        return 1 + tone + self.tones * shaded

    def ink(self, tone: AnyInts) -> AnyInts:
        """The number of the ink that reads on each fill."""
        return 1 + tone + 2 * self.tones

    def on(self, tone: int) -> tuple[int, int]:
        """Ink and fill of a tone."""
        return 1 + tone + 2 * self.tones, 1 + tone

    def style(self, front: int, back: int, underline: bool = False) -> Style | None:
        """The style of a front colour on a back colour; None for plain text and without colours.

        A front of 0 on a fill is a hole through which the terminal's background shows.
        """
        if self.system is None or not (front or back):
            return None
        key = (front, back, underline)
        if key not in self._styles:
            if not front:
                self._styles[key] = Style(color=self._colors[back], reverse=True, underline=underline)
            else:
                background = self._colors[back] if back else None
                self._styles[key] = Style(
                    color=self._colors[front], bgcolor=background, underline=underline or None
                )
        return self._styles[key]

    @cached_property
    def _colors(self) -> list[Color]:
        pairs = [self._pair(tone) for tone in range(self.tones)]
        fills = [fill for fill, _ in pairs]
        shaded = [_shade(fill) for fill in fills] if self.shades else fills
        return [Color.default(), *fills, *shaded, *(ink for _, ink in pairs)]

    def _pair(self, tone: int) -> tuple[Color, Color]:
        """Fill and ink of a tone in the terminal's colour system."""
        if self.system in ("standard", "windows"):
            fill, ink = self._number(tone)
            return Color.from_ansi(fill), Color.from_ansi(ink)
        if self.system == "256" and not self.by_microbatch:
            fill, ink = _IN_256[Kind(tone // 2)][tone % 2]
            return Color.from_ansi(fill), Color.from_ansi(ink)
        named = microbatch_tone(tone) if self.by_microbatch else PALETTE[Kind(tone // 2)][tone % 2]
        return Color.parse(named.fill), Color.parse(named.ink)

    def _number(self, tone: int) -> tuple[int, int]:
        if not self.by_microbatch:
            return _IN_16[Kind(tone // 2)][tone % 2]
        kind, hue = divmod(tone, self.variants)
        number = _HUES[hue][1]
        if kind == Kind.F:
            return number + 8, 0
        return number, 15 if number in (1, 4, 5) else 0


def microbatch_tone(tone: int) -> Tone:
    """Fill and ink of a micro-batch's hue, lighter or darker by kind."""
    kind, hue = divmod(tone, len(_HUES))
    channels = np.array(Color.parse(_HUES[hue][0]).get_truecolor())
    tint = _TINT[Kind(kind)]
    mixed = channels + abs(tint) * ((255.0 if tint > 0 else 0.0) - channels)
    luminance = float(np.array([0.2126, 0.7152, 0.0722]) @ (mixed / 255) ** 2.2)
    red, green, blue = np.rint(mixed).astype(int).tolist()
    return Tone(f"#{red:02x}{green:02x}{blue:02x}", _DARK if luminance > 0.18 else _LIGHT)


def _shade(color: Color) -> Color:
    red, green, blue = (int(channel * _SHADED) for channel in color.get_truecolor())
    return Color.from_rgb(red, green, blue)


_LETTERS = np.array([ord(kind.name) for kind in Kind], dtype=np.uint32)


def letters(kind: AnyInts, shade: AnyInts | int = 0) -> npt.NDArray[np.uint32]:
    """Code points of the kinds' letters, lower case for every second direction or chunk."""
    lower = np.asarray(shade % 2, dtype=np.uint32) * np.uint32(ord("a") - ord("A"))
    coded: npt.NDArray[np.uint32] = _LETTERS[kind] + lower
    return coded
