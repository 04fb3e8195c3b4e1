"""Which tone each bar has, and the styles of tones, by number."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeVar, get_args

import numpy as np
import numpy.typing as npt
from rich.color import Color
from rich.style import Style

from pipesched.choices import ColorBy
from pipesched.ops import Kind
from pipesched.render.chart import Chart, Ints
from pipesched.render.terminal import palettes
from pipesched.render.terminal.palettes import HUES, Paint

COLOR_BY: tuple[ColorBy, ...] = get_args(ColorBy)

AnyInts = npt.NDArray[np.signedinteger[Any]]
_Column = TypeVar("_Column")


class Colors:
    """The tones of bars, 0..``tones``-1, and the styles of the tones, for all charts of one picture.

    A tone is kind x ``variants`` + variant: the shade, the hue of micro-batch or stage, or the step of
    slack. Numbers for :class:`pipesched.render.terminal.canvas.Canvas`: 0 is the terminal's own colour,
    then come the fills of all tones, the same shaded, and the inks. ``system`` is rich's name of a colour
    system, None for text without colours.
    """

    def __init__(self, charts: Sequence[Chart], color_by: ColorBy, system: str | None) -> None:
        self.system = system
        self.color_by: ColorBy = color_by
        self.variants = 2 if color_by == "kind" else HUES
        self.tones = len(Kind) * self.variants
        self.most_slack = max((_most(chart.slack) for chart in charts), default=0.0)
        self._one_shade = not any((chart.shade % 2).any() for chart in charts)
        self._styles: dict[tuple[int, int, bool], Style | None] = {}

    @property
    def lettered(self) -> bool:
        """Whether cells name their kind, because their colour means something else."""
        return self.color_by != "kind"

    def tone(self, chart: Chart) -> Ints:
        """The tone of each bar, int32[N]."""
        variant: AnyInts
        if self.color_by == "slack":
            variant = self.slack_step(_needed(chart.slack, "slack"))
        elif self.color_by == "stage":
            variant = _needed(chart.stage, "stages") % HUES
        else:
            variant = chart.label % HUES if self.color_by == "microbatch" else chart.shade % 2
        return (chart.kind * self.variants + variant).astype(np.int32)

    def alike(self, tone: AnyInts) -> AnyInts:
        """A number per tone, the same for tones that look the same: slack has one ramp for all kinds."""
        return tone % self.variants if self.color_by == "slack" else tone

    def slack_step(self, slack: npt.NDArray[np.float64]) -> AnyInts:
        """0 for none, then equal parts of the most, each with its upper end."""
        if not self.most_slack:
            return np.zeros(len(slack), dtype=np.int64)
        part = slack / self.most_slack * (HUES - 1)
        return np.clip(np.ceil(part - 1e-9), 0, HUES - 1).astype(np.int64)

    @cached_property
    def shades(self) -> npt.NDArray[np.bool_]:
        """Whether neighbours of a tone without a border between can be told apart by a shade, bool[tones]."""
        return np.array([paint.fill != paint.shaded for paint in self._paints])

    def fill(self, tone: AnyInts, shaded: AnyInts | int = 0) -> AnyInts:
        """The number of each fill."""
        return 1 + tone + self.tones * shaded

    def ink(self, tone: AnyInts) -> AnyInts:
        """The number of the ink that reads on each fill."""
        return 1 + tone + 2 * self.tones

    def ink_on(self, fill: AnyInts) -> AnyInts:
        """The number of the ink for each number of a fill, shaded or not."""
        return self.ink((fill - 1) % self.tones)

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
    def _paints(self) -> list[Paint]:
        return [self._paint(Kind(tone // self.variants), tone % self.variants) for tone in range(self.tones)]

    @cached_property
    def _colors(self) -> list[Color]:
        fills, shaded, inks = zip(*self._paints, strict=True)
        return [Color.default(), *fills, *shaded, *inks]

    def _paint(self, kind: Kind, variant: int) -> Paint:
        """A tone in the terminal's colour system."""
        system = self.system or "truecolor"
        if self.color_by == "slack":
            return palettes.by_slack(variant, system)
        if self.color_by == "kind":
            return palettes.by_kind(kind, variant, system, one_shade=self._one_shade)
        return palettes.by_hue(kind, variant, system)


def _most(column: npt.NDArray[np.float64] | None) -> float:
    return 0.0 if column is None else float(column.max(initial=0.0))


def _needed(column: _Column | None, what: str) -> _Column:
    if column is None:
        raise ValueError(f"the chart says nothing about {what}: see pipesched.render.annotate")
    return column


_LETTERS = np.array([ord(kind.name) for kind in Kind], dtype=np.uint32)


def letters(kind: AnyInts, shade: AnyInts | int = 0) -> npt.NDArray[np.uint32]:
    """Code points of the kinds' letters, lower case for every second direction or chunk."""
    lower = np.asarray(shade % 2, dtype=np.uint32) * np.uint32(ord("a") - ord("A"))
    coded: npt.NDArray[np.uint32] = _LETTERS[kind] + lower
    return coded
