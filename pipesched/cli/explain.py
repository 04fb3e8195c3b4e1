"""``pipesched explain``."""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from pipesched.cli.groups import grouped
from pipesched.cli.options import (
    EXTRA,
    TIME,
    WHOLE,
    AsJson,
    Moving,
    Problem,
    ScheduleName,
    Width,
)
from pipesched.errors import ShapeError

if TYPE_CHECKING:
    from pipesched.analysis.explain import OpExplained
    from pipesched.analysis.waiting import DeviceExplained
    from pipesched.ops import Slot
    from pipesched.timeline import Timeline


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain", context_settings=EXTRA)(explain)


@grouped
def explain(
    ctx: typer.Context,
    schedule: ScheduleName,
    problem: Problem,
    moving: Moving,
    op: Annotated[
        str | None, typer.Option("--op", metavar="3F7", help="Why this op, or pair, runs when it does.")
    ] = None,
    device: Annotated[
        int | None, typer.Option("--device", help="With --at: what this device does, or waits for.", **WHOLE)
    ] = None,
    at: Annotated[float | None, typer.Option("--at", help="A time, with --device.", **TIME)] = None,
    as_json: AsJson = False,
    width: Width = None,
) -> None:
    """Explain an op (what it needed, what held it, what it unblocks, its slack) or a device at a time.

    Example: pipesched explain dualpipe --pp 8 --mb 20 --op 3F7
    """
    from pipesched.analysis.plain import plain
    from pipesched.cli.output import print_json, print_lines
    from pipesched.cli.source import resolve, schedule_options
    from pipesched.cli.transport import timeline_of, transfer_notes
    from pipesched.render.text.summary import labelled

    schedule_options(ctx.args)  # an option of no command first: it may be meant for one of these
    question = _Question.of(op, device, at)
    source = resolve(schedule, problem, ctx.args)
    found, lines = question.answer(timeline_of(source, moving))
    if as_json:
        print_json({"schedule": source.schedule.name, "unit": source.costs.unit, **plain(found)})
    else:
        print_lines([*lines, *labelled(transfer_notes(moving, source.costs))], width)


class _Question(NamedTuple):
    """What is asked: an op or pair, or a device at a time."""

    wanted: "Slot | None"
    device: int
    at: float

    @classmethod
    def of(cls, op: str | None, device: int | None, at: float | None) -> "_Question":
        """Checked before any work is done."""
        from pipesched.ops import parse_slot

        if op is None and device is not None and at is not None:
            return cls(None, device, at)
        if op is None or device is not None or at is not None:
            raise ShapeError("give either --op, such as --op 3F7, or both --device and --at")
        wanted = parse_slot("".join(op.split()))
        if wanted is None:
            raise ShapeError(
                f"{op!r} is not an op; ops read like 3F7, 3B7, 3I7, 3W7 or '(0F7;7B3)OVERLAP_F_B'"
            )
        return cls(wanted, 0, 0.0)

    def answer(self, timeline: "Timeline") -> "tuple[OpExplained | DeviceExplained, list[str]]":
        """As data and in words."""
        from pipesched.analysis.explain import explain_op
        from pipesched.analysis.waiting import explain_device
        from pipesched.render.text.explanation import device_lines, op_lines

        if self.wanted is not None:
            op = explain_op(timeline, self.wanted)
            return op, op_lines(op, timeline.costs.unit)
        device = explain_device(timeline, self.device, self.at)
        return device, device_lines(device, timeline.costs.unit)
