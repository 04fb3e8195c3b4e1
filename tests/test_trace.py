"""Chrome traces: the rules of the format, and that what is drawn is the timeline."""

import gzip
import itertools
import json
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.errors import CostError, InvalidScheduleError
from pipesched.formats import loads, trace
from pipesched.generators import find
from pipesched.ops import parse_slot
from pipesched.simulate import simulate

#: Keys that every event of a phase must have, by the "Trace Event Format" document.
KEYS = {
    "M": {"ph", "pid", "name", "args"},
    "X": {"ph", "pid", "tid", "ts", "dur", "name", "cat"},
    "C": {"ph", "pid", "ts", "name", "args"},
    "s": {"ph", "pid", "tid", "ts", "name", "cat", "id"},
    "t": {"ph", "pid", "tid", "ts", "name", "cat", "id", "bp"},
    "f": {"ph", "pid", "tid", "ts", "name", "cat", "id", "bp"},
}


def events_of(schedule, costs):
    document = json.loads("".join(trace.write(schedule, costs)))
    assert set(document) == {"displayTimeUnit", "otherData", "traceEvents"}
    return document["traceEvents"]


def by_phase(events):
    found = defaultdict(list)
    for event in events:
        found[event["ph"]].append(event)
    return found


def check_the_rules(events):
    threads, last = defaultdict(list), defaultdict(float)
    for event in events:
        assert KEYS[event["ph"]] <= event.keys()
        if event["ph"] == "M":
            assert set(event["args"]) <= {"name", "labels", "sort_index"}
            continue
        assert event["ts"] >= 0
        thread = event["pid"], event.get("tid", event["name"])
        assert event["ts"] >= last[thread], "times go backwards in a thread"
        last[thread] = event["ts"]
        if event["ph"] == "X":
            threads[thread].append((event["ts"], event["ts"] + event["dur"]))
    for slices in threads.values():
        assert all(a[1] <= b[0] + 1e-6 for a, b in itertools.pairwise(slices)), "slices overlap"
    check_the_arrows(events, threads)


def check_the_arrows(events, threads):
    """One start, one end, at most one step each, in order of time, each inside a slice of its thread."""
    arrows = defaultdict(list)
    for event in events:
        if event["ph"] in "stf":
            arrows[event["id"]].append(event)
            at, slices = event["ts"], threads[event["pid"], event["tid"]]
            assert any(start <= at <= end for start, end in slices)
    for arrow in arrows.values():
        ordered = sorted(arrow, key=lambda event: (event["ts"], "stf".index(event["ph"])))
        assert "".join(event["ph"] for event in ordered) in ("sf", "stf")
        assert len({(event["name"], event["cat"]) for event in arrow}) == 1


@pytest.mark.parametrize("name", ["1f1b", "zb1p", "zbv", "dualpipe", "dualpipev"])
@pytest.mark.parametrize("latency", [0, 0.3, 5])
def test_the_rules_of_the_format(name, latency):
    check_the_rules(events_of(find(name).generate(4, 10), CostModel.of(latency=latency)))


@settings(max_examples=60, deadline=None)
@given(schedules(), st.sampled_from([0.0, 0.1, 1.0, 3.3]), st.sampled_from([1.0, 0.37, 0.0]))
def test_random_schedules_are_drawn_as_they_run(schedule, latency, f):
    costs = CostModel.of(F=f, I=0.7, W=0.4, latency=latency)
    timeline = simulate(schedule, costs)
    events = events_of(schedule, costs)
    check_the_rules(events)
    slices = [event for event in events if event["ph"] == "X"]
    compute = [event for event in slices if event["cat"] != "transfer"]
    assert [event["args"]["op"] for event in compute] == [
        schedule.slot_text(k) for k in range(schedule.n_slots)
    ]
    for event, start, end in zip(compute, timeline.slot_start, timeline.slot_end, strict=True):
        assert event["ts"] == pytest.approx(start * 1000, abs=1e-3)
        assert event["dur"] == pytest.approx((end - start) * 1000, abs=2e-3)
        assert event["name"] == " & ".join(
            f"{op.kind.name} {op.microbatch}" for op in parse_slot(event["args"]["op"])
        )
    crossing = int((schedule.awaited < schedule.n_slots).sum())
    phases = by_phase(events)
    assert len(phases["s"]) == len(phases["f"]) == crossing
    assert len(phases["t"]) == len(slices) - len(compute) == (crossing if latency else 0)


