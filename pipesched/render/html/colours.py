"""The page's colours, light and dark; and those of ops: what they stand for, the ink on each, the legend.

Sequences run from light to dark or are told apart in lightness, so that they hold for every kind of
colour-blind eye and in black and white; tests/test_html_colours.py simulates the three common kinds.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipesched.ops import KIND_NAMES, Kind
from pipesched.render.chart import PALETTE, Chart, legend
from pipesched.schedule import Schedule
from pipesched.timeline import Floats

Ints = npt.NDArray[np.integer[Any]]

#: What the page and its charts are made of: light, dark.
PAGE = {
    "paper": ("#ffffff", "#15181d"),
    "card": ("#f6f8fa", "#1d2229"),
    "ink": ("#1f2328", "#e6e9ee"),
    "soft": ("#57606a", "#a2abb6"),
    "line": ("#d0d7de", "#3a424d"),
    "link": ("#0b5cad", "#7db7f5"),
    "best": ("#d9f2e3", "#1d4630"),
    "idle": ("#eceff3", "#262c35"),
    "empty": ("#f6f7f9", "#1b2027"),
    "held": ("#a58fd0", "#7d66ad"),
    "over": ("#d1124f", "#ff5c8a"),
    "cap": ("#5b2a86", "#d9c8ff"),
    "path": ("#a3195b", "#ff8fc0"),
}
_DARK_INK, _LIGHT_INK = "#1a1a1a", "#ffffff"

#: Light to dark through one hue change (the order of cividis): what comes first is lightest.
STAGES = (
    "#fff1b8",
    "#ecd97f",
    "#cdbf72",
    "#b0a878",
    "#95917a",
    "#7b7b78",
    "#616777",
    "#455374",
    "#2b3f6f",
    "#0b2a5b",
)
#: Neighbours differ most: light and dark take turns.
MICROBATCHES = ("#f5d76e", "#2c5f9e", "#f4a582", "#4d3a78", "#9fd3c7", "#8c3b2e", "#c9c2e8", "#2f6b4f")
#: No slack first, then more and more.
SLACKS = ("#c2410c", "#4a6797", "#6783b0", "#879fc7", "#a8bbda", "#c6d4e8")
#: The tone of ops whose slack is not known: after those.
UNKNOWN_SLACK, _UNKNOWN = len(SLACKS), "#b4b4b4"


def tones(drawn: Chart, late: Floats, near: float) -> dict[str, Ints]:
    """The number of each op's colour, int32[N] or int64[N], by what colours may stand for.

    ``late`` float64[N] is the slack of each op, none where it is at most ``near``.
    """
    stage = np.zeros_like(drawn.label) if drawn.stage is None else drawn.stage.astype(np.int64)
    stages = max(int(stage.max(initial=0)) + 1, len(STAGES))
    share = late / max(float(late.max(initial=0.0)), 1e-300)
    some = 1 + np.minimum(len(SLACKS) - 2, ((len(SLACKS) - 1) * share).astype(np.int64))
    return {
        "kind_tone": 2 * drawn.kind + drawn.shade % 2,
        "microbatch_tone": drawn.label % len(MICROBATCHES),
        "stage_tone": stage * len(STAGES) // stages,
        "slack_tone": np.where(late <= near, 0, some),
    }


def style_sheet() -> str:
    """The page's colours as CSS variables that follow its colour scheme."""
    variables = "".join(f" --{name}: light-dark({light}, {dark});" for name, (light, dark) in PAGE.items())
    return f":root {{{variables} }}\n"


def schemes() -> dict[str, dict[str, Any]]:
    """The same for a canvas, ``light`` and ``dark``: ``ink`` as CSS, ``pixel`` as numbers."""
    found = {}
    for k, scheme in enumerate(("light", "dark")):
        ink = {name: pair[k] for name, pair in PAGE.items()}
        found[scheme] = {"ink": ink, "pixel": {name: pixel(colour) for name, colour in ink.items()}}
    return found


def pixel(colour: str) -> int:
    """#rrggbb as a canvas keeps it: red in the lowest byte, opaque."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return 0xFF000000 | blue << 16 | green << 8 | red


def on_canvas(mode: dict[str, Any]) -> dict[str, list[Any]]:
    """One of :func:`colours` for a canvas: ``fills`` as numbers, ``borders`` darker than those, ``inks``."""
    fills = mode["fills"]
    return {"fills": list(map(pixel, fills)), "borders": list(map(_darker, fills)), "inks": mode["inks"]}


def _darker(colour: str) -> str:
    """Half way to black, or nearly so."""
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{(part + 20) // 2:02x}" for part in parts)


def colours(schedules: Sequence[Schedule], *, slack_known: bool = True) -> dict[str, dict[str, Any]]:
    """By mode: ``fills`` and ``inks`` by tone, ``names`` for the legend, None for a tone not in use."""
    stages = max((each.stages for each in schedules), default=1)
    slacks = ["no slack", "little slack", "", "", "", "most slack of its schedule"]
    return {
        "kind": _kinds(schedules),
        "microbatch": _sequence(MICROBATCHES, [f"micro-batch {k} + {len(MICROBATCHES)}n" for k in range(8)]),
        "stage": _sequence(STAGES[:stages] if stages < len(STAGES) else STAGES, _stage_names(stages)),
        "slack": _sequence(SLACKS, slacks)
        if slack_known
        else _sequence([*SLACKS, _UNKNOWN], [*slacks, "slack not known"]),
    }


def _kinds(schedules: Sequence[Schedule]) -> dict[str, Any]:
    """Two tones a kind, named as in the charts' own legends."""
    names: dict[tuple[int, int], list[str]] = {}
    paired = False
    for schedule in schedules:
        for entry in legend(schedule):
            if entry.shade is None:
                paired = True
                continue
            known = names.setdefault((entry.kind, entry.shade), [])
            known += [entry.which] if entry.which and entry.which not in known else []
    listed = [(kind, shade) for kind in Kind for shade in (0, 1)]
    words = [
        f"{kind.name} {KIND_NAMES[kind]}" + (f", {' or '.join(which)}" if which else "")
        if (which := names.get((kind, shade))) is not None
        else None
        for kind, shade in listed
    ]
    tones = [PALETTE[kind][shade] for kind, shade in listed]
    return {
        "fills": [tone.fill for tone in tones],
        "inks": [tone.ink for tone in tones],
        "names": words,
        "note": "framed: forward and backward overlapped" if paired else None,
    }


def _stage_names(stages: int) -> list[str]:
    if stages <= len(STAGES):
        return [f"stage {k}" for k in range(stages)]
    return ["stage 0", *[""] * (len(STAGES) - 2), f"stage {stages - 1}"]


def _sequence(fills: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    inks = [_DARK_INK if luminance(fill) > 0.18 else _LIGHT_INK for fill in fills]
    return {"fills": list(fills), "inks": inks, "names": list(names), "note": None}


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
