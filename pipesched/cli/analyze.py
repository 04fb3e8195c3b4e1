"""``pipesched analyze``."""

from typing import TYPE_CHECKING

import typer

from pipesched.cli.groups import grouped
from pipesched.cli.jitter import JitterOption, Samples, Seed
from pipesched.cli.options import (
    EXTRA,
    AsJson,
    MemoryCap,
    Moving,
    Problem,
    ScheduleName,
    Width,
)

if TYPE_CHECKING:
    from pipesched.analysis.report import Report
    from pipesched.costs import CostModel


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyze", context_settings=EXTRA)(analyze)


@grouped
def analyze(
    ctx: typer.Context,
    schedule: ScheduleName,
    problem: Problem,
    moving: Moving,
    memory_cap: MemoryCap = None,
    jitter: JitterOption = None,
    samples: Samples = 1000,
    seed: Seed = 0,
    as_json: AsJson = False,
    width: Width = None,
) -> None:
    """Measure: makespan, bubble by cause, formula, memory, critical path.

    Example: pipesched analyze dualpipe --pp 8 --mb 20 --json
    """
    from pipesched.analysis import report
    from pipesched.analysis.cap import over_cap, peaks_over_cap
    from pipesched.analysis.plain import plain
    from pipesched.cli.costs import cost_model
    from pipesched.cli.jitter import jitter_lines, spread_of
    from pipesched.cli.output import print_json
    from pipesched.cli.progress import progress
    from pipesched.cli.source import Asked, resolve
    from pipesched.cli.transport import cap_numbers, timeline_of, transfer_lines
    from pipesched.cli.unbuilt import unbuilt

    with progress(f"running {schedule}"):
        caps = None if memory_cap is None else cap_numbers(memory_cap)
        quick = (
            None if jitter is not None else unbuilt(schedule, Asked([schedule], problem, moving, ctx.args))
        )
        if quick is None:
            source = resolve(schedule, problem, ctx.args)
            timeline = timeline_of(source, moving)
            measured = report(timeline, problem.free_at, dialect=problem.dialect)
            over = [] if caps is None else [*over_cap(timeline, caps, problem.free_at)]
            costs, notes = source.costs, transfer_lines(source, moving)
            varied = [] if jitter is None else [spread_of(source, moving, jitter, samples, seed)]
        else:
            measured, costs, notes, varied = quick.report, cost_model(problem), [], []
            over = [] if caps is None else [*peaks_over_cap(measured, caps)]
    if as_json:
        capped = {} if memory_cap is None else {"over_memory_cap": [each._asdict() for each in over]}
        spread = {"jitter": plain(varied[0])} if varied else {}
        print_json({**measured.as_dict(), **capped, **spread})
        return
    notes += [line for each in varied for line in jitter_lines(each, measured.unit)]
    notes += [f"{'memory cap':<12} {violation.message}" for violation in over]
    _print(measured, costs, notes, width)


def _print(measured: "Report", costs: "CostModel", notes: list[str], width: int | None) -> None:
    from pipesched.cli.output import print_lines, print_table
    from pipesched.render.text.measures import closing, idle_table, memory_table
    from pipesched.render.text.summary import size, summary

    print_lines([f"{measured.schedule}: {size(measured)}; costs {costs.describe()}"], width)
    print_lines([*summary(measured), *notes], width)
    for table in (idle_table(measured), memory_table(measured)):
        print_table(table, width)
    print_lines(closing(measured), width)
