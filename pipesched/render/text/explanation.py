"""Why an op runs when it does, and why a device is idle, in words: ``label  text`` lines."""

from pipesched.analysis.explain import NEIGHBOUR, OWN, TRANSFER, TURN, Held, Input, OpExplained, Output
from pipesched.analysis.journeys import Journey
from pipesched.analysis.waiting import BUSY, DeviceExplained, Link, Root
from pipesched.ops import KIND_NAMES, parse_slot
from pipesched.render.text.summary import num
from pipesched.words import cell

_OF_OPS = (OWN, NEIGHBOUR)
#: Times below this are rounding.
_NOISE = 1e-9
_WHERE_IDLE = {
    "startup": "idle before its first op",
    "inside": "idle between two ops",
    "drain": "idle after its last op",
}


def op_lines(found: OpExplained, unit: str) -> list[str]:
    """An op explained."""
    lines = [f"{found.op}: {_meaning(found)}"]
    pair = f" in the pair {found.slot}, which starts when both ops may" if found.slot != found.op else ""
    lines.append(
        f"runs       on device {found.device}, {cell(found.position)}, "
        f"from {num(found.start)} to {num(found.end)} {unit}{pair}"
    )
    lines += _labelled(
        "needs", [_input_text(found, each) for each in found.needs], "nothing: it may start at 0"
    )
    lines.append(f"held       {_held_text(found.held, found.start, unit)}")
    lines += _labelled("unblocks", [_output_text(each) for each in found.unblocks], "nothing")
    lines.append(f"slack      {_slack_text(found, unit)}")
    return lines


def device_lines(found: DeviceExplained, unit: str) -> list[str]:
    """A device at one time explained."""
    head = f"device {found.device} at {num(found.time)} {unit}: "
    span = f"from {num(found.start)} to {num(found.end)}"
    if found.position is not None and found.state == BUSY:
        return [f"{head}runs {found.slot} ({cell(found.position)}), {span}"]
    lines = [f"{head}{_WHERE_IDLE[found.state]}, {span}"]
    if found.state == "drain":
        return [*lines, "nothing is left to do for it: its last op has ended"]
    lines += [f"  {_link_text(link)}" for link in found.chain]
    if found.root:
        lines.append(f"  {_root_text(found.root, found.chain[-1])}")
    return lines


def _slack_text(found: OpExplained, unit: str) -> str:
    if found.slack is None:
        return "not known: transfers hold devices, so that a delay moves others"
    if not found.slack:
        return "none: it is on a critical path"
    as_long = ", if transfers take as long as here" if found.runs_transfers else ""
    return f"it may end {num(found.slack)} {unit} later at the same makespan{as_long}"


def _labelled(label: str, texts: list[str], none: str) -> list[str]:
    return [f"{label if number == 0 else '':<10} {text}" for number, text in enumerate(texts or [none])]


def _meaning(found: OpExplained) -> str:
    ops = parse_slot(found.op) or ()
    what = " and ".join(
        f"{KIND_NAMES[op.kind]} of micro-batch {op.microbatch} on stage {op.stage}" for op in ops
    )
    return what + (f", flowing {('down', 'up')[found.flow]}" if found.flows == 2 else "")


def _input_text(found: OpExplained, need: Input) -> str:
    for_whom = f" (for {need.needed_by})" if need.needed_by != found.op and need.why in _OF_OPS else ""
    early = f", {num(need.slack)} before the start" if need.slack else ", just in time"
    if need.why == TRANSFER:
        return f"{need.op}, a transfer that held its device: until {num(need.end)}{early}"
    return (
        f"{need.op}{for_whom}, {_where(need.why, need.device)}: ended at {num(need.end)}{_way(need)}{early}"
    )


def _where(why: str, device: int) -> str:
    return {TURN: "the slot before on its device", TRANSFER: "which held its device"}.get(
        why, f"on device {device}"
    )


def _way(need: Input) -> str:
    """How a result came, if that took time."""
    if not need.transfer:
        return ""
    steps = _steps(need.journey, need.end) if need.journey else ""
    return f", there at {num(need.arrival)} after {num(need.transfer)} of transfer{steps}"


def _steps(way: Journey, end: float) -> str:
    """`` (2 waiting for 1RECV_F1, 3 on the channel)``: of its steps, those that took time."""
    took = (
        (way.issued - end, "until {send}"),
        (way.waits_for_recv, "waiting for {recv}"),
        (way.queued, "waiting for its channel"),
        (way.sent - way.begun, "on the channel"),
        (way.arrived - way.sent, "of latency"),
    )
    told = [
        f"{num(time)} {what.format(send=way.send, recv=way.recv)}" for time, what in took if time > _NOISE
    ]
    return f" ({', '.join(told)})" if len(told) > 1 or way.queued or way.waits_for_recv else ""


def _held_text(held: Held | None, start: float, unit: str) -> str:
    if held is None or start == 0:
        return "by nothing: it starts at 0"
    who = f"by {held.by}, {_where(held.why, held.device)}"
    if not held.time:
        return f"{who}; another input is there at the same time, so neither alone delays it"
    transfer = f", of which {num(held.transfer)} transfer" if held.transfer else ""
    return f"{who}, for {num(held.time)} {unit}{transfer}: all else was there at {num(start - held.time)}"


def _output_text(each: Output) -> str:
    where = "the slot after on its device" if each.why == TURN else f"on device {each.device}"
    spare = (
        f", {num(each.slack)} after the result is there" if each.slack else ", as soon as the result is there"
    )
    return f"{each.op}, {where}: starts at {num(each.start)}{spare}"


def _link_text(link: Link) -> str:
    return (
        f"device {link.device} waits until {num(link.until)}: {link.next_slot} needs {link.waits_for} "
        f"of device {link.on_device}"
    )


def _root_text(root: Root, last: Link) -> str:
    span = f"from {num(root.start)} to {num(root.end)}"
    if root.transfer and last.waits_for == root.slot and not parse_slot(root.slot):
        return f"device {root.device} has come to {root.slot}: the transfer waits or is under way, {span}"
    if root.transfer:
        return f"{last.waits_for} has ended: its result is on its way to device {last.device}, {span}"
    return f"device {root.device} is running {root.slot}, {span}{_until(root.slots_ahead, last.waits_for)}"


def _until(slots_ahead: int, waits_for: str) -> str:
    """How many slots come before what is waited for, an op or a transfer."""
    computes = parse_slot(waits_for) is not None
    before = slots_ahead - computes
    when = f"after {before} more slot{'s' if before > 1 else ''}" if before > 0 else "next"
    if computes:
        return f", and runs {waits_for} {when}" if slots_ahead else ""
    return f", and comes to {waits_for} {when}"
