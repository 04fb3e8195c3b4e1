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
    from pipesched.cli.measured import Measured


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
    from pipesched.cli.jitter import Noise
    from pipesched.cli.measured import measured
    from pipesched.cli.output import print_json
    from pipesched.cli.source import Asked

    noise = None if jitter is None else Noise(jitter, samples, seed)
    found = measured(Asked([schedule], problem, moving, ctx.args), memory_cap, noise)
    if as_json:
        print_json(found.as_dict())
    else:
        _print(found, width)


def _print(found: "Measured", width: int | None) -> None:
    from pipesched.cli.jitter import jitter_lines
    from pipesched.cli.output import print_lines, print_table
    from pipesched.render.text.measures import closing, idle_table, memory_table
    from pipesched.render.text.summary import labelled, size, summary

    report = found.report
    print_lines([f"{report.schedule}: {size(report)}; costs {found.costs.describe()}"], width)
    print_lines(
        [
            *summary(report),
            *labelled(found.notes),
            *(jitter_lines(found.jitter, report.unit) if found.jitter else []),
            *(f"{'memory cap':<12} {violation.message}" for violation in found.over_cap or []),
        ],
        width,
    )
    for table in (idle_table(report), memory_table(report)):
        print_table(table, width)
    print_lines(closing(report), width)
