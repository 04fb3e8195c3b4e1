"""``pipesched export`` to a picture: one schedule, or several under each other on one time axis."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pipesched.choices import FigureTheme
from pipesched.cli.groups import given_flags
from pipesched.cli.look import EXCERPT, Drawn, warn
from pipesched.errors import OutputError
from pipesched.words import printable

if TYPE_CHECKING:
    from pipesched.cli.source import Asked
    from pipesched.render.paper import Look


FIGURE = "Figures"


def _figure(*flags: str, text: str, **more: Any) -> Any:
    return typer.Option(*flags, help=text, rich_help_panel=FIGURE, **more)


class Figure(NamedTuple):
    """How a figure is to look, as given on the command line."""

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
    excerpt: Annotated[bool | None, _figure("--excerpt/--whole", text=EXCERPT, show_default=False)] = None

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


def refuse(suffix: str | None, names: Sequence[str], *groups: NamedTuple) -> None:
    """Raise :class:`OutputError` where what is written is no figure, but only figures can be as asked for."""
    for flag in given_flags(*groups):
        what = f"a {suffix} file" if suffix else "a check"
        raise OutputError(f"{flag} is for figures ({', '.join(suffixes())}), and {what} is none")
    if len(names) > 1:
        raise OutputError(f"only figures ({', '.join(suffixes())}) hold several schedules; got {len(names)}")


def suffixes() -> list[str]:
    """What figures may be called."""
    from pipesched.render.paper import FORMATS

    return list(FORMATS)


def picture(asked: "Asked", suffix: str, figure: Figure, drawn: Drawn) -> bytes:
    """The file; raises where it cannot be made."""
    from pipesched.cli.excerpted import charts, note
    from pipesched.cli.several import ran
    from pipesched.render.paper import draw

    look, names = figure.look, asked.names
    found = ran(asked, excerpt=figure.excerpt)
    if len(found.timelines) < len(names):
        missing = f"{len(names) - len(found.timelines)} of {len(names)} schedules cannot run here"
        raise OutputError(f"{missing}; 'pipesched compare' of the same says why")
    if asked.equal is None and len({each.stages for each in found.reports}) > 1:
        message = "costs are per stage, and the schedules have different numbers of stages: "
        warn(f"{message}--equal devices draws one model")
    drawings = charts(found, drawn, asked.problem.free_at, excerpt=figure.excerpt)
    if rest := note(found, drawings):
        warn(rest)
    lines = tuple(f"{label}: {text}" for label, text in found.notes.items())
    return draw([replace(each, caption=each.caption + lines) for each in drawings], suffix, look)
