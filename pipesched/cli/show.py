"""``pipesched show``."""

from enum import StrEnum
from typing import Annotated

import typer

from pipesched.cli.options import EXTRA, Problem, ScheduleName, takes_problem
from pipesched.errors import ShapeError

_LOOK = "Look"


class ColorBy(StrEnum):
    """What a colour means."""

    KIND = "kind"
    MICROBATCH = "microbatch"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show", context_settings=EXTRA)(show)


@takes_problem
def show(
    ctx: typer.Context,
    schedule: ScheduleName,
    problem: Problem,
    width: Annotated[
        int | None, typer.Option(min=20, help="Columns. Default the terminal's.", rich_help_panel=_LOOK)
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", help="Show from this time.", rich_help_panel=_LOOK)
    ] = None,
    stop: Annotated[
        float | None, typer.Option("--to", help="Show up to this time.", rich_help_panel=_LOOK)
    ] = None,
    devices: Annotated[
        str | None, typer.Option(help="Show these devices: 0-3, or 2.", rich_help_panel=_LOOK)
    ] = None,
    color_by: Annotated[
        ColorBy, typer.Option(help="What colours mean.", rich_help_panel=_LOOK)
    ] = ColorBy.KIND,
    ascii_only: Annotated[
        bool, typer.Option("--ascii", help="Letters instead of colours, 7-bit.", rich_help_panel=_LOOK)
    ] = False,
) -> None:
    """Draw a Gantt chart in the terminal, with the numbers under it.

    Example: pipesched show dualpipe --pp 8 --mb 20
    """
    from pipesched.analysis import report
    from pipesched.cli.output import console, print_lines
    from pipesched.cli.source import resolve
    from pipesched.render.chart import chart
    from pipesched.render.summary import summary
    from pipesched.render.terminal import Gantt
    from pipesched.simulate import simulate

    source = resolve(schedule, problem, ctx.args)
    timeline = simulate(source.schedule, source.costs)
    drawing = chart(timeline)
    t0, t1 = _window(start, stop, timeline.makespan)
    if (start, stop, devices) != (None, None, None):
        drawing = drawing.window(t0, t1, _devices(devices, source.schedule.devices))
    console(width).print(Gantt(drawing, ascii=ascii_only, color_by=color_by.value))
    print_lines(summary(report(timeline, problem.free_at)), width)


def _window(start: float | None, stop: float | None, makespan: float) -> tuple[float, float]:
    t0, t1 = 0.0 if start is None else start, makespan if stop is None else stop
    if not (0 <= t0 < t1 and t0 < makespan):
        raise ShapeError(f"nothing to show from {t0:g} to {t1:g}: the schedule runs from 0 to {makespan:g}")
    return t0, min(t1, makespan)


def _devices(text: str | None, count: int) -> range | None:
    """``0-3`` or ``2`` as a range of devices."""
    if text is None:
        return None
    first, _, last = text.partition("-")
    try:
        chosen = range(int(first), int(last or first) + 1)
    except ValueError:
        chosen = range(0)
    if not chosen or chosen[0] < 0 or chosen[-1] >= count:
        raise ShapeError(f"--devices must be like 0-3 or 2, within 0-{count - 1}; got {text!r}")
    return chosen
