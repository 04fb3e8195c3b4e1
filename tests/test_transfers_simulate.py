"""Times with transfers: small cases by hand, the plain simulator's where they are free, a longest path."""

import itertools
import time

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.bubble import Cause, bubble, gaps, idle_by_cause
from pipesched.analysis.journeys import Journeys
from pipesched.choices import CHANNELS, COMM, SEND, Mode
from pipesched.costs import CostModel
from pipesched.errors import CostError, InvalidScheduleError
from pipesched.formats import loads
from pipesched.generators import find
from pipesched.ops import Kind, parse_slot
from pipesched.simulate import simulate
from pipesched.transfers import RECV, lower
from pipesched.transport import Transport

MODES = [Mode(*mode) for mode in itertools.product(COMM, SEND, CHANNELS)]
GPIPE = "0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n"


def times(text, mode, size=0.0, latency=0.0, bandwidth=1.0, recv=None, **costs):
    """Start of every op, by device."""
    schedule = loads(text).schedule
    plan = loads(text).actions if recv is None else lower(schedule, recv)
    timeline = simulate(plan, CostModel.of(latency=latency, **costs), Transport(Mode(*mode), size, bandwidth))
    stops = schedule.first_slot.tolist()
    return [timeline.slot_start[a:b].tolist() for a, b in itertools.pairwise(stops)]


ASYNC, BLOCKING = COMM
BUFFERED, RENDEZVOUS = SEND
DIRECTION, PAIR, SHARED = CHANNELS


@pytest.mark.parametrize(
    ("mode", "size", "latency", "expected"),
    [
        # F=1, B=2. Free transfers: the plain simulator's times.
        ((ASYNC, BUFFERED, DIRECTION), 0, 0, [[0, 1, 5, 7], [1, 2, 3, 5]]),
        ((ASYNC, BUFFERED, DIRECTION), 0, 1, [[0, 1, 7, 9], [2, 3, 4, 6]]),
        # Two forwards one after another through the channel: from 1 to 3, from 3 to 5.
        ((ASYNC, BUFFERED, DIRECTION), 2, 0, [[0, 1, 10, 12], [3, 5, 6, 8]]),
        ((BLOCKING, BUFFERED, DIRECTION), 2, 0, [[0, 1, 10, 12], [3, 5, 6, 8]]),
        # 1RECV_F1 stands after 1F0, which ends at 4: it takes from 4 to 6; 0RECV_B1 after 0B0: from 13 to 15.
        ((ASYNC, RENDEZVOUS, DIRECTION), 2, 0, [[0, 1, 11, 15], [3, 6, 7, 9]]),
        # Device 0 gives 0F0 away until 3, device 1 1B0 until 11.
        ((BLOCKING, RENDEZVOUS, DIRECTION), 2, 0, [[0, 3, 11, 15], [3, 6, 7, 11]]),
    ],
)
def test_gpipe_by_hand(mode, size, latency, expected):
    assert times(GPIPE, mode, size, latency, recv="early") == expected


def test_two_directions_share_a_channel_of_the_pair():
    """F=1, B=1, transfers of 3: 0SEND_F1, from 4 to 7, delays 1SEND_B0, ready at 6, on a common channel."""
    text = "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"
    costs = {"size": 3, "B": 1, "W": 0.5, "recv": "early"}
    assert times(text, (ASYNC, BUFFERED, DIRECTION), **costs) == [[0, 1, 9, 12], [4, 5, 7, 8]]
    for channels in (PAIR, SHARED):
        assert times(text, (ASYNC, BUFFERED, channels), **costs) == [[0, 1, 10, 13], [4, 5, 7, 8]]


def test_a_device_shares_its_channel_among_its_neighbours():
    """F=1, transfers of 3: device 1 takes 0F1 from 4 to 7, so that 1F0, done at 5, must wait to be sent."""
    text = "".join(f"{s}F0,{s}F1,{s}B0,{s}B1\n" for s in range(3))
    assert times(text, (ASYNC, BUFFERED, PAIR), 3, recv="early")[2][:2] == [8, 11]
    assert times(text, (ASYNC, BUFFERED, SHARED), 3, recv="early")[2][:2] == [10, 13]


def test_a_receive_holds_a_blocked_device_where_it_stands():
    """Latency 3: early, 1RECV_F1 stands before 1B0; late, behind it."""
    text = "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"
    assert times(text, (BLOCKING, BUFFERED, DIRECTION), latency=3, recv="early")[1] == [4, 5, 7, 8]
    assert times(text, (BLOCKING, BUFFERED, DIRECTION), size=3, recv="early")[1] == [4, 7, 9, 10]
    assert times(text, (BLOCKING, BUFFERED, DIRECTION), size=3, recv="late")[1] == [4, 5, 7, 8]


