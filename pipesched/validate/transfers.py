"""Rules about SEND and RECV, of files that have any: each result is sent and received once, in one order."""

from collections.abc import Iterator

import numpy as np

from pipesched.actions import RECEIVES, SENDS
from pipesched.validate.lists import Lists
from pipesched.validate.violation import Rule, Violation


def missing_sends(lists: Lists) -> Iterator[Violation]:
    """What another device needs is sent."""
    if not lists.actions.has_transfers:
        return
    across = lists.across
    for edge in np.flatnonzero(lists.found.send < 0).tolist():
        producer, consumer = int(across.producer[edge]), int(across.consumer[edge])
        schedule = lists.actions.schedule
        message = (
            f"{across.send_text(edge)} missing: device {across.source[edge]} runs {schedule.op(producer)} "
            f"and never sends it to device {across.target[edge]}, where {schedule.op(consumer)} waits forever"
        )
        yield lists.at("missing-send", lists.action_of(producer), message, across.send_text(edge))


def missing_receives(lists: Lists) -> Iterator[Violation]:
    """What an op needs from another device is received."""
    if not lists.actions.has_transfers:
        return
    across = lists.across
    for edge in np.flatnonzero(lists.found.recv < 0).tolist():
        producer, consumer = int(across.producer[edge]), int(across.consumer[edge])
        schedule = lists.actions.schedule
        message = (
            f"{across.recv_text(edge)} missing: {schedule.op(consumer)} on device {across.target[edge]} "
            f"needs {schedule.op(producer)} of device {across.source[edge]}, and never receives it"
        )
        yield lists.at("missing-recv", lists.action_of(consumer), message, across.recv_text(edge))


def needless(lists: Lists) -> Iterator[Violation]:
    """Nothing is sent or received that no op of another device makes or needs."""
    actions = lists.actions
    transfers = actions.find(*SENDS, *RECEIVES)
    for action in transfers[lists.found.crossing[transfers] < 0].tolist():
        sends = actions.code[action] in SENDS
        why = "no op of another device needs it" if sends else "no op of another device makes it for this one"
        message = f"{actions.text(action)} on device {actions.device[action]} ({lists.cell(action)}): {why}"
        yield lists.at("needless-transfer", action, message)


def repeated(lists: Lists) -> Iterator[Violation]:
    """Each result is sent once and received once."""
    actions, found = lists.actions, lists.found
    for codes, first in ((SENDS, found.send), (RECEIVES, found.recv)):
        transfers = actions.find(*codes)
        transfers = transfers[found.crossing[transfers] >= 0]
        for action in transfers[first[found.crossing[transfers]] != transfers].tolist():
            other = int(first[found.crossing[action]])
            message = (
                f"{actions.text(action)} stands twice on device {actions.device[action]}: "
                f"cells {actions.position(other) + 1} and {actions.position(action) + 1}"
            )
            yield lists.at("duplicate-transfer", action, message)


def around_their_op(lists: Lists) -> Iterator[Violation]:
    """A SEND stands after the op that makes its result, a RECV before the op that uses it."""
    actions, across, found = lists.actions, lists.across, lists.found
    slot = actions.schedule.slot
    made, used = actions.compute[slot[across.producer]], actions.compute[slot[across.consumer]]
    for edge in np.flatnonzero((found.send >= 0) & (found.send < made)).tolist():
        send, op = int(found.send[edge]), actions.schedule.op(int(across.producer[edge]))
        message = (
            f"device {across.source[edge]}: {actions.text(send)} ({lists.cell(send)}) stands before {op} "
            f"({lists.cell(int(made[edge]))}), whose result it sends"
        )
        yield lists.at("transfer-order", send, message)
    for edge in np.flatnonzero(found.recv > used).tolist():
        recv, op = int(found.recv[edge]), actions.schedule.op(int(across.consumer[edge]))
        message = (
            f"device {across.target[edge]}: {actions.text(recv)} ({lists.cell(recv)}) stands after {op} "
            f"({lists.cell(int(used[edge]))}), which needs it"
        )
        yield lists.at("transfer-order", recv, message)


def matched_in_order(lists: Lists) -> Iterator[Violation]:
    """A device receives from another what that one sends, in the same order."""
    across, found = lists.across, lists.found
    whole = np.flatnonzero((found.send >= 0) & (found.recv >= 0))
    pair = across.between()[whole]
    sent = whole[np.lexsort((found.send[whole], pair))]
    received = whole[np.lexsort((found.recv[whole], pair))]
    for at in np.flatnonzero(sent != received).tolist():
        got, meant = int(sent[at]), int(received[at])
        recv, send = int(found.recv[meant]), int(found.send[got])
        a, b = int(across.source[meant]), int(across.target[meant])
        user = lists.actions.schedule.op(int(across.consumer[meant]))
        message = (
            f"{across.recv_text(meant)} (device {b}, {lists.cell(recv)}) takes what {across.send_text(got)} "
            f"(device {a}, {lists.cell(send)}) sends: transfers from device {a} to {b} match in order, "
            f"not by name, so {user} computes with a wrong input"
        )
        yield lists.at("wrong-match", recv, message)


TRANSFER_RULES = (
    Rule(
        "missing-send",
        "what another device needs is sent",
        missing_sends,
        "a SEND that is not there: the other device waits for ever",
    ),
    Rule(
        "missing-recv",
        "what an op needs from another device is received",
        missing_receives,
        "a RECV that is not there",
    ),
    Rule(
        "needless-transfer",
        "nothing is sent or received that no op makes or needs",
        needless,
        "a SEND or RECV that nothing makes or needs",
    ),
    Rule(
        "duplicate-transfer",
        "each result is sent once and received once",
        repeated,
        "a SEND or RECV that stands twice",
    ),
    Rule(
        "transfer-order",
        "a SEND stands after its op, a RECV before the op that uses it",
        around_their_op,
        "a SEND before its op, or a RECV after it",
    ),
    Rule(
        "wrong-match",
        "a device receives in the order in which the other sends",
        matched_in_order,
        "a RECV that takes what another SEND sends: wrong values, in silence",
    ),
)
