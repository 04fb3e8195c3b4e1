"""Lowering: what every list has, in which order, and three small cases written out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.actions import Act, Actions
from pipesched.crossings import carriers, crossings
from pipesched.errors import InvalidScheduleError, ShapeError
from pipesched.formats import loads
from pipesched.generators import find
from pipesched.transfers import RECV, lower
from pipesched.transfers.shards import with_shards

MODES = st.sampled_from(RECV)


def spelled(actions):
    return [" ".join(row) for row in actions.rows()]


def test_early_receives_stand_where_they_are_sent():
    schedule = loads("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n").schedule
    assert spelled(lower(schedule, "early")) == [
        "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1 0REDUCE_GRAD",
        "1RECV_F0 1F0 1RECV_F1 1B0 1SEND_B0 1F1 1B1 1SEND_B1 1REDUCE_GRAD",
    ]


def test_late_receives_stand_before_their_use_or_before_the_lower_devices_send():
    schedule = loads("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n").schedule
    assert spelled(lower(schedule, "late", reduce_grad=False)) == [
        "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1",
        "1RECV_F0 1F0 1B0 1SEND_B0 1RECV_F1 1F1 1B1 1SEND_B1",
    ]


def test_paired_receives_go_along_with_the_send_that_comes_after_them():
    schedule = loads("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n").schedule
    assert spelled(lower(schedule, "paired", reduce_grad=False)) == [
        "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0B0 0RECV_B1 0B1",
        "1RECV_F0 1F0 1B0 1RECV_F1 1SEND_B0 1F1 1B1 1SEND_B1",
    ]


def test_nothing_is_sent_within_a_device_and_both_ops_of_a_pair_send():
    rows = spelled(lower(find("dualpipev").generate(2, 4)))
    assert "(0F3;3B1)OVERLAP_F_B 0SEND_F3 3SEND_B1" in rows[0]
    assert not any("1SEND_F" in row or "2SEND_B" in row for row in rows)


def test_a_stage_on_two_devices_sends_to_the_device_of_the_same_micro_batch():
    schedule = find("dualpipe").generate(4, 8)
    actions, across = lower(schedule), crossings(schedule)
    found = carriers(actions, across)
    assert (found.send >= 0).all()
    assert (found.recv >= 0).all()
    assert {(int(a), int(b)) for a, b in zip(across.source, across.target, strict=True)} == {
        (0, 1), (1, 2), (2, 3), (3, 2), (2, 1), (1, 0)
    }  # fmt: skip
    assert len(actions.find(Act.REDUCE_GRAD)) == 8


def test_sharded_stages_are_gathered_around_their_use():
    schedule = loads("0F0,2F0,4F0,6F0,6B0,4B0,2B0,0B0\n1F0,3F0,5F0,5B0,3B0,1B0\n").schedule
    first, second = spelled(lower(schedule, fsdp=True))
    assert first.startswith("0UNSHARD 2UNSHARD 4UNSHARD 0F0 0SEND_F0 2RECV_F0 0RESHARD 6UNSHARD 2F0")
    assert first.endswith("2REDUCE_GRAD 2RESHARD 0B0 0REDUCE_GRAD 0RESHARD")
    assert second.count("UNSHARD") == second.count("RESHARD") == 3


def test_what_cannot_run_is_not_lowered():
    with pytest.raises(InvalidScheduleError, match=r"x cannot run: deadlock: 1F1 \(device 1\) waits for 0F1"):
        lower(loads("0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "x").schedule)
    with pytest.raises(InvalidScheduleError, match="0B0 missing"):
        lower(loads("0F0\n", "x").schedule)


@settings(max_examples=100, deadline=None)
@given(schedules(), MODES, st.booleans())
def test_every_crossing_is_carried_once_in_order_after_its_op_and_before_its_use(schedule, recv, fsdp):
    actions, across = lower(schedule, recv, fsdp=fsdp), crossings(schedule)
    assert actions.schedule is schedule
    assert actions.slot[actions.compute].tolist() == list(range(schedule.n_slots))
    found = carriers(actions, across)
    assert (
        sorted([*found.send, *found.recv])
        == actions.find(Act.SEND_F, Act.SEND_B, Act.RECV_F, Act.RECV_B).tolist()
    )
    for edge in range(len(across)):
        assert actions.compute[schedule.slot[across.producer[edge]]] < found.send[edge]
        assert found.recv[edge] < actions.compute[schedule.slot[across.consumer[edge]]]
    for one in set(across.between()):
        edges = [edge for edge in range(len(across)) if across.between()[edge] == one]
        assert sorted(edges, key=found.send.__getitem__) == sorted(edges, key=found.recv.__getitem__)


@settings(max_examples=60, deadline=None)
@given(schedules(), st.sampled_from(["early", "paired"]))
def test_early_and_paired_list_the_transfers_of_two_devices_in_one_order(schedule, recv):
    actions, across = lower(schedule, recv), crossings(schedule)
    crossing = carriers(actions, across).crossing
    for a in range(schedule.devices):
        for b in range(a):
            common = [
                [
                    int(crossing[i])
                    for i in range(actions.first[d], actions.first[d + 1])
                    if crossing[i] >= 0
                    and {int(across.source[crossing[i]]), int(across.target[crossing[i]])} == {a, b}
                ]
                for d in (a, b)
            ]
            assert common[0] == common[1]


@settings(max_examples=60, deadline=None)
@given(schedules())
def test_without_passes_only_the_compute_is_there(schedule):
    actions = lower(schedule, reduce_grad=False)
    kept = actions.slot >= 0
    assert actions.code[kept].tolist() == [Act.COMPUTE] * schedule.n_slots
    if schedule.devices == 1:
        assert actions == Actions.of(schedule)


@pytest.mark.filterwarnings("ignore:.*of unknown type")
@pytest.mark.parametrize("recv", RECV)
def test_what_lists_hold_already_stays(recv):
    text = "0UNSHARD,0F0,0WAIT_ALL,0F1,0B0,0B1,0RESHARD,0NOTE_X1\n1F0,1WAIT_ALL,1B0,1F1,1B1,1REDUCE_GRAD\n"
    plan = loads(text).actions
    lowered = lower(plan, recv, fsdp=True)
    kept = [[cell for cell in row if "SEND" not in cell and "RECV" not in cell] for row in lowered.rows()]
    assert kept == [row.split(",") for row in text.splitlines()]
    assert lowered.has_transfers
    opaque = lower(loads("0F0,0WAIT_ALL,0B0\n1F0,1B0\n").actions, recv)
    assert spelled(opaque) == [
        "0F0 0SEND_F0 0WAIT_ALL 0RECV_B0 0B0 0REDUCE_GRAD",
        "1RECV_F0 1F0 1B0 1SEND_B0 1REDUCE_GRAD",
    ]
    with pytest.raises(ShapeError, match="has transfers of its own: lowering would put them in twice"):
        lower(lowered)


def test_ways_to_receive_that_there_are_not():
    with pytest.raises(ShapeError, match="recv must be early, late or paired; got 'soon'"):
        lower(find("1f1b").generate(2, 2), "soon")


@given(schedules(), st.booleans())
def test_adding_in_one_go_or_in_two_is_the_same(schedule, fsdp):
    gathered = with_shards(schedule, unshard=fsdp, reduce_grad=False)
    both = with_shards(schedule, unshard=fsdp, reduce_grad=True)
    again = with_shards(gathered, unshard=fsdp, reduce_grad=True)
    assert sorted(map(sorted, again.rows())) == sorted(map(sorted, both.rows()))
    assert Actions.of(schedule, both.extra) == both
