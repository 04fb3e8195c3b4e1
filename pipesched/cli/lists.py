"""``pipesched export`` to files for programs: the lists of one schedule, or a trace of how they ran."""

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from pipesched.cli.groups import given_flags
from pipesched.cli.options import Moving
from pipesched.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipesched.cli.source import Asked, Source

#: Formats to choose whatever the file is called.
Format = Literal["torch", "csv", "json"]
#: Who is to run the schedule.
Framework = Literal["torchtitan"]


class Lists(NamedTuple):
    """What lists are to hold, and how they are written, as given on the command line."""

    kind: Annotated[
        Format | None,
        typer.Option("--format", help="torch: CSV, and only what torch runs. Default by suffix."),
    ] = None
    allow_replicas: Annotated[
        bool,
        typer.Option("--allow-replicas", help="CSV of a stage on two devices too, which torch cannot run."),
    ] = False
    comms: Annotated[
        bool, typer.Option("--comms", help="With SEND, RECV and REDUCE_GRAD: torch's compute_comms format.")
    ] = False
    fsdp: Annotated[bool, typer.Option("--fsdp", help="With --comms, UNSHARD and RESHARD too.")] = False
    check: Annotated[
        Framework | None,
        typer.Option("--check", help="Say whether this framework can run it, and under which name."),
    ] = None


def refuse_lists(suffix: str, lists: Lists) -> None:
    """What is about lists does not apply to pictures and traces of when they ran."""
    for flag in given_flags(lists):
        way = "; --comm async runs transfers" if flag in ("--comms", "--fsdp") else ""
        raise OutputError(f"{flag} is for lists (.csv and .json): a {suffix} file holds none{way}")


def source_of(asked: "Asked", suffix: str | None) -> "Source":
    """The one schedule that is asked for, if it fits in memory with what is made of it."""
    from pipesched.cli.source import resolve
    from pipesched.formats.writers import HOLDS_TRANSFERS
    from pipesched.generators.size import LISTED, MEASURED

    per_op = LISTED if suffix in HOLDS_TRANSFERS else MEASURED
    source = resolve(asked.names[0], asked.problem, asked.options, per_op=per_op)
    if suffix is not None:
        source.costs.check_lengths(source.schedule.stages)
    return source


def list_parts(source: "Source", suffix: str, lists: Lists, asked: "Asked") -> "Iterable[str | bytes]":
    """The file, in parts."""
    from pipesched.formats import torch_csv, writers

    if suffix not in writers.HOLDS_TRANSFERS:
        refuse_lists(suffix, lists._replace(check=None))
        return _trace(source, suffix, asked)
    plan = _lowered(source, suffix, lists, asked.moving).plan
    if lists.kind == "torch":
        return writers.torch_strictly(plan, allow_replicas=lists.allow_replicas)
    if suffix == ".csv" and lists.allow_replicas:
        return torch_csv.write(plan)
    return writers.WRITERS[suffix](plan, source.costs)


def _trace(source: "Source", suffix: str, asked: "Asked") -> "Iterable[str | bytes]":
    from pipesched.cli.transport import timeline_of
    from pipesched.formats import trace

    parts = trace.write_timeline(timeline_of(source, asked.moving), asked.problem.free_at)
    return trace.compressed(parts) if suffix.endswith(".gz") else parts


def _lowered(source: "Source", suffix: str, lists: Lists, moving: Moving) -> "Source":
    """With transfers, if they are wanted; lists have no times, so how those would run does not matter."""
    for flag in given_flags(moving._replace(recv=None)):
        raise OutputError(
            f"{flag} says how transfers run, and a {suffix} file holds no times; figures and traces do"
        )
    if not lists.comms:
        if moving.recv is not None or lists.fsdp:
            flag = "--recv" if moving.recv else "--fsdp"
            raise OutputError(f"{flag} says how transfers are put in; give --comms too")
        return source
    from pipesched.cli.transport import plan_of

    return source._replace(actions=plan_of(source, moving, fsdp=lists.fsdp))


def print_verdict(source: "Source") -> None:
    """Print what torchtitan would make of it; exit code 1 if it cannot run it."""
    from pipesched.formats.torchtitan import verdict

    found = verdict(source.plan)
    if found.name is None:
        typer.echo(f"torchtitan cannot run {source.schedule.called}: {found.why}")
        raise typer.Exit(1)
    flag = "--parallelism.pipeline_parallel_schedule"
    typer.echo(f"torchtitan runs it as {found.name} ({found.why}): {flag} {found.name} {flag}_csv FILE")
