"""The report of one schedule as tables: idle time by cause, memory, and why devices wait."""

from pipesched.analysis.report import Report
from pipesched.analysis.waits import Gap
from pipesched.render.text.summary import num
from pipesched.render.text.table import Table

#: So many of the longest waits, and of the critical path's slots at each end, are told.
_TOLD = 10


def idle_table(measured: Report) -> Table:
    """Per device: busy and idle time, by cause."""
    bubble = measured.bubble
    causes = bubble.causes
    columns = [
        bubble.busy,
        bubble.idle,
        causes.startup,
        causes.inside,
        causes.drain,
        causes.transfer,
        bubble.span_idle,
    ]
    rows = [(str(d), *(num(column[d]) for column in columns)) for d in range(measured.devices)]
    return Table(
        title=f"idle time by device and cause ({measured.unit})",
        columns=("device", "busy", "idle", "start-up", "inside", "drain", "of it transfer", "span idle"),
        rows=tuple(rows),
        notes=(
            "idle = start-up + inside + drain = makespan - busy; span idle: between own first and last op",
        ),
    )


def memory_table(measured: Report) -> Table:
    """Per device: stages held and peak activations."""
    memory = measured.memory
    rows = [
        (
            str(d),
            ", ".join(map(str, memory.stages[d])),
            num(memory.peak_activations[d]),
            num(memory.peak_model_share[d]),
            num(memory.peak_time[d]),
            memory.peak_op[d],
        )
        for d in range(measured.devices)
    ]
    return Table(
        title="parameters and activations by device",
        columns=("device", "stages", "peak activations", "x model", "at", "op"),
        rows=tuple(rows),
        notes=("activations of one micro-batch on one stage; x model: divided by the model's stages",),
    )


def closing(measured: Report) -> list[str]:
    """The longest waits and the critical path, in words."""
    length = f"critical path ({num(measured.critical_path.length)} {measured.unit})"
    if not measured.listed:
        return [f"{length}  at this size, its slots and the waits are not listed"]
    gaps = measured.bubble.gaps
    lines = ["longest waits" if gaps.waits else "no device waits for another"]
    lines += [f"  {wait_text(gap, measured.unit)}" for gap in gaps.longest_waits(_TOLD)]
    if gaps.waits > _TOLD:
        lines.append(f"  and {gaps.waits - _TOLD:,} more (--json lists all)")
    ops = measured.critical_path.ops
    shown = (
        ops
        if len(ops) <= 2 * _TOLD
        else [*ops[:_TOLD], f"... {len(ops) - 2 * _TOLD:,} more ...", *ops[-_TOLD:]]
    )
    return [
        *lines,
        f"{length}  {' '.join(shown)}",
    ]


def wait_text(gap: Gap, unit: str) -> str:
    """``device 3 waited 2 F for 5B1 on device 4 (from 10 to 12), of which 0.1 transfer``."""
    length = f"{num(gap.end - gap.start)} {unit}"
    waited = f"device {gap.device} waited {length} for {gap.waited_for} on device {gap.on_device}"
    transfer = f", of which {num(gap.transfer)} transfer" if gap.transfer else ""
    return f"{waited} (from {num(gap.start)} to {num(gap.end)}{transfer})"
