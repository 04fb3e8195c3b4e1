"""What differs between two schedules, in words: ``label  text`` lines."""

from collections.abc import Sequence

from pipesched.analysis.diff import Difference, Measures, Moved, Stands
from pipesched.analysis.diff_lists import Shifted
from pipesched.render.text.summary import num, percent
from pipesched.words import cell

#: So many ops of a sort are told; ``--json`` has them all.
_TOLD = 8


def difference_lines(found: Difference, names: tuple[str, str], unit: str) -> list[str]:
    """The difference between A and B, which are called ``names``; times are in ``unit``."""
    a, b = names
    if found.equal:
        return [f"{a} and {b} are equal", *_effect_lines(found, unit)]
    lines = [f"{a} (A) and {b} (B) differ"]
    if found.devices[0] != found.devices[1]:
        lines.append(f"devices      A has {found.devices[0]}, B has {found.devices[1]}")
    if found.placement:
        which = _some([str(device) for device in found.placement])
        lines.append(f"placement    other stages or directions on device {which}")
    firsts = [
        f"device {each.device}, {cell(each.position)}: {each.a or 'nothing'} in A, {each.b or 'nothing'} in B"
        for each in found.first
    ]
    lines += _listed("first", firsts)
    lines += _listed("moved", [_moved_text(each) for each in found.moved])
    for label, stands in (("missing", found.missing), ("added", found.added)):
        lines += _listed(label, [_stands_text(each) for each in stands])
    lines += _listed("parted", [f"{_stands_text(each)} is no pair in B" for each in found.parted])
    lines += _listed("joined", [f"{_stands_text(each)} is no pair in A" for each in found.joined])
    return [*lines, *_other_lines(found), *_effect_lines(found, unit)]


def _other_lines(found: Difference) -> list[str]:
    """Transfers and the rest, if they were compared."""
    if found.others is None:
        return []
    moved = [_shifted_text(each) for each in found.others.moved]
    lines = _listed("shifted", moved)
    for label, others in (("missing", found.others.missing), ("added", found.others.added)):
        texts = [f"{each.action}, device {each.device}, {cell(each.position)}" for each in others]
        lines += _listed(label, texts)
    return lines


def _shifted_text(each: Shifted) -> str:
    if (each.device, each.after) == (each.to_device, each.to_after):
        return f"{each.action}, device {each.device}: from {cell(each.position)} to {each.to_position + 1}"
    there = f"device {each.to_device}, " if each.device != each.to_device else ""
    return f"{each.action}, device {each.device}: from {_after(each.after)} to {there}{_after(each.to_after)}"


def _after(slot: str | None) -> str:
    return "before all ops" if slot is None else f"after {slot}"


def _listed(label: str, texts: Sequence[str]) -> list[str]:
    """One line each; the first carries the label and how many there are."""
    if not texts:
        return []
    told = [
        *texts[:_TOLD],
        *([f"and {len(texts) - _TOLD:,} more (--json lists all)"] if len(texts) > _TOLD else []),
    ]
    head = f"{label} {len(texts):,}"
    return [f"{head if number == 0 else '':<12} {text}" for number, text in enumerate(told)]


def _some(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _TOLD:,} more" if len(texts) > _TOLD else ""
    return ", ".join(texts[:_TOLD]) + more


def _moved_text(moved: Moved) -> str:
    if (moved.device, moved.position) == (moved.to_device, moved.to_position):
        return f"{moved.op}, device {moved.device}: at {cell(moved.position)} in both, among other ops"
    if moved.device == moved.to_device:
        return f"{moved.op}, device {moved.device}: from {cell(moved.position)} to {moved.to_position + 1}"
    return (
        f"{moved.op}: from device {moved.device}, {cell(moved.position)} "
        f"to device {moved.to_device}, {cell(moved.to_position)}"
    )


def _stands_text(each: Stands) -> str:
    return f"{each.op}, device {each.device}, {cell(each.position)}"


def _effect_lines(found: Difference, unit: str) -> list[str]:
    a, b = found.a, found.b
    broken = [f"{name}: {each.error}" for name, each in (("A", a), ("B", b)) if each.error]
    if broken:
        return [f"{'no times' if number == 0 else '':<12} {text}" for number, text in enumerate(broken)]
    return [
        f"makespan     {_change(a.makespan, b.makespan)} {unit}",
        f"bubble       {_rate_change(a, b)}; idle {unit}: {_list_change(a.idle, b.idle)}",
        f"activations  peak {_list_change(a.peak_activations, b.peak_activations)}",
    ]


def _change(a: float | None, b: float | None) -> str:
    if a is None or b is None:
        return "unknown"
    return num(a) if a == b else f"{num(a)} -> {num(b)} ({'+' if b > a else '-'}{num(abs(b - a))})"


def _rate_change(a: Measures, b: Measures) -> str:
    old, new = a.bubble_rate or 0.0, b.bubble_rate or 0.0
    return f"{percent(old)} of all device time" if old == new else f"{percent(old)} -> {percent(new)}"


def _list_change(a: list[float] | None, b: list[float] | None) -> str:
    """By device where it differs from device to device."""
    if a is None or b is None or a == b:
        return f"{_by_device(a or [])}, unchanged"
    return f"{_by_device(a)} -> {_by_device(b)}"


def _by_device(values: list[float]) -> str:
    if len(set(values)) == 1:
        return f"{num(values[0])} on every device"
    return ", ".join(map(num, values))
