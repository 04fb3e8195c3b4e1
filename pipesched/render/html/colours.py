"""What the viewer's colours may stand for: fills, the ink that reads on each, and the legend.

Sequences run from light to dark or are told apart in lightness, so that they hold for every kind of
colour-blind eye and in black and white; tests/test_html_colours.py simulates the three common kinds.
"""

from collections.abc import Sequence
from typing import Any

from pipesched.ops import Kind
from pipesched.render.chart import PALETTE, chart
from pipesched.timeline import Timeline

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


def colours(timelines: Sequence[Timeline]) -> dict[str, dict[str, Any]]:
    """By mode: ``fills`` and ``inks`` by tone, ``names`` of the tones for the legend, null for none."""
    stages = max((t.schedule.stages for t in timelines), default=1)
    return {
        "kind": _kinds(timelines),
        "microbatch": _sequence(MICROBATCHES, [f"micro-batch {k} + {len(MICROBATCHES)}n" for k in range(8)]),
        "stage": _sequence(STAGES[:stages] if stages < len(STAGES) else STAGES, _stage_names(stages)),
        "slack": _sequence(SLACKS, ["no slack", "little slack", *[None] * 3, "most slack of its schedule"]),
    }


def _kinds(timelines: Sequence[Timeline]) -> dict[str, Any]:
    """Two tones a kind, named as in the charts' own legends."""
    names: dict[tuple[int, int], list[str]] = {}
    paired = False
    for timeline in timelines:
        for entry in chart(timeline).legend:
            if entry.shade is None:
                paired = True
                continue
            known = names.setdefault((entry.kind, entry.shade), [])
            known += [entry.which] if entry.which and entry.which not in known else []
    listed = [(kind, shade) for kind in Kind for shade in (0, 1)]
    words = [
        f"{kind.name} {_FULL[kind]}" + (f", {' or '.join(which)}" if which else "")
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


_FULL = {
    Kind.F: "forward",
    Kind.B: "backward",
    Kind.I: "backward for the input",
    Kind.W: "backward for the weights",
}


def _stage_names(stages: int) -> list[str | None]:
    if stages <= len(STAGES):
        return [f"stage {k}" for k in range(stages)]
    return ["stage 0", *[None] * (len(STAGES) - 2), f"stage {stages - 1}"]


def _sequence(fills: Sequence[str], names: Sequence[str | None]) -> dict[str, Any]:
    inks = [_DARK_INK if luminance(fill) > 0.18 else _LIGHT_INK for fill in fills]
    return {"fills": list(fills), "inks": inks, "names": list(names), "note": None}


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb (WCAG 2)."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
