"""``pipesched diff``."""

import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from pipesched.cli.groups import grouped
from pipesched.cli.options import (
    EXTRA,
    AsJson,
    Moving,
    Problem,
    Width,
    complete_schedule,
)
from pipesched.errors import PipeschedWarning

if TYPE_CHECKING:
    from pipesched.actions import Actions
    from pipesched.cli.source import Source
    from pipesched.costs import CostModel
    from pipesched.schedule import Schedule

_SCHEDULE = "A name, a .csv or .json file, - or mine.py:function."


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("diff", context_settings=EXTRA)(diff)


@grouped
def diff(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help=_SCHEDULE, autocompletion=complete_schedule)],
    other: Annotated[str, typer.Argument(metavar="B", help=_SCHEDULE, autocompletion=complete_schedule)],
    problem: Problem,
    moving: Moving,
    as_json: AsJson = False,
    width: Width = None,
) -> None:
    """Say what differs between two schedules, and what it does to makespan, bubble and memory.

    Options are for both; a name beside a file is taken at the file's size. Transfers are compared where
    both have some; with an option about transfers, they are put in where there are none, and run. Exit
    code 1 if the two differ.

    Example: pipesched diff 1f1b.csv 1f1b
    """
    from pipesched.analysis.diff import diff as compare
    from pipesched.analysis.plain import plain
    from pipesched.cli.output import print_json, print_lines
    from pipesched.cli.transport import transfer_notes, transport_of
    from pipesched.render.text.difference import difference_lines
    from pipesched.render.text.summary import labelled

    a, b = _both(one, other, problem, ctx.args)
    costs = _costs(a, b, problem)
    plans = _plans(a, b, moving)
    found = compare(*plans, costs, problem.free_at, transport_of(moving))
    names = a.schedule.name, b.schedule.name
    if as_json:
        print_json({"schedules": list(names), "unit": costs.unit, **plain(found)})
    else:
        lines = difference_lines(found, names, costs.unit)
        print_lines([*lines, *labelled(transfer_notes(moving, costs))], width)
    if not found.equal:
        raise typer.Exit(1)


def _both(one: str, other: str, problem: Problem, extra: list[str]) -> "tuple[Source, Source]":
    """Both schedules; what has no size of its own takes that of the file beside it."""
    from pipesched.cli.source import is_file, resolve

    if is_file(one) == is_file(other):
        return resolve(one, problem, extra), resolve(other, problem, extra)
    file, name = (one, other) if is_file(one) else (other, one)
    known = resolve(file, problem._replace(chunks=None))
    size = problem._replace(pp=known.schedule.devices, mb=known.schedule.microbatches)
    made = resolve(name, size, extra)._replace(costs=known.costs)
    return (known, made) if file == one else (made, known)


def _plans(a: "Source", b: "Source", moving: Moving) -> "tuple[Schedule | Actions, Schedule | Actions]":
    """Whole lists; lowered, where transfers are asked for and one has none, with as much as the other has."""
    from pipesched.actions import Act, Actions
    from pipesched.cli.transport import plan_of, transport_of

    if transport_of(moving) is None:
        _note_one_sided(a, b)
        return a.plan, b.plan
    others = [source.plan for source in (a, b) if isinstance(source.plan, Actions)]
    fsdp, reduces = (any(len(plan.find(act)) for plan in others) for act in (Act.UNSHARD, Act.REDUCE_GRAD))

    def whole(source: "Source") -> "Schedule | Actions":
        if isinstance(source.plan, Actions) and source.plan.has_transfers:
            return source.plan
        return plan_of(source, moving, reduce_grad=reduces, fsdp=fsdp)

    return whole(a), whole(b)


def _note_one_sided(a: "Source", b: "Source") -> None:
    """Say so if what one has beside its compute is not compared."""
    from pipesched.actions import Actions

    sided = [source.plan for source in (a, b) if isinstance(source.plan, Actions)]
    if len(sided) == 1:
        message = f"only {sided[0].name} has more than compute, so compute alone is compared"
        with_them = "; --comm async puts transfers into the other" if sided[0].has_transfers else ""
        warnings.warn(message + with_them, PipeschedWarning, stacklevel=2)


def _costs(a: "Source", b: "Source", problem: Problem) -> "CostModel":
    """One cost model for both: what A's file says, else what B's says."""
    from pipesched.cli.costs import cost_model

    if a.costs == b.costs:
        return a.costs
    if a.costs == cost_model(problem):
        return b.costs
    message = f"the two files give different costs; both are measured with A's: {a.costs.describe()}"
    warnings.warn(message, PipeschedWarning, stacklevel=2)
    return a.costs
