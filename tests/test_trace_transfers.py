"""Traces of timelines in which transfers were run: each from its SEND to its arrival, held devices too."""

import gzip
import json

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules
from test_trace import check_the_rules

from pipesched.choices import CHANNELS, COMM, SEND, Mode
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.formats import trace
from pipesched.generators import find
from pipesched.simulate import simulate
from pipesched.transport import Transport

MODES = st.builds(Mode, st.sampled_from(COMM), st.sampled_from(SEND), st.sampled_from(CHANNELS))


def events_of(timeline):
    return json.loads("".join(trace.write_timeline(timeline)))["traceEvents"]


def of_category(events, category):
    return [event for event in events if event["ph"] == "X" and event["cat"] == category]


@settings(max_examples=80, deadline=None)
@given(schedules(), MODES, st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0.0, 0.25]))
def test_every_transfer_is_there_in_every_mode(schedule, mode, size, latency):
    timeline = simulate(schedule, CostModel.of(latency=latency), Transport(mode, size, 1.0))
    events = events_of(timeline)
    channels = [event for event in events if event["name"] == "channel"]
    check_the_rules([event for event in events if event["name"] != "channel"])
    moves = [event for event in of_category(events, "transfer") if event["name"] != "channel"]
    ran = sorted(zip(timeline.issued * 1000, (timeline.arrived - timeline.issued) * 1000, strict=True))
    if (timeline.arrived > timeline.issued).any():
        assert sorted((event["ts"], event["dur"]) for event in moves) == ran
    for inner in channels:
        assert any(
            (outer["pid"], outer["tid"]) == (inner["pid"], inner["tid"])
            and outer["ts"] <= inner["ts"]
            and inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"]
            for outer in moves
        )
    if mode.comm == "async":
        assert not of_category(events, "device held")


def test_what_waits_for_its_channel_and_what_holds_a_device():
    schedule = find("1f1b").generate(2, 2)
    costs = CostModel.of(latency=0.5)
    events = events_of(simulate(schedule, costs, Transport(Mode("blocking", "rendezvous"), 2.0, 1.0)))
    held = of_category(events, "device held")
    assert [(e["pid"], e["ts"], e["dur"], e["name"], e["args"]) for e in held][:2] == [
        (0, 1000, 2000, "SEND_F 0", {"op": "0SEND_F0", "with device": 1}),
        (0, 4000, 2500, "SEND_F 1", {"op": "0SEND_F1", "with device": 1}),
    ]
    first = next(e for e in of_category(events, "transfer") if e["args"].get("op") == "1RECV_F0")
    assert (first["pid"], first["ts"], first["dur"]) == (1, 1000, 2500)
    channel = next(e for e in events if e["name"] == "channel" and e["pid"] == 1)
    assert (channel["ts"], channel["dur"]) == (1000, 2000)


@pytest.mark.parametrize("suffix", [".trace.json", ".trace.json.gz"])
def test_the_command_runs_transfers_when_asked(tmp_path, capsys, suffix):
    path = tmp_path / f"x{suffix}"
    fine = str(DATA / "transfers" / "fine.csv")
    flags = ["--comm", "blocking", "--bytes", "2", "--bandwidth", "1"]
    assert run(["export", fine, *flags, "-o", str(path)]) == 0
    content = path.read_bytes()
    events = json.loads(gzip.decompress(content) if suffix.endswith("gz") else content)["traceEvents"]
    assert of_category(events, "device held")
    assert run(["export", fine, "--force", "-o", str(path)]) == 0
    assert "its compute is run, with latency; --comm async runs its transfers too" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["x.csv", "--comm", "async"],
            "--comm says how transfers run, and a .csv file holds no times; figures",
        ),
        (["x.json", "--comms", "--bytes", "4M"], "--bytes says how transfers run, and a .json file holds no"),
        (
            ["x.trace.json", "--fsdp"],
            "--fsdp is for lists (.csv and .json): a .trace.json file holds none; --c",
        ),
        (["x.svg", "--comms"], "--comms is for lists (.csv and .json): a .svg file holds none; --comm async"),
        (["x.pdf", "--check", "torchtitan"], "--check is for lists (.csv and .json): a .pdf file holds none"),
    ],
)
def test_what_makes_no_difference_is_refused(arguments, sentence, capsys):
    output, *flags = arguments
    assert run(["export", "1f1b", "-o", output, *flags]) == 2
    assert sentence in capsys.readouterr().err
