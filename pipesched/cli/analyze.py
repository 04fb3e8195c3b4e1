"""``pipesched analyze``."""

from typing import TYPE_CHECKING, Annotated

import typer

from pipesched.cli.options import EXTRA, AsJson, Problem, ScheduleName, takes_problem

if TYPE_CHECKING:
    from pipesched.analysis.report import Report


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("analyze", context_settings=EXTRA)(analyze)


@takes_problem
def analyze(
    ctx: typer.Context,
    schedule: ScheduleName,
    problem: Problem,
    as_json: AsJson = False,
    width: Annotated[int | None, typer.Option(min=20, help="Columns. Default the terminal's.")] = None,
) -> None:
    """Measure: makespan, bubble by cause, formula, memory, critical path.

    Example: pipesched analyze dualpipe --pp 8 --mb 20 --json
    """
    from pipesched.analysis import analyze as measure
    from pipesched.cli.output import print_json, print_lines, print_table
    from pipesched.cli.source import resolve
    from pipesched.render.measures import closing, idle_table, memory_table
    from pipesched.render.summary import summary

    source = resolve(schedule, problem, ctx.args)
    measured: Report = measure(
        source.schedule, source.costs, free_at=problem.free_at, dialect=problem.dialect.value
    )
    if as_json:
        print_json(measured.as_dict())
        return
    title = f"{measured.schedule}: {source.schedule.describe()}; costs {source.costs.describe()}"
    print_lines([title], width)
    print_lines(summary(measured), width)
    for table in (idle_table(measured), memory_table(measured)):
        print_table(table, width)
    print_lines(closing(measured), width)
