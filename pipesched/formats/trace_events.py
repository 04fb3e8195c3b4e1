"""The events of a Chrome trace as patterns, one JSON object each: ``%s`` stands for what is still to come.

A million events are a few dozen patterns, each filled many times.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pipesched.ops import KIND_NAMES, OVERLAP, Kind

#: Thread ids within a device; further lanes of transfers follow.
COMPUTE, TRANSFER = 1, 2

#: chrome://tracing's reserved colour names nearest to ours. Perfetto colours by the name without its digits.
_COLORS = ("thread_state_iowait", "good", "thread_state_running", "rail_response")
_PAIR_COLOR, _TRANSFER_COLOR = "olive", "grey"
_LETTERS = tuple(kind.name for kind in Kind)


def slice_(pid: int, tid: int | str, look: str) -> str:
    """Something that takes time: wants its start, its duration, and what its look wants."""
    return f'{{"ph":"X","pid":{pid},"tid":{tid},"ts":%s,"dur":%s,{look}}}'


def turn(kinds: Sequence[int], stages: Sequence[int]) -> str:
    """Look of a slot with one op or two: wants its micro-batches, the same again, and its position."""
    letters = [_LETTERS[kind] for kind in kinds]
    name = " & ".join(f"{letter} %s" for letter in letters)
    op = ";".join(f"{stage}{letter}%s" for stage, letter in zip(stages, letters, strict=True))
    if len(kinds) == 2:
        return _look(name, "overlapped pair", _PAIR_COLOR, f'"op":"({op}){OVERLAP}","position":%s')
    return _look(name, KIND_NAMES[kinds[0]], _COLORS[kinds[0]], f'"op":"{op}","position":%s')


def _look(name: str, category: str, color: str, arguments: str) -> str:
    return f'"name":"{name}","cat":"{category}","cname":"{color}","args":{{{arguments}}}'


#: Look of a transfer, in torch's name, ``3RECV_F7``: wants F 7, 3 F 7, and the device that it comes from.
RECEIVED = _look("RECV_%s %s", "transfer", _TRANSFER_COLOR, '"op":"%sRECV_%s%s","from device":%s')
#: Look of a SEND or RECV that holds its device: wants its name, ``SEND_F 3`` and ``0SEND_F3``, and the other.
HOLDING = _look("%s", "device held", _TRANSFER_COLOR, '"op":"%s","with device":%s')
#: Look of the part of a transfer in which it holds its channel.
CHANNEL = _look("channel", "transfer", _TRANSFER_COLOR, "")


def arrow(phase: str, pid: int, tid: int | str) -> str:
    """The start (s), a step (t) or the end (f) of an arrow: wants its number and time.

    Each is bound to the slice around it.
    """
    bound = "" if phase == "s" else ',"bp":"e"'
    head = f'{{"ph":"{phase}","id":%s,"name":"result","cat":"dependency"'
    return f'{head},"pid":{pid},"tid":{tid},"ts":%s{bound}}}'


def held(pid: int) -> str:
    """A step of the counter of activations: wants its time and the level."""
    return f'{{"ph":"C","name":"activations","pid":{pid},"ts":%s,"args":{{"held":%g}}}}'


def named(pid: int, stages: Iterable[int], lanes: int) -> Iterator[str]:
    """How a device and its threads are called and ordered; nothing is wanted."""
    head = f'{{"ph":"M","pid":{pid},"name":'
    yield f'{head}"process_name","args":{{"name":"device {pid}"}}}}'
    yield f'{head}"process_labels","args":{{"labels":"stages {", ".join(map(str, stages))}"}}}}'
    yield f'{head}"process_sort_index","args":{{"sort_index":{pid}}}}}'
    threads = ["compute", *(f"transfer {lane + 1}" if lane else "transfer" for lane in range(lanes))]
    for tid, name in enumerate(threads, start=COMPUTE):
        yield f'{head}"thread_name","tid":{tid},"args":{{"name":"{name}"}}}}'
        yield f'{head}"thread_sort_index","tid":{tid},"args":{{"sort_index":{tid}}}}}'


def spaced(action: str) -> str:
    """``SEND_F 3`` for ``0SEND_F3``."""
    match = re.fullmatch(r"\d+([A-Z_]+)(\d+)", action)
    return f"{match[1]} {match[2]}" if match else action
