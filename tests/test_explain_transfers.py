"""Ops and devices explained where transfers were run: what was on its way, what queued, what held a device."""

import json

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.explain import NEIGHBOUR, TRANSFER, explain_op
from pipesched.analysis.waiting import BUSY, explain_device
from pipesched.choices import CHANNELS, COMM, SEND, Mode
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.ops import parse_slot
from pipesched.render.text.explanation import device_lines, op_lines
from pipesched.simulate import simulate
from pipesched.transport import Transport

MODES = st.builds(Mode, st.sampled_from(COMM), st.sampled_from(SEND), st.sampled_from(CHANNELS))
#: Multiples of a quarter: sums are exact.
COSTS = st.builds(
    lambda f, i, w, latency: CostModel.of(F=f, I=i, W=w, latency=latency),
    *3 * [st.sampled_from([0.25, 1.0, 1.5, 3.0])],
    st.sampled_from([0.0, 0.5, 2.0]),
)
SIZES = st.sampled_from([0.0, 0.5, 3.0])


def ran(name="1f1b", pp=4, mb=8, size=2.0, *, mode=(), **costs):
    return simulate(find(name).generate(pp, mb), CostModel.of(**costs), Transport(Mode(*mode), size, 1.0))


def op_text(at, op):
    return "\n".join(op_lines(explain_op(at, parse_slot(op)), "F"))


@settings(max_examples=60, deadline=None)
@given(schedules(most_stages=5), COSTS, SIZES, MODES)
def test_every_op_starts_when_the_last_of_what_is_told_is_there(schedule, costs, size, mode):
    at = simulate(schedule, costs, Transport(mode, size, 1.0))
    for slot in range(schedule.n_slots):
        found = explain_op(at, parse_slot(schedule.slot_text(slot)))
        latest = max((each.arrival for each in found.needs), default=0.0)
        assert found.start == max(latest, 0.0)
        for each in found.needs:
            way = each.journey
            assert (way is not None) == (each.why == NEIGHBOUR and each.device != found.device)
            if way is not None:
                steps = (each.end, way.issued, way.begun, way.sent, way.arrived)
                assert list(steps) == sorted(steps)
                assert way.arrived == each.arrival
                assert way.issued + way.waits_for_recv + way.queued == way.begun
        assert (found.slack is None) == (mode.comm == "blocking")
        op_lines(found, "F")


@settings(max_examples=60, deadline=None)
@given(schedules(most_stages=5), COSTS, SIZES, MODES, st.floats(0, 0.999))
def test_every_idle_device_waits_for_something_that_is_under_way(schedule, costs, size, mode, part):
    at = simulate(schedule, costs, Transport(mode, size, 1.0))
    time = part * at.makespan
    for device in range(schedule.devices):
        found = explain_device(at, device, time)
        device_lines(found, "F")
        if found.state == BUSY or found.root is None:
            continue
        assert [link.on_device for link in found.chain[:-1]] == [link.device for link in found.chain[1:]]
        assert len({link.device for link in found.chain}) == len(found.chain)
        assert all(link.until > time for link in found.chain)
        assert found.root.start <= time < found.root.end


def test_transfers_that_queue_are_told():
    text = op_text(ran(size=3.0, mode=("async", "buffered", "shared")), "2F1")
    assert (
        "1F1, on device 1: ended at 8, there at 19 after 11 of transfer (8 waiting for its channel, 3 on the "
        "channel), just in time" in text
    )
    assert "held       by 1F1, on device 1, for 2 F, of which 2 transfer: all else was there at 17" in text
    assert "slack      it may end 11 F later at the same makespan, if transfers take as long as here" in text


def test_transfers_that_hold_the_device_are_told():
    at = ran(latency=0.5, mode=("blocking", "rendezvous"))
    found = explain_op(at, parse_slot("0F3"))
    assert (found.held.by, found.held.why, found.held.time) == ("0SEND_F2", TRANSFER, 4.5)
    text = op_text(at, "0F3")
    assert "0SEND_F2, a transfer that held its device: until 14, just in time" in text
    assert "held       by 0SEND_F2, which held its device, for 4.5 F: all else was there at 9.5" in text
    assert "slack      not known: transfers hold devices, so that a delay moves others" in text


def test_a_send_that_waits_for_its_receive_is_told():
    blocked = ran("1f1b", 3, 4, size=1.0, mode=("blocking", "rendezvous"))
    slots = range(blocked.schedule.n_slots)
    texts = [op_text(blocked, blocked.schedule.slot_text(slot)) for slot in slots]
    assert any("(4 waiting for 1RECV_F2, 1 on the channel)" in text for text in texts)


def test_an_idle_device_is_followed_through_sends_and_receives():
    at = ran(latency=0.5, mode=("blocking", "rendezvous"))
    assert device_lines(explain_device(at, 2, 0.5), "F") == [
        "device 2 at 0.5 F: idle before its first op, from 0 to 7",
        "  device 2 waits until 7: 2RECV_F0 needs 1SEND_F0 of device 1",
        "  device 1 waits until 3.5: 1RECV_F0 needs 0SEND_F0 of device 0",
        "  device 0 is running 0F0, from 0 to 1, and comes to 0SEND_F0 next",
    ]
    assert device_lines(explain_device(at, 0, 1.5), "F")[1:] == [
        "  device 0 waits until 3: 0SEND_F0 needs 1RECV_F0 of device 1",
        "  device 1 has come to 1RECV_F0: the transfer waits or is under way, from 1 to 3",
    ]


@pytest.mark.parametrize("flag", [["--comm", "blocking"], ["--bytes", "2", "--bandwidth", "1"]])
def test_the_command_runs_transfers_when_asked(flag, capsys):
    path = str(DATA / "transfers" / "fine.csv")
    assert run(["explain", path, *flag, "--op", "1F0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["journey"] and each["journey"]["send"] for each in found["needs"]] == ["0SEND_F0"]
    assert run(["explain", path, "--op", "1F0", *flag]) == 0
    assert "\ntransfers    " in capsys.readouterr().out
    assert run(["explain", path, "--op", "1F0"]) == 0
    out, err = capsys.readouterr()
    assert "transfers" not in out
    assert "its compute is run, with latency" in err
