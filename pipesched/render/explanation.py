"""Why an op runs when it does, and why a device is idle, in words: ``label  text`` lines."""

from pipesched.analysis.explain import TURN, Held, Input, OpExplained, Output
from pipesched.analysis.waiting import BUSY, DeviceExplained, Link, Root
from pipesched.ops import KIND_NAMES, parse_slot
from pipesched.render.summary import num

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
        f"runs       on device {found.device}, position {found.position}, "
        f"from {num(found.start)} to {num(found.end)} {unit}{pair}"
    )
    lines += _labelled(
        "needs", [_input_text(found, each) for each in found.needs], "nothing: it may start at 0"
    )
    lines.append(f"held       {_held_text(found.held, found.start, unit)}")
    lines += _labelled("unblocks", [_output_text(each) for each in found.unblocks], "nothing")
    late = f"it may end {num(found.slack)} {unit} later at the same makespan"
    lines.append(f"slack      {late if found.slack else 'none: it is on a critical path'}")
    return lines


def device_lines(found: DeviceExplained, unit: str) -> list[str]:
    """A device at one time explained."""
    head = f"device {found.device} at {num(found.time)} {unit}: "
    span = f"from {num(found.start)} to {num(found.end)}"
    if found.state == BUSY:
        return [f"{head}runs {found.slot} (position {found.position}), {span}"]
    lines = [f"{head}{_WHERE_IDLE[found.state]}, {span}"]
    if found.state == "drain":
        return [*lines, "nothing is left to do for it: its last op has ended"]
    lines += [f"  {_link_text(link)}" for link in found.chain]
    if found.root:
        lines.append(f"  {_root_text(found.root, found.chain[-1])}")
    return lines


def _labelled(label: str, texts: list[str], none: str) -> list[str]:
    return [f"{label if number == 0 else '':<10} {text}" for number, text in enumerate(texts or [none])]


def _meaning(found: OpExplained) -> str:
    ops = parse_slot(found.op) or ()
    what = " and ".join(
        f"{KIND_NAMES[op.kind]} of micro-batch {op.microbatch} on stage {op.stage}" for op in ops
    )
    return what + (f", flowing {('down', 'up')[found.flow]}" if found.flows == 2 else "")


def _input_text(found: OpExplained, need: Input) -> str:
    for_whom = f" (for {need.needed_by})" if need.needed_by != found.op and need.why != TURN else ""
    where = "the slot before on its device" if need.why == TURN else f"on device {need.device}"
    arrived = (
        f", there at {num(need.arrival)} after {num(need.transfer)} of transfer" if need.transfer else ""
    )
    early = f", {num(need.slack)} before the start" if need.slack else ", just in time"
    return f"{need.op}{for_whom}, {where}: ended at {num(need.end)}{arrived}{early}"


def _held_text(held: Held | None, start: float, unit: str) -> str:
    if held is None or start == 0:
        return "by nothing: it starts at 0"
    who = (
        f"by {held.by}, {'the slot before on its device' if held.why == TURN else f'on device {held.device}'}"
    )
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
    if root.transfer:
        return f"{last.waits_for} has ended: its result is on its way to device {last.device}, {span}"
    if not root.slots_ahead:
        return f"device {root.device} is running {root.slot}, {span}"
    before = root.slots_ahead - 1
    when = f"after {before} more slot{'s' if before > 1 else ''}" if before else "next"
    return f"device {root.device} is running {root.slot}, {span}, and runs {last.waits_for} {when}"