def test_a_files_own_transfers_are_run():
    late = "0F0,0SEND_F0,0RECV_B0,0B0\n1F1,1RECV_F0,1F0,1B0,1SEND_B0,1B1\n"
    with pytest.raises(InvalidScheduleError, match="cannot run: 0F1"):
        times(late, (ASYNC, BUFFERED, DIRECTION))
    swapped = "0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\n"
    swapped += "1RECV_F1,1RECV_F0,1F0,1B0,1SEND_B0,1F1,1B1,1SEND_B1\n"
    with pytest.raises(InvalidScheduleError, match=r"1RECV_F1 .* takes what 0SEND_F0"):
        times(swapped, (ASYNC, BUFFERED, DIRECTION))
    locked = swapped.replace("1RECV_F1,1RECV_F0", "1RECV_F0").replace("1F1", "1RECV_F1,1F1")
    assert times(locked, (ASYNC, BUFFERED, DIRECTION)) == [[0, 1, 4, 7], [1, 2, 4, 5]]
    with pytest.raises(InvalidScheduleError, match="deadlock: 0SEND_F1"):
        times(locked, (BLOCKING, RENDEZVOUS, DIRECTION))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"mode": Mode("sync")}, "comm must be async or blocking; got 'sync'"),
        ({"mode": Mode(channels="one")}, "channels must be direction, pair or shared; got 'one'"),
        ({"size": -1}, r"bytes must be 0, or a number from 1e-100 to 1e\+100; got -1"),
        ({"size": float("nan")}, "bytes must be 0, or a number from .*; got nan"),
        ({"size": float("inf")}, "bytes must be 0, or a number from .*; got inf"),
        ({"size": "4M"}, "bytes must be a number, or several; got '4M'"),
        ({"size": [[1, 2]]}, "bytes must be 0, or a number from .*; got a table"),
        ({"bandwidth": 0}, r"bandwidth must be inf, or a number from 1e-100 to 1e\+100; got 0"),
        ({"bandwidth": 1e-308}, "bandwidth must be inf, or a number from .*; got 1e-308"),
        ({"size": 1e99, "bandwidth": 1e-99}, r"bytes / bandwidth must be a time up to 1e\+100; got 1e\+198"),
        ({"size": [1.0, 2.0]}, "bytes has 2 entries; one per boundary between two stages needs 3"),
        ({"size": (1.0, 2.0)}, "bytes has 2 entries; one per boundary between two stages needs 3"),
        ({"bandwidth": (1.0, 2.0)}, "bandwidth has 2 entries; one per device needs 4"),
    ],
)
def test_nonsense_is_refused(given, sentence):
    with pytest.raises(CostError, match=sentence):
        simulate(find("1f1b").generate(4, 4), None, Transport(**given))


def test_size_and_bandwidth_by_place():
    """Between stages 0 and 1, 2 bytes at the slower end's 1 per unit; between 1 and 2, 6 bytes at 3."""
    text = "0F0,0B0\n1F0,1B0\n2F0,2B0\n"
    [[first, _], [second, _], [third, _]] = times(text, (), size=(2.0, 6.0), bandwidth=(1.0, 3.0, 4.0))
    assert (first, second, third) == (0, 3, 6)


def test_a_transport_describes_itself():
    costs = CostModel()
    assert Transport().describe(costs) == "async, buffered, a channel per direction; latency 0"
    assert Transport(Mode(channels="shared"), 4e6, (1e6, 2e6)).describe(costs) == (
        "async, buffered, one channel per device; 4e+06 bytes at 1e+06,2e+06 per F, latency 0"
    )


NUMBERS = st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.7, 3.0])
COSTS = st.builds(CostModel, F=NUMBERS, I=NUMBERS, W=NUMBERS, latency=NUMBERS)


@settings(max_examples=150, deadline=None)
@given(schedules(), COSTS, st.sampled_from(RECV), st.sampled_from(CHANNELS))
def test_free_transfers_are_the_plain_simulator(schedule, costs, recv, channels):
    plain = simulate(schedule, costs)
    timeline = simulate(lower(schedule, recv), costs, Transport(Mode(ASYNC, BUFFERED, channels)))
    assert timeline.slot_start.tolist() == plain.slot_start.tolist()
    assert timeline.slot_end.tolist() == plain.slot_end.tolist()
    assert np.allclose(timeline.lag, plain.lag)


@settings(max_examples=150, deadline=None)
@given(schedules(), COSTS, NUMBERS, st.sampled_from(MODES), st.sampled_from(RECV))
def test_transfers_only_delay_and_idle_time_still_adds_up(schedule, costs, size, mode, recv):
    plain = simulate(schedule, costs)
    try:
        timeline = simulate(lower(schedule, recv), costs, Transport(mode, size, 1.0))
    except InvalidScheduleError:
        assert recv != "early"
        return
    assert (timeline.slot_start >= plain.slot_start - 1e-9).all()
    assert np.allclose(timeline.slot_end - timeline.slot_start, plain.slot_end - plain.slot_start)
    assert (timeline.issued <= timeline.begun).all()
    assert np.allclose(timeline.begun + size, timeline.sent)
    assert np.allclose(timeline.sent + costs.latency, timeline.arrived)
    found = gaps(timeline)
    assert np.allclose(idle_by_cause(found, schedule.devices)[:3].sum(axis=0), bubble(timeline).idle)


