"""``pipesched export`` to a picture: one schedule, or several under each other on one time axis."""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from pipesched.choices import FigureTheme
from pipesched.cli.look import Look as Shown
from pipesched.cli.options import TIME, Problem
from pipesched.errors import OutputError, PipeschedWarning
from pipesched.words import printable

if TYPE_CHECKING:
    from pipesched.render.paper import Look


FIGURE = "Figures"


def _figure(*flags: str, text: str, **more: Any) -> Any:
    return typer.Option(*flags, help=text, rich_help_panel=FIGURE, **more)


@dataclass(frozen=True, kw_only=True)
class FigureOptions:
    """How a figure is to look, and what of the schedules it shows, as given on the command line."""

    width: Annotated[str | None, _figure("--width", text="Of a figure: 180mm, 84mm, 1200px.")] = None
    theme: Annotated[FigureTheme, _figure("--theme", text="Of a figure.")] = "print"
    title: Annotated[
        list[str] | None, _figure("--title", text="Over a schedule; once for each. '' for none.")
    ] = None
    no_title: Annotated[bool, _figure("--no-title", text="Nothing over the lanes.")] = False
    legend: Annotated[
        bool, _figure("--legend/--no-legend", text="What the colours mean, under a figure.")
    ] = True
    caption: Annotated[
        bool, _figure("--caption/--no-caption", text="The costs and notes, under a figure.")
    ] = True
    ruler: Annotated[bool, _figure("--ruler/--no-ruler", text="A time axis under a figure.")] = True
    start: Annotated[float | None, _figure("--from", text="Draw from this time.", **TIME)] = None
    stop: Annotated[float | None, _figure("--to", text="Draw up to this time.", **TIME)] = None
    devices: Annotated[str | None, _figure("--devices", text="Draw these devices: 0-3, or 2.")] = None
    critical: Annotated[bool, _figure("--critical", text="A line under what is on the critical path.")] = (
        False
    )
    memory: Annotated[bool, _figure("--memory", text="Under each device, the activations it holds.")] = False
    memory_cap: Annotated[
        str | None,
        _figure("--memory-cap", text="Show what is over so many activations, or 4,4,3,3; implies --memory."),
    ] = None

    @property
    def look(self) -> "Look":
        """What the renderer is told; raises where both a title and none is asked for."""
        from pipesched.render.paper import Look

        if self.no_title and self.title:
            raise OutputError("--title and --no-title exclude each other; give one of them")
        titles = () if self.no_title else tuple(map(printable, self.title)) if self.title else None
        return Look(
            width=self.width,
            theme=self.theme,
            titles=titles,
            legend=self.legend,
            caption=self.caption,
            ruler=self.ruler,
        )

    def refuse(self, suffix: str | None) -> None:
        """Raise :class:`OutputError` where any is given, but what is written is no figure."""
        for each in fields(self):
            if getattr(self, each.name) != each.default:
                annotated = get_type_hints(FigureOptions, include_extras=True)[each.name]
                flags = annotated.__metadata__[0].default.split("/")  # where typer keeps the first
                flag = flags[-1 if each.default is True else 0]
                what = f"a {suffix} file" if suffix else "a check"
                raise OutputError(f"{flag} is for figures ({', '.join(suffixes())}), and {what} is none")


def suffixes() -> list[str]:
    """What figures may be called."""
    from pipesched.render.paper import FORMATS

    return list(FORMATS)


def takes_figure(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all of :class:`FigureOptions`' options; it gets them as one argument, ``figure``."""
    hints = get_type_hints(FigureOptions, include_extras=True)
    own = inspect.signature(command, eval_str=True)
    options = [
        inspect.Parameter(
            each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
        for each in fields(FigureOptions)
    ]
    kept = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values() if p.name != "figure"
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        figure = FigureOptions(**{each.name: given.pop(each.name) for each in fields(FigureOptions)})
        command(**given, figure=figure)

    parameters = [*kept, *options]
    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_options


def picture(
    names: list[str],
    problem: Problem,
    extra: list[str],
    suffix: str,
    options: FigureOptions,
    equal: str | None,
) -> bytes:
    """The file; raises where it cannot be made."""
    from pipesched.cli.several import ran
    from pipesched.render.paper import draw

    look = options.look
    timelines, _, _, notes = ran(names, problem, extra, equal)
    if len(timelines) < len(names):
        missing = f"{len(names) - len(timelines)} of {len(names)} schedules cannot run here"
        raise OutputError(f"{missing}; 'pipesched compare' of the same says why")
    if equal is None and len({timeline.schedule.stages for timeline in timelines}) > 1:
        message = "costs are per stage, and the schedules have different numbers of stages: "
        warnings.warn(f"{message}--equal devices draws one model", PipeschedWarning, stacklevel=2)
    shown = Shown(
        start=options.start,
        stop=options.stop,
        devices=options.devices,
        critical=options.critical,
        memory=options.memory,
        memory_cap=options.memory_cap,
    )
    charts = [shown.chart(timeline, problem.free_at) for timeline in timelines]
    lines = tuple(": ".join(note.split(maxsplit=1)) for note in notes)  # as in a table: label, text
    return draw([replace(chart, caption=chart.caption + lines) for chart in charts], suffix, look)
