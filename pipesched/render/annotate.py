"""What a chart may show besides: slack, the critical path, activations. Computed where it is asked for."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipesched.analysis.critical import critical_path, slack
from pipesched.analysis.memory import memory, steps
from pipesched.render.chart import Chart, Held
from pipesched.timeline import Floats, Timeline


def with_slack(chart: Chart, timeline: Timeline) -> Chart:
    """The chart with the slack of every bar."""
    return replace(chart, slack=slack(timeline)[timeline.schedule.slot][chart.op])


def with_critical_path(chart: Chart, timeline: Timeline) -> Chart:
    """The chart with a critical path: both ops of a pair are on it, or none."""
    on_path = np.zeros(timeline.schedule.n_slots, dtype=np.bool_)
    on_path[critical_path(timeline).slots] = True
    return replace(chart, critical=on_path[timeline.schedule.slot][chart.op])


def with_activations(
    chart: Chart, timeline: Timeline, free_at: str | float = "w", cap: Sequence[float] | None = None
) -> Chart:
    """The chart with what each device holds; ``cap`` is what each has room for, or one number for all."""
    found = memory(timeline.schedule, free_at)
    staircases = tuple(steps(timeline, found, device) for device in range(timeline.schedule.devices))
    return replace(chart, held=holding(staircases, found.peak, free_at, cap))


def per_model(chart: Chart, parts: int, stages: int) -> Chart:
    """The chart with activations in 1/parts of the model, not in stages; its cap is in these already."""
    if chart.held is None or parts == stages:
        return chart
    held, share = chart.held, parts / stages
    staircases = tuple((times, levels * share) for times, levels in held.steps)
    freed = f"{held.freed_at}; in 1/{parts} of the model"
    return replace(chart, held=held._replace(steps=staircases, peak=held.peak * share, freed_at=freed))


def holding(
    staircases: tuple[tuple[Floats, Floats], ...],
    peak: Floats,
    free_at: str | float,
    cap: Sequence[float] | None,
) -> Held:
    """What devices hold, in words and numbers that a chart can show."""
    room = None if cap is None else np.broadcast_to(np.array(cap, dtype=np.float64), peak.shape)
    return Held(staircases, peak, room, _freed(free_at))


def _freed(free_at: str | float) -> str:
    named = {"w": "freed at W", "i": "freed at I"}
    text = str(free_at).strip().lower()
    return named[text] if text in named else f"{100 * float(text):g} % freed at I, the rest at W"