@settings(max_examples=150, deadline=None)
@given(
    schedules(),
    COSTS,
    st.lists(NUMBERS, min_size=1, max_size=1),
    st.sampled_from(MODES),
    st.sampled_from(RECV),
)
def test_times_are_a_longest_path(schedule, costs, sizes, mode, recv):
    """Wherever no two transfers compete for a channel in an order that depends on time."""
    if mode.send == BUFFERED and mode.channels != DIRECTION and sizes[0]:
        return
    plan = lower(schedule, recv)
    try:
        timeline = simulate(plan, costs, Transport(mode, sizes[0], 1.0))
    except InvalidScheduleError:
        return
    assert np.allclose(timeline.slot_start, _longest_path(plan, timeline, sizes[0], mode), atol=1e-9)


def _longest_path(plan, timeline, size, mode):  # noqa: C901  flat on purpose: nothing shared with the package
    """Start of every slot by networkx, from the text of the lists."""
    graph, latency = nx.DiGraph(), timeline.costs.latency

    def after(node, earlier, time):
        known = graph[earlier][node]["time"] if graph.has_edge(earlier, node) else 0.0
        graph.add_edge(earlier, node, time=max(time, known))

    def meeting(text):
        stage, _, rest = text.partition("SEND_" if "SEND" in text else "RECV_")
        step = 1 if rest[0] == "F" else -1
        return (rest[0], int(stage) + (step if "SEND" in text else 0), int(rest[1:]))

    held = {stage: d for d, stages in enumerate(plan.schedule.placement.stages) for stage in stages}
    last = {}
    for d, row in enumerate(plan.rows()):
        free = []  # (node, time after it) that the device must wait for
        for text in row:
            if "_GRAD" in text:
                continue
            if "SEND" not in text and "RECV" not in text:
                node = (d, text)
                graph.add_node(node)
                for earlier, time in free:
                    after(node, earlier, time)
                slot = [*plan.schedule.rows()][d].index(text) + int(plan.schedule.first_slot[d])
                free = [(node, float(timeline.slot_end[slot] - timeline.slot_start[slot]))]
                for op in parse_slot(text):
                    step = -1 if op.kind == Kind.F else 1
                    way = "F" if op.kind == Kind.F else "B"
                    other = held.get(op.stage + step)
                    if op.kind != Kind.W and other not in (None, d):
                        after(node, (way, op.stage, op.microbatch), size + latency)
                continue
            node = meeting(text)
            graph.add_node(node)
            sends = "SEND" in text
            if sends or mode.send == RENDEZVOUS:
                for earlier, time in free:
                    after(node, earlier, time)
                peer = held[node[1]] if sends else held[node[1] - (1 if node[0] == "F" else -1)]
                line = {DIRECTION: (d, peer, sends), PAIR: (d, peer), SHARED: (d,)}[mode.channels]
                if line in last:
                    after(node, last[line], size)
                last[line] = node
            if mode.comm == BLOCKING and (not sends or mode.send == RENDEZVOUS):
                free = [*free, (node, size + (0.0 if sends else latency))]
    start = {}
    for node in nx.topological_sort(graph):
        start[node] = max((start[e] + graph[e][node]["time"] for e in graph.predecessors(node)), default=0.0)
    return [start[d, text] for d, row in enumerate(plan.schedule.rows()) for text in row]


def test_it_takes_linear_time():
    def seconds(microbatches):
        schedule = find("zbv").generate(8, microbatches)
        start = time.perf_counter()
        simulate(schedule, CostModel(latency=0.1), Transport(Mode(BLOCKING, RENDEZVOUS, PAIR), 1.0, 3.0))
        return time.perf_counter() - start

    seconds(64)
    assert seconds(1024) < 40 * seconds(128)


@given(schedules(), NUMBERS, st.sampled_from(CHANNELS))
def test_a_gap_names_what_held_the_device(schedule, latency, channels):
    """``explain`` walks one gap's actions one by one; ``gaps`` finds all of them at once."""
    mode = Mode("blocking", "rendezvous", channels)
    ran = simulate(lower(schedule, "early"), CostModel(latency=latency), Transport(mode, 1.0, 2.0))
    found, journeys = gaps(ran), Journeys(ran)
    for device, start, end, cause, waited_for, transfer in zip(*found, strict=True):
        if cause == Cause.DRAIN:
            continue
        slot = int(np.searchsorted(ran.slot_start[slice(*ran.schedule.first_slot[device : device + 2])], end))
        held = list(journeys.holds(device, int(ran.schedule.first_slot[device]) + slot))
        longest = max(hold.end - hold.start for hold in held)
        peers = {hold.peer for hold in held if hold.end - hold.start >= longest - 1e-9}
        assert ran.schedule.device[waited_for] in peers
        assert 0 < transfer <= end - start + 1e-9
