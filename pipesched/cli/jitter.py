"""``analyze --jitter``: how the numbers spread when times vary."""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipesched.cli.options import Moving, whole_number
from pipesched.errors import CostError
from pipesched.words import number

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipesched.analysis.jitter import Jitter, Spread
    from pipesched.cli.source import Source

_PANEL = "Jitter"

JitterOption = Annotated[
    str | None,
    typer.Option(
        "--jitter",
        help="Vary every slot's time by this standard deviation, such as 5%.",
        rich_help_panel=_PANEL,
    ),
]
Samples = Annotated[
    int,
    typer.Option(
        "--samples",
        help="Run so many times.",
        rich_help_panel=_PANEL,
        parser=whole_number(1, 10**6),
        metavar="N",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        help="Of the random numbers.",
        rich_help_panel=_PANEL,
        parser=whole_number(0),
        metavar="N",
    ),
]


class Noise(NamedTuple):
    """How times are to vary, as given on the command line."""

    jitter: str
    samples: int
    seed: int


def jitter_of(text: str) -> float:
    """``5%`` or ``0.05`` as a fraction; CostError for anything else."""
    value = number(text.strip().removesuffix("%"))
    if value is None:
        raise CostError(f"jitter must be a part of each time, such as 5% or 0.05; got {text!r}")
    return value / 100 if text.strip().endswith("%") else value


def spread_of(source: "Source", moving: Moving, noise: Noise) -> "Jitter":
    """Run the source's schedule under varying times; compute alone, so no transfers to be run."""
    from pipesched.analysis.jitter import jittered

    if moving != Moving():
        raise CostError("--jitter varies compute alone: leave out the options about transfers")
    return jittered(source.schedule, source.costs, jitter_of(noise.jitter), noise.samples, noise.seed)


def jitter_lines(found: "Jitter", unit: str) -> list[str]:
    """The distribution, and whom the makespan depends on, a line each."""
    from pipesched.render.text.summary import num, percent

    most = max(range(len(found.device_share)), key=found.device_share.__getitem__)
    share = found.device_share[most]
    how = f"{num(100 * found.jitter)} % of every slot's time, each on its own"
    cost = f"{percent(share)} of the makespan is its work on the critical path"
    lines = [
        f"jitter       {how}; {found.samples} samples, seed {found.seed}",
        f"  makespan   {_told(found.makespan, num)} {unit}",
        f"  bubble     {_told(found.bubble_rate, percent)} of all device time",
        f"  device     {most} matters most: {cost}; its times 1 % longer add {percent(share / 100)}",
    ]
    if found.crossings:
        link = found.crossings[0]
        lines.append(
            f"  link       {link.from_device} to {link.to_device} matters most: the critical path takes it "
            f"{num(link.times)} times, so often latency there counts"
        )
    return lines


def _told(spread: "Spread", text: "Callable[[float], str]") -> str:
    return (
        f"mean {text(spread.mean)}, median {text(spread.p50)}, 95 % up to {text(spread.p95)}, "
        f"worst {text(spread.worst)}"
    )