def test_a_transfer_is_drawn_where_it_arrives():
    events = events_of(find("1f1b").generate(2, 1), CostModel.of(latency=0.5))
    transfers = [event for event in events if event.get("cat") == "transfer"]
    assert [(event["pid"], event["ts"], event["dur"], event["name"]) for event in transfers] == [
        (0, 4500, 500, "RECV_B 0"),
        (1, 1000, 500, "RECV_F 0"),
    ]
    assert transfers[0]["args"] == {"op": "0RECV_B0", "from device": 1}
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert names == {"compute", "transfer"}


def test_transfers_under_way_at_once_have_lanes():
    events = events_of(find("gpipe").generate(2, 6), CostModel.of(latency=2.5))
    names = {event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert names == {"compute", "transfer", "transfer 2", "transfer 3"}


@pytest.mark.parametrize(
    ("unit", "us"), [("F", 1000), ("ms", 1000), ("us", 1), ("µs", 1), ("s", 1_000_000), ("ns", 0.001)]
)
def test_one_unit_is_a_millisecond_unless_it_says_otherwise(unit, us):
    events = events_of(find("1f1b").generate(1, 1), CostModel.of(unit=unit))
    assert [event["dur"] for event in events if event["ph"] == "X"] == [us, 2 * us]


def test_the_counter_is_the_activations_held():
    schedule = find("dualpipe").generate(4, 8)
    events = events_of(schedule, CostModel())
    peaks = defaultdict(float)
    for event in by_phase(events)["C"]:
        peaks[event["pid"]] = max(peaks[event["pid"]], event["args"]["held"])
    assert list(peaks.values()) == memory(schedule).peak.tolist()
    assert [event["args"]["held"] for event in by_phase(events)["C"] if event["pid"] == 0][-1] == 0


def test_devices_are_processes_in_order():
    named = [event for event in events_of(find("zbv").generate(3, 6), CostModel()) if event["ph"] == "M"]
    assert [e["args"]["name"] for e in named if e["name"] == "process_name"] == [
        "device 0",
        "device 1",
        "device 2",
    ]
    assert [e["args"]["sort_index"] for e in named if e["name"] == "process_sort_index"] == [0, 1, 2]
    assert next(e["args"]["labels"] for e in named if e["name"] == "process_labels") == "stages 0, 5"


def test_names_are_text_whatever_they_hold():
    schedule = find("1f1b").generate(2, 2).renamed('a "quoted" \\ name\n\u2028')
    document = json.loads("".join(trace.write(schedule, CostModel())))
    assert document["otherData"]["schedule"] == schedule.name


def test_compressed_it_is_the_same():
    schedule = find("zb1p").generate(4, 8)
    packed = b"".join(trace.write_compressed(schedule, CostModel()))
    assert gzip.decompress(packed).decode() == "".join(trace.write(schedule, CostModel()))
    assert packed == b"".join(trace.write_compressed(schedule, CostModel()))


def test_it_comes_in_parts_of_bounded_size():
    sizes = [len(part) for part in trace.write(find("1f1b").generate(2, 8000), CostModel.of(latency=0.5))]
    assert sum(sizes) > 12e6
    assert max(sizes) < 3e6


@pytest.mark.parametrize("times", [{"F": 1e10}, {"latency": 1e12}, {"F": 10, "unit": "s", "latency": 1e7}])
def test_what_is_too_long_for_the_format_is_refused(times):
    with pytest.raises(CostError, match=r"a trace cannot be as long as .*: that is more than 9007199 s"):
        list(trace.write(find("1f1b").generate(2, 2), CostModel.of(**times)))


def test_what_cannot_run_is_refused():
    with pytest.raises(InvalidScheduleError, match="deadlock"):
        list(trace.write(loads("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "x").schedule, CostModel()))
