"""Options that several commands share: the size of the problem and its costs."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer

from pipesched import choices
from pipesched.words import number, whole

_SIZE, _COSTS = "Size", "Costs (a number, or one per stage: 1,1,1,2)"


def whole_number(least: int | None = None, most: int | None = None) -> Callable[[str | int], int]:
    """A parser: what typer takes for a whole number is more, and told in other words."""

    def parsed(text: str | int) -> int:
        value = text if isinstance(text, int) else whole(text)  # defaults pass here too
        if value is None:
            raise typer.BadParameter(f"{text!r} is not a whole number")
        if least is not None and value < least:
            raise typer.BadParameter(f"it must be {least} or more; got {value}")
        if most is not None and value > most:
            raise typer.BadParameter(f"it must be {most} at most; got {value}")
        return value

    return parsed


def plain_number(text: str) -> float:
    """The same for any number."""
    value = number(text)
    if value is None:
        raise typer.BadParameter(f"{text!r} is not a number such as 1, 0.5 or 2e-3")
    return value


#: Of options that take a whole number, or a time.
WHOLE: dict[str, Any] = {"parser": whole_number(), "metavar": "N"}
TIME: dict[str, Any] = {"parser": plain_number, "metavar": "TIME"}


def _size(flag: str, text: str) -> Any:
    return typer.Option(flag, help=text, rich_help_panel=_SIZE, show_default=False, **WHOLE)


def _cost(flag: str, text: str, metavar: str = "TIME") -> Any:
    return typer.Option(flag, help=text, rich_help_panel=_COSTS, show_default=False, metavar=metavar)


def _transfer(flag: str, text: str, metavar: str | None = None) -> Any:
    return typer.Option(flag, help=text, rich_help_panel="Transfers", show_default=False, metavar=metavar)


Dialects = Annotated[
    choices.Dialect,
    typer.Option(
        "--dialect", help="Formulas with B the whole backward (deepseek), or input-only (zero-bubble)."
    ),
]
CsvDialects = Annotated[
    choices.CsvDialect,
    typer.Option(
        "--csv-dialect", help="B in a CSV read: whole (torch), input-only as in old files (b-input), or auto."
    ),
]


class Moving(NamedTuple):
    """How transfers run, as given on the command line; None where it was not, all None for compute alone."""

    comm: Annotated[
        choices.Comm | None,
        _transfer("--comm", "Transfers run beside the compute, or hold the device. Default async."),
    ] = None
    send: Annotated[
        choices.Send | None,
        _transfer("--send", "A send completes at once, or with its receive. Default buffered."),
    ] = None
    channels: Annotated[
        choices.Channels | None,
        _transfer("--channels", "One transfer at a time per direction, pair, or device. Default direction."),
    ] = None
    recv: Annotated[
        choices.Recv | None, _transfer("--recv", "Where receives stand, if the file has none. Default early.")
    ] = None
    size: Annotated[
        str | None,
        _transfer("--bytes", "Size of a transfer (4M, or one per stage boundary). Default 0.", "SIZE"),
    ] = None
    bandwidth: Annotated[
        str | None,
        _transfer(
            "--bandwidth", "Bytes per unit of time (50G, or one per device). Default unlimited.", "RATE"
        ),
    ] = None


class Problem(NamedTuple):
    """What is to be scheduled, as given on the command line; None where it was not."""

    pp: Annotated[int | None, _size("--pp", "Devices (pipeline-parallel ranks). Default 8.")] = None
    mb: Annotated[
        int | None,
        _size("--mb", "Micro-batches. Default 2 x pp or the least legal; compare: 4 x pp."),
    ] = None
    chunks: Annotated[
        int | None, _size("--chunks", "Stages per device, where the schedule lets you choose.")
    ] = None
    f: Annotated[str | None, _cost("--f", "Forward. Default 1.")] = None
    b: Annotated[str | None, _cost("--b", "Whole backward. Default 2, or I + W.")] = None
    w: Annotated[str | None, _cost("--w", "Backward for the weights. Default 1.")] = None
    i: Annotated[str | None, _cost("--i", "Backward for the input. Default B - W.")] = None
    fb: Annotated[str | None, _cost("--fb", "Overlapped pair. Default F + B.")] = None
    latency: Annotated[str | None, _cost("--latency", "Transfer between two devices. Default 0.")] = None
    costs: Annotated[
        str | None, _cost("--costs", "Costs from .json or .toml; flags go before it.", "FILE")
    ] = None
    unit: Annotated[str | None, _cost("--unit", "Name of the unit of time. Default: F, if 1.", "NAME")] = None
    free_at: Annotated[
        str,
        typer.Option(
            "--free-at",
            help="Activations freed at w, i, or this fraction at I.",
            rich_help_panel=_COSTS,
            metavar="w|i|N",
        ),
    ] = "w"
    dialect: Dialects = "deepseek"
    csv_dialect: CsvDialects = "auto"


#: For commands that pass a schedule's own options on (``--group 4``).
EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}


def complete_schedule(incomplete: str) -> list[str]:
    """Names of schedules for the shell's completion; files it completes itself."""
    from pipesched.generators import recipes

    names = [name for recipe in recipes() for name in (recipe.name, *recipe.aliases)]
    return [name for name in names if name.startswith(incomplete.lower())]


ScheduleName = Annotated[
    str,
    typer.Argument(
        metavar="SCHEDULE",
        help="A name ('pipesched list'), a .csv or .json file, - or mine.py:function.",
        autocompletion=complete_schedule,
    ),
]
MemoryCap = Annotated[
    str | None,
    typer.Option(
        "--memory-cap",
        help="Most activations of stages (compared: 1/PP of the model) that a device may hold, or 4,4,3,3.",
        metavar="N",
    ),
]
COLUMNS: dict[str, Any] = {"parser": whole_number(20), "metavar": "N"}
Width = Annotated[int | None, typer.Option("--width", help="Columns. Default the terminal's.", **COLUMNS)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to stdout, nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
