"""Options that several commands share: the size of the problem and its costs."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

_SIZE, _COSTS = "Size", "Costs (a number, or one per stage: 1,1,1,2)"


def _size(flag: str, text: str) -> Any:
    return typer.Option(flag, help=text, rich_help_panel=_SIZE, show_default=False)


def _cost(flag: str, text: str) -> Any:
    return typer.Option(flag, help=text, rich_help_panel=_COSTS, show_default=False)


class DialectChoice(StrEnum):
    """What B means where formulas are printed."""

    DEEPSEEK = "deepseek"
    ZERO_BUBBLE = "zero-bubble"


Dialects = Annotated[
    DialectChoice,
    typer.Option(
        "--dialect", help="Formulas with B the whole backward (deepseek), or input-only (zero-bubble)."
    ),
]


@dataclass(frozen=True, kw_only=True)
class Problem:
    """What is to be scheduled, as given on the command line; None where it was not."""

    pp: Annotated[int | None, _size("--pp", "Devices (pipeline-parallel ranks). Default 8.")] = None
    mb: Annotated[int | None, _size("--mb", "Micro-batches. Default 2 x pp, or the least legal.")] = None
    chunks: Annotated[
        int | None, _size("--chunks", "Stages per device, where the schedule lets you choose.")
    ] = None
    f: Annotated[str | None, _cost("--f", "Forward. Default 1.")] = None
    b: Annotated[str | None, _cost("--b", "Whole backward. Default 2, or I + W.")] = None
    w: Annotated[str | None, _cost("--w", "Backward for the weights. Default 1.")] = None
    i: Annotated[str | None, _cost("--i", "Backward for the input. Default B - W.")] = None
    fb: Annotated[str | None, _cost("--fb", "Overlapped pair. Default F + B.")] = None
    latency: Annotated[str | None, _cost("--latency", "Transfer between two devices. Default 0.")] = None
    costs: Annotated[str | None, _cost("--costs", "File of costs, .json or .toml; flags go before it.")] = (
        None
    )
    unit: Annotated[str | None, _cost("--unit", "Name of the unit of time. Default F.")] = None
    free_at: Annotated[
        str,
        typer.Option(
            "--free-at", help="Activations freed at w, i, or this fraction at I.", rich_help_panel=_COSTS
        ),
    ] = "w"
    dialect: Dialects = DialectChoice.DEEPSEEK


def takes_problem(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all of :class:`Problem`'s options; it gets them as one argument, ``problem``."""
    hints = get_type_hints(Problem, include_extras=True)
    own = inspect.signature(command, eval_str=True)
    options = [
        inspect.Parameter(
            each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
        for each in fields(Problem)
    ]
    kept = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own.parameters.values() if p.name != "problem"
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        problem = Problem(**{each.name: given.pop(each.name) for each in fields(Problem)})
        command(**given, problem=problem)

    parameters = [*kept, *options]
    with_options.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_options


#: For commands that pass a schedule's own options on (``--group 4``).
EXTRA = {"allow_extra_args": True, "ignore_unknown_options": True}

ScheduleName = Annotated[
    str,
    typer.Argument(
        metavar="SCHEDULE", help="A name ('pipesched list'), a .csv or .json file, - or mine.py:function."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to stdout, nothing else.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
