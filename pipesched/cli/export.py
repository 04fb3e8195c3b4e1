"""``pipesched export``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pipesched.choices import Equal
from pipesched.cli.figures import FIGURE, Figure, picture, refuse, suffixes
from pipesched.cli.groups import given_flags, grouped
from pipesched.cli.look import Drawn
from pipesched.cli.options import (
    EXTRA,
    Force,
    Moving,
    Problem,
    complete_schedule,
)
from pipesched.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipesched.cli.source import Asked, Source


Schedules = Annotated[
    list[str],
    typer.Argument(
        metavar="SCHEDULE...",
        help="One, or for a figure several; as 'show' takes.",
        autocompletion=complete_schedule,
    ),
]
EqualOption = Annotated[
    Equal | None,
    typer.Option(
        "--equal",
        help="Costs per 1/PP of one model (devices), or PP stages each (stages). Default: per stage.",
        rich_help_panel=FIGURE,
    ),
]


#: Formats to choose whatever the file is called.
Format = Literal["torch", "csv", "json"]
#: Who is to run the schedule.
Framework = Literal["torchtitan"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", context_settings=EXTRA)(export)


@grouped
def export(
    ctx: typer.Context,
    schedules: Schedules,
    problem: Problem,
    moving: Moving,
    figure: Figure,
    drawn: Drawn,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; its suffix says how. - for stdout (CSV)."),
    ] = None,
    kind: Annotated[
        Format | None,
        typer.Option("--format", help="torch: CSV, and only what torch runs. Default by suffix."),
    ] = None,
    allow_replicas: Annotated[
        bool,
        typer.Option("--allow-replicas", help="CSV of a stage on two devices too, which torch cannot run."),
    ] = False,
    comms: Annotated[
        bool, typer.Option("--comms", help="With SEND, RECV and REDUCE_GRAD: torch's compute_comms format.")
    ] = False,
    fsdp: Annotated[bool, typer.Option("--fsdp", help="With --comms, UNSHARD and RESHARD too.")] = False,
    check: Annotated[
        Framework | None,
        typer.Option("--check", help="Say whether this framework can run it, and under which name."),
    ] = None,
    equal: EqualOption = None,
    force: Force = False,
) -> None:
    """Write a schedule to a file, by its suffix.

    .csv as torch reads it, .json with placement and costs, .trace.json for Perfetto, and figures: .svg,
    .pdf, .png, which take several schedules on one time axis.

    Example: pipesched export zb1p --pp 4 --mb 8 -o zb1p.csv
    """
    from pipesched.cli.output import write_out
    from pipesched.cli.progress import progress
    from pipesched.cli.source import Asked, resolve
    from pipesched.formats.output import check_free
    from pipesched.formats.writers import HOLDS_TRANSFERS, WRITERS
    from pipesched.generators.size import LISTED, MEASURED

    if output is None and check is None:
        raise OutputError("nothing to do: give --output FILE, or --check torchtitan")
    asked = Asked.of([*schedules, *ctx.args], problem, moving, equal)
    names = asked.names
    suffix = None if output is None else _suffix(output, kind)
    if suffix is None or suffix in WRITERS:
        refuse(suffix, figure, drawn)
        if len(names) > 1:
            raise OutputError(
                f"only figures ({', '.join(suffixes())}) hold several schedules; got {len(names)}"
            )
    if output is not None and str(output) != "-":
        check_free(output, force=force)
    with progress(f"exporting {names[0]}"):
        if output is not None and suffix is not None and suffix not in WRITERS:
            _refuse_lists(suffix, comms=comms, fsdp=fsdp, check=check)
            write_out(output, [picture(asked, suffix, figure, drawn)], force=force)
            return
        per_op = LISTED if suffix in HOLDS_TRANSFERS else MEASURED
        source = resolve(names[0], problem, asked.options, per_op=per_op)
        if output is not None and suffix is not None:
            source.costs.check_lengths(source.schedule.stages)
            lowered = _lowered(source, suffix, moving, comms=comms, fsdp=fsdp)
            parts = _parts(lowered, suffix, kind, asked, allow_replicas=allow_replicas)
            write_out(output, parts, force=force)
    if check is not None:
        _check(source)


def _suffix(output: Path, kind: Format | None) -> str:
    """A list's or a figure's: each of the two says itself which it writes."""
    from pipesched.formats import writers

    if kind is not None:
        return ".json" if kind == "json" else ".csv"
    suffix = ".csv" if str(output) == "-" else writers.suffix_of(output.name)
    if suffix is None and output.suffix.lower() not in suffixes():
        known = ", ".join([*writers.WRITERS, *suffixes()])
        raise OutputError(f"cannot write {output}: its suffix must be one of {known}")
    return suffix or output.suffix.lower()


def _refuse_lists(suffix: str, *, comms: bool, fsdp: bool, check: object = None) -> None:
    """What is about lists does not apply to pictures and traces of when they ran."""
    flags = {"--comms": comms, "--fsdp": fsdp, "--check": check is not None}
    given = [flag for flag, value in flags.items() if value]
    if given:
        way = "" if given[0] == "--check" else "; --comm async runs transfers"
        raise OutputError(f"{given[0]} is for lists (.csv and .json): a {suffix} file holds none{way}")


def _lowered(source: "Source", suffix: str, moving: Moving, *, comms: bool, fsdp: bool) -> "Source":
    """With transfers, where the file is to hold them."""
    from pipesched.formats import writers

    if suffix not in writers.HOLDS_TRANSFERS:
        _refuse_lists(suffix, comms=comms, fsdp=fsdp)
        return source
    _refuse_running(suffix, moving)
    if not comms and (moving.recv is not None or fsdp):
        raise OutputError(
            f"{'--recv' if moving.recv else '--fsdp'} says how transfers are put in; give --comms too"
        )
    if not comms:
        return source
    from pipesched.cli.transport import plan_of

    return source._replace(actions=plan_of(source, moving, fsdp=fsdp))


def _refuse_running(suffix: str, moving: Moving) -> None:
    """A list of actions has no times, so that how transfers run does not matter."""
    for flag in given_flags(moving._replace(recv=None)):
        raise OutputError(
            f"{flag} says how transfers run, and a {suffix} file holds no times; figures and traces do"
        )


def _parts(
    source: "Source", suffix: str, kind: Format | None, asked: "Asked", *, allow_replicas: bool
) -> "Iterable[str | bytes]":
    from pipesched.cli.transport import timeline_of
    from pipesched.formats import torch_csv, trace, writers

    if kind == "torch":
        return writers.torch_strictly(source.plan, allow_replicas=allow_replicas)
    if suffix == ".csv" and allow_replicas:
        return torch_csv.write(source.plan)
    if suffix in writers.HOLDS_TRANSFERS:
        return writers.WRITERS[suffix](source.plan, source.costs)
    parts = trace.write_timeline(timeline_of(source, asked.moving), asked.problem.free_at)
    return trace.compressed(parts) if suffix.endswith(".gz") else parts


def _check(source: "Source") -> None:
    """Print what torchtitan would make of it; exit code 1 if it cannot run it."""
    from pipesched.formats.torchtitan import verdict

    found = verdict(source.plan)
    if found.name is None:
        typer.echo(f"torchtitan cannot run {source.schedule.called}: {found.why}")
        raise typer.Exit(1)
    flag = "--parallelism.pipeline_parallel_schedule"
    typer.echo(f"torchtitan runs it as {found.name} ({found.why}): {flag} {found.name} {flag}_csv FILE")
