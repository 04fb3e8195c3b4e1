"""Windows of one chart put together again, without what lies between them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipesched.render.axis import Break
from pipesched.render.chart import COLUMNS, Chart, Held
from pipesched.render.marks import Marks
from pipesched.timeline import Floats


def joined(parts: Sequence[Chart], texts: Sequence[str]) -> Chart:
    """One chart of windows of another, in order, with a break between each two.

    ``texts`` says what each break leaves out. Bars end where their window does.
    """
    parts = [_without_slivers(part) for part in parts]
    at = [parts[0].t0]
    for part in parts:
        at.append(at[-1] + (part.t1 - part.t0))
    # Differences first: what begins at a break then stands exactly there.
    moved = [
        {
            **{name: getattr(part, name) for name in COLUMNS},
            "start": place + np.maximum(part.start - part.t0, 0.0),
            "end": place + (np.minimum(part.end, part.t1) - part.t0),
        }
        for part, place in zip(parts, at, strict=False)
    ]
    order = np.argsort(np.concatenate([part.lane for part in parts]), kind="stable")
    columns: dict[str, Any] = {
        name: None if moved[0][name] is None else np.concatenate([each[name] for each in moved])[order]
        for name in COLUMNS
    }
    breaks = tuple(
        Break(place, 0.0, before.t1, after.t0, text)
        for place, before, after, text in zip(at[1:], parts, parts[1:], texts, strict=False)
    )
    marked, held = _marks(parts, at), _held(parts, at)
    return replace(parts[0], **columns, t1=at[-1], breaks=breaks, marks=marked, held=held)


def _without_slivers(part: Chart) -> Chart:
    """The window without bars of which only rounding noise is inside."""
    inside = np.minimum(part.end, part.t1) - np.maximum(part.start, part.t0)
    keep = inside >= np.minimum(16 * np.spacing(part.t1), part.end - part.start)
    return replace(
        part, **{name: column[keep] for name in COLUMNS if (column := getattr(part, name)) is not None}
    )


def _marks(parts: Sequence[Chart], at: Sequence[float]) -> Marks | None:
    there = [
        part.marks._replace(time=place + (part.marks.time - part.t0))
        for part, place in zip(parts, at, strict=False)
        if part.marks is not None
    ]
    if not there:
        return None
    lane, time, opaque = (np.concatenate([each[k] for each in there]) for k in range(3))
    return Marks(lane, time, opaque, tuple(text for each in there for text in each.text))


def _held(parts: Sequence[Chart], at: Sequence[float]) -> Held | None:
    held = parts[0].held
    if held is None:
        return None
    staircases = []
    for device in range(len(held.steps)):
        pieces = [_levels(part, place, device) for part, place in zip(parts, at, strict=False)]
        times, levels = zip(*pieces, strict=True)
        staircases.append((np.concatenate(times), np.concatenate(levels)))
    return held._replace(steps=tuple(staircases))


def _levels(part: Chart, place: float, device: int) -> tuple[Floats, Floats]:
    """A device's staircase within a window."""
    if part.held is None:
        return np.zeros(0), np.zeros(0)
    times, levels = part.held.steps[device]
    first = max(int(np.searchsorted(times, part.t0, side="right")) - 1, 0)
    stop = int(np.searchsorted(times, part.t1))
    return place + np.maximum(times[first:stop] - part.t0, 0.0), levels[first:stop]
