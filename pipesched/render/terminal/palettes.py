"""What the tones of a chart are in truecolor, in 256 and in 16 colours: fill, the same shaded, and ink."""

from typing import NamedTuple

import numpy as np
from rich.color import Color, ColorSystem

from pipesched.ops import Kind
from pipesched.render.chart import PALETTE
from pipesched.timeline import Floats

#: How many hues micro-batches and stages come round through, and how many steps slack has.
HUES = 6


class Paint(NamedTuple):
    """One tone; ``shaded`` is for every second cell where no border fits, and ``fill`` if there is none."""

    fill: Color
    shaded: Color
    ink: Color


#: By kind and shade, as PALETTE: numbers of the 256 colours nearest to it by eye, then a neighbour of the
#: same kind, ink last. The nearest by number would turn the dark green of B to teal.
_IN_256 = {
    Kind.F: ((215, 179, 234), (130, 94, 231)),
    Kind.B: ((72, 79, 234), (29, 22, 231)),
    Kind.I: ((193, 157, 234), (114, 78, 234)),
    Kind.W: ((110, 67, 234), (25, 61, 231)),
}
#: The same in the 16 that every terminal names and shows in its own way: yellow, cyan, magenta and blue,
#: and their bright ones. Green would be yellow to many colour-blind eyes; the bright ones alone are greys
#: in some themes. Where a chart has one shade only, the other serves to shade.
_IN_16 = {
    Kind.F: ((3, 0), (11, 0)),
    Kind.B: ((6, 0), (14, 0)),
    Kind.I: ((5, 15), (13, 0)),
    Kind.W: ((4, 15), (12, 0)),
}
#: Okabe and Ito's colours for every eye, next to each other as different as can be, then the numbers of
#: their likes among the 16.
_HUES = (("#e69f00", 3), ("#56b4e9", 6), ("#cc79a7", 5), ("#009e73", 2), ("#d55e00", 1), ("#0072b2", 4))
#: How much white (or black, below 0) a hue is mixed with for each kind.
_TINT = {Kind.F: 0.6, Kind.B: 0.0, Kind.I: 0.3, Kind.W: -0.45}
#: Slack from none to the most: from dark to light for every eye. Then the same in 256 and in 16 colours.
_SLACK = (
    ("#8c1d04", 88, 1),
    ("#d1495b", 167, 5),
    ("#ef8354", 209, 3),
    ("#f6b26b", 215, 11),
    ("#fbdca4", 223, 7),
    ("#fff7e0", 230, 15),
)
_DARK, _LIGHT = "#1a1a1a", "#ffffff"
#: What is left of a fill's light in every second cell, where there is no room for a border.
_SHADED = 0.86
_NAMED = ("standard", "windows")


def by_kind(kind: Kind, shade: int, system: str, *, one_shade: bool) -> Paint:
    """The tone of a kind and a direction or chunk; ``one_shade`` if the chart has no other."""
    if system in _NAMED:
        fill, ink = _IN_16[kind][shade]
        return _numbered(fill, _IN_16[kind][1][0] if one_shade else fill, ink)
    if system == "256":
        return _numbered(*_IN_256[kind][shade])
    tone = PALETTE[kind][shade]
    return _mixed(tone.fill, tone.ink)


def by_hue(kind: Kind, hue: int, system: str) -> Paint:
    """A hue, lighter or darker by kind."""
    if system in _NAMED:
        number = _HUES[hue][1]
        fill, ink = (number + 8, 0) if kind == Kind.F else (number, 15 if number in (1, 4, 5) else 0)
        return _numbered(fill, fill, ink)
    channels = np.array(Color.parse(_HUES[hue][0]).get_truecolor(), dtype=np.float64)
    tint = _TINT[kind]
    mixed = channels + abs(tint) * ((255.0 if tint > 0 else 0.0) - channels)
    red, green, blue = np.rint(mixed).astype(int).tolist()
    return _coarser(_mixed(f"#{red:02x}{green:02x}{blue:02x}", _ink(mixed)), system)


def by_slack(step: int, system: str) -> Paint:
    """A step of slack, 0 for none."""
    fill, in_256, in_16 = _SLACK[step]
    if system in _NAMED:
        return _numbered(in_16, in_16, 15 if step < 2 else 0)
    if system == "256":
        color = Color.from_ansi(in_256)
        ink = Color.from_ansi(231 if step < 2 else 234)
        return Paint(color, _shade(color).downgrade(ColorSystem.EIGHT_BIT), ink)
    return _mixed(fill, _ink(np.array(Color.parse(fill).get_truecolor(), dtype=np.float64)))


def _numbered(fill: int, shaded: int, ink: int) -> Paint:
    return Paint(Color.from_ansi(fill), Color.from_ansi(shaded), Color.from_ansi(ink))


def _mixed(fill: str, ink: str) -> Paint:
    color = Color.parse(fill)
    return Paint(color, _shade(color), Color.parse(ink))


def _coarser(paint: Paint, system: str) -> Paint:
    if system != "256":
        return paint
    return Paint(*(color.downgrade(ColorSystem.EIGHT_BIT) for color in paint))


def _shade(color: Color) -> Color:
    red, green, blue = (int(channel * _SHADED) for channel in color.get_truecolor())
    return Color.from_rgb(red, green, blue)


def _ink(channels: Floats) -> str:
    luminance = float(np.array([0.2126, 0.7152, 0.0722]) @ (channels / 255) ** 2.2)
    return _DARK if luminance > 0.18 else _LIGHT
