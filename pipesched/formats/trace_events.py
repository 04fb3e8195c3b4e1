"""The events of a Chrome trace as text, one JSON object each; times in ns."""

import json
import re
from collections.abc import Iterable

from pipesched.ops import KIND_NAMES, OVERLAP, Kind, Op

#: Thread ids within a device; further lanes of transfers follow.
COMPUTE, TRANSFER = 1, 2

#: chrome://tracing's reserved colour names nearest to ours. Perfetto colours by the name without its digits.
_COLORS = ("thread_state_iowait", "good", "thread_state_running", "rail_response")
_PAIR_COLOR, _TRANSFER_COLOR = "olive", "grey"


def turn(stages: list[int], kinds: list[int], microbatches: list[int], position: int) -> str:
    """Name, category, colour and arguments of a slot with one op or two."""
    letters = [Kind(kind).name for kind in kinds]
    name = " & ".join(f"{letter} {m}" for letter, m in zip(letters, microbatches, strict=True))
    op = ";".join(f"{s}{letter}{m}" for s, letter, m in zip(stages, letters, microbatches, strict=True))
    if len(kinds) == 2:
        return _look(name, "overlapped pair", _PAIR_COLOR, f'"op":"({op}){OVERLAP}","position":{position}')
    return _look(name, KIND_NAMES[kinds[0]], _COLORS[kinds[0]], f'"op":"{op}","position":{position}')


def received(op: Op, source: int) -> str:
    """The same for a transfer that ``op`` waits for, in torch's name: ``3RECV_F7``."""
    action = f"RECV_{'F' if op.kind == Kind.F else 'B'}"
    arguments = f'"op":"{op.stage}{action}{op.microbatch}","from device":{source}'
    return _look(f"{action} {op.microbatch}", "transfer", _TRANSFER_COLOR, arguments)


def holding(action: str, peer: int) -> str:
    """The same for a SEND or RECV that holds its device: ``0SEND_F3``."""
    match = re.fullmatch(r"\d+([A-Z_]+)(\d+)", action)
    name = f"{match[1]} {match[2]}" if match else action
    return _look(name, "device held", _TRANSFER_COLOR, f'"op":"{action}","with device":{peer}')


def _look(name: str, category: str, color: str, arguments: str) -> str:
    return f'"name":"{name}","cat":"{category}","cname":"{color}","args":{{{arguments}}}'


#: The part of a transfer in which it holds its channel.
CHANNEL = _look("channel", "transfer", _TRANSFER_COLOR, "")


def slice_(pid: int, tid: int, start: int, end: int, look: str) -> str:
    """Something that takes time."""
    return f'{{"ph":"X","pid":{pid},"tid":{tid},"ts":{_us(start)},"dur":{_us(end - start)},{look}}}'


def arrow(phase: str, flow: int, pid: int, tid: int, at: int) -> str:
    """The start (s), a step (t) or the end (f) of an arrow; each is bound to the slice around it."""
    bound = "" if phase == "s" else ',"bp":"e"'
    head = f'{{"ph":"{phase}","id":{flow},"name":"result","cat":"dependency"'
    return f'{head},"pid":{pid},"tid":{tid},"ts":{_us(at)}{bound}}}'


def held(pid: int, at: int, activations: float) -> str:
    """A step of the counter of activations."""
    values = f'"args":{{"held":{activations:g}}}'
    return f'{{"ph":"C","name":"activations","pid":{pid},"ts":{_us(at)},{values}}}'


def named(pid: int, stages: Iterable[int], lanes: int) -> list[str]:
    """How a device and its threads are called and ordered."""
    threads = ["compute", *(f"transfer {lane + 1}" if lane else "transfer" for lane in range(lanes))]
    events: list[dict[str, object]] = [
        {"name": "process_name", "args": {"name": f"device {pid}"}},
        {"name": "process_labels", "args": {"labels": f"stages {', '.join(map(str, stages))}"}},
        {"name": "process_sort_index", "args": {"sort_index": pid}},
    ]
    for tid, name in enumerate(threads, start=COMPUTE):
        events.append({"name": "thread_name", "tid": tid, "args": {"name": name}})
        events.append({"name": "thread_sort_index", "tid": tid, "args": {"sort_index": tid}})
    return [json.dumps({"ph": "M", "pid": pid, **event}, separators=(",", ":")) for event in events]


def _us(ns: int) -> str:
    """Nanoseconds as microseconds, exactly."""
    whole, rest = divmod(ns, 1000)
    return f"{whole}.{rest:03d}" if rest else str(whole)
