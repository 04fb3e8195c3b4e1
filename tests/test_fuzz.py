"""Random schedules survive every file; random damage is found, or was none; readers only raise our errors."""

import json
import time
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import longest_path, needed, schedules

from pipesched.costs import CostModel
from pipesched.errors import InvalidScheduleError, PipeschedError, PipeschedWarning
from pipesched.formats import json_file, load, loads, torch_csv, trace
from pipesched.ops import Kind, parse_slot
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.validate import validate

pytestmark = pytest.mark.filterwarnings("ignore::pipesched.errors.PipeschedWarning")

ANY = st.one_of(schedules(), schedules(flows=2))
TIMES = st.sampled_from([0.0, 0.1, 0.25, 1.0, 1.7, 29.718])


@st.composite
def cost_models(draw, stages):
    def times():
        return draw(st.one_of(TIMES, st.lists(TIMES, min_size=stages, max_size=stages)))

    pair = draw(st.one_of(st.none(), TIMES))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeschedWarning)
        return CostModel.of(
            F=times(), I=times(), W=times(), FB=pair, latency=draw(TIMES), unit=draw(st.text(max_size=3))
        )


def read_back(events):
    """The schedule that a trace shows: its compute slices, by device and time."""
    rows = {}
    for event in events:
        if event["ph"] == "M":
            rows.setdefault(event["pid"], [])
        elif event["ph"] == "X" and event["cat"] != "transfer":
            rows[event["pid"]].append(parse_slot(event["args"]["op"]))
    return Schedule.from_rows("trace", [rows[d] for d in sorted(rows)])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ANY, st.data())
def test_every_file_gives_back_what_was_written(schedule, data):
    costs = data.draw(cost_models(schedule.stages))
    assert loads("".join(torch_csv.write(schedule))).schedule == schedule
    again = loads("".join(json_file.write(schedule, costs)))
    assert (again.schedule, again.costs) == (schedule, costs)
    assert read_back(json.loads("".join(trace.write(schedule, costs)))["traceEvents"]) == schedule
    timeline = simulate(schedule, costs)
    assert np.allclose(timeline.slot_end, longest_path(schedule, costs), rtol=1e-12, atol=1e-9)
    assert np.array_equal(simulate(again.schedule, again.costs).slot_end, timeline.slot_end)


def can_run(rows):
    """The rules in so many words: complete, each op once, backwards at home, and it runs to its end."""
    ops = [op for row in rows for slot in row for op in slot]
    home = {op: d for d, row in enumerate(rows) for slot in row for op in slot}
    if not all(rows) or len(home) != len(ops):
        return False
    n_stages, n_microbatches = (max(getattr(op, key) for op in ops) + 1 for key in ("stage", "microbatch"))
    split = {(op.stage, op.microbatch) for op in ops if op.kind in (Kind.I, Kind.W)}
    whole = {(s, m) for s in range(n_stages) for m in range(n_microbatches)}
    wanted = {
        (kind, *at)
        for at in whole
        for kind in ((Kind.F, Kind.I, Kind.W) if at in split else (Kind.F, Kind.B))
    }
    if wanted != set(home):
        return False
    if any(home[op] != home[op._replace(kind=Kind.F)] for op in ops):
        return False
    done, at = set(), [0] * len(rows)
    while True:
        ready = [
            d
            for d, row in enumerate(rows)
            if at[d] < len(row)
            and all(need in done for op in row[at[d]] for need in needed(op, n_stages, split))
        ]
        if not ready:
            return len(done) == len(ops)
        for d in ready:
            done.update(rows[d][at[d]])
            at[d] += 1


def damage(draw, rows):
    """Change a schedule's rows a little, in place."""
    row = draw(st.sampled_from([row for row in rows if row]))
    i = draw(st.integers(0, len(row) - 1))
    change = draw(st.sampled_from(["swap", "drop", "repeat", "move", "number", "kind", "join", "part"]))
    if change == "swap":
        j = draw(st.integers(0, len(row) - 1))
        row[i], row[j] = row[j], row[i]
    elif change == "drop":
        del row[i]
    elif change in ("repeat", "move"):
        slot = row[i] if change == "repeat" else row.pop(i)
        other = draw(st.sampled_from(rows))
        other.insert(draw(st.integers(0, len(other))), slot)
    elif change == "number" and len(row[i]) == 1:
        key = draw(st.sampled_from(["stage", "microbatch"]))
        row[i] = (row[i][0]._replace(**{key: draw(st.integers(0, 6))}),)
    elif change == "kind" and len(row[i]) == 1:
        row[i] = (row[i][0]._replace(kind=draw(st.sampled_from(Kind))),)
    elif change == "join" and i + 1 < len(row) and (len(row[i]), len(row[i + 1])) == (1, 1):
        both = sorted((*row[i], *row[i + 1]))
        if [op.kind for op in both] == [Kind.F, Kind.B]:
            row[i : i + 2] = [tuple(both)]
    elif change == "part":
        row[i : i + 1] = [(op,) for op in row[i]]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(schedules(3, 3), schedules(3, 3, flows=2)), st.integers(1, 3), st.data())
def test_damage_is_reported_or_was_none(schedule, times, data):
    rows = [[parse_slot(cell) for cell in row] for row in schedule.rows()]
    for _ in range(times):
        assume(any(rows))
        damage(data.draw, rows)
    damaged = Schedule.from_rows("damaged", rows)
    found = validate(damaged)
    assert (found == []) == can_run(rows), found
    costs = CostModel.of(F=0.7, I=1.1, W=0.4, latency=0.3)
    if found:
        assert all(violation.message for violation in found)
        with pytest.raises(InvalidScheduleError):
            simulate(damaged, costs)
    else:
        assert np.allclose(simulate(damaged, costs).slot_end, longest_path(damaged, costs))


def try_everything(text, **how):
    """Read it, check it, run it: nothing but our own errors, whose sentence is returned."""
    try:
        schedule = loads(text, "x", **how).schedule
        if not validate(schedule):
            simulate(schedule)
    except PipeschedError as error:
        return str(error)
    return "fine"


PIECES = st.sampled_from(
    [
        *'0123FBIW,\n\r\t ;()"_-#\ufeff\u2028\0é٣',
        *("0F0", "0B0", "1F0", "(0F1;0B0)OVERLAP_F_B", "OVERLAP_F_B", "None", "F0_s1", "0BW0"),
        *("0SEND_F0", "1RECV_F0", "0UNSHARD", "0REDUCE_GRAD"),
        *(str(number) for number in (2**31 - 2, 2**31 - 1, 10**18)),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
def test_any_text_is_read_or_refused(text):
    for as_json in (False, True):
        told = try_everything(text, json_file=as_json)
        assert told
        assert len(told.splitlines()) == 1


@settings(max_examples=200, deadline=None)
@given(ANY, st.data())
def test_a_file_with_a_few_wrong_characters_is_read_or_refused(schedule, data):
    writer = data.draw(st.sampled_from([torch_csv.write, json_file.write]))
    text = "".join(writer(schedule))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(PIECES) + text[at + data.draw(st.integers(0, 3)) :]
    try_everything(text)


NUMBERS = st.one_of(st.integers(-2, 9), st.sampled_from([2**31, 10**18, 10**30, -(10**9)]), st.floats())
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.sampled_from(["", "0F0", "0B0", "F", "ms", "pipesched"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("FBIW"), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(["format", "version", "name", "placement", "costs", "ops", "more"]), ANYTHING, st.data()
)
def test_any_value_in_json_is_read_or_refused(key, value, data):
    document = {
        "format": "pipesched",
        "version": 1,
        "name": "x",
        "placement": {"stages": [[0], [1]], "flows": [[0], [0]]},
        "costs": {"F": 1, "B": 2, "latency": 0},
        "ops": [["0F0", "0B0"], ["1F0", "1B0"]],
    }
    if isinstance(document.get(key), dict) and data.draw(st.booleans()):
        document[key][
            data.draw(st.sampled_from(["stages", "flows", "F", "B", "I", "W", "FB", "latency", "unit", "x"]))
        ] = value
    else:
        document[key] = value
    try_everything(json.dumps(document))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), suffix=st.sampled_from([".csv", ".json"]))
def test_any_bytes_are_read_or_refused(tmp_path, content, suffix):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(content)
    told = "fine"
    try:
        load(path)
    except PipeschedError as error:
        told = str(error)
    assert told


def our_json(ops, more=""):
    return f'{{"format": "pipesched", "version": 1, "name": "x", {more} "ops": {ops}}}'


#: Texts of a size that grows with n; reading (and checking) them must not take n times n.
LARGE = {
    "one cell": lambda n: "x" * n,
    "one number": lambda n: "1" * n + "F" + "1" * n,
    "one row": lambda n: ",".join(f"0F{i}" for i in range(n)),
    "many rows": lambda n: "\n".join(f"{i}F0,{i}B0" for i in range(n)),
    "commas": lambda n: "," * n + "0F0",
    "blank rows": lambda n: "\n" * n + "0F0" + "\n" * n,
    "wrong cells": lambda n: "0X0," * n,
    "wrong rows": lambda n: "0X0\n" * n,
    "ids of 10^18": lambda n: f"0F{10**18}," * n,
    "far ids": lambda n: "\n".join(f"{2**31 - 2 - i}F{i * 1000}" for i in range(n)),
    "open brackets": lambda n: "(" * n,
    "open pairs": lambda n: "(0F0;" * n,
    "pairs": lambda n: ",".join(f"(0F{i};0B{i})OVERLAP_F_B" for i in range(n)),
    "quotes": lambda n: '"' * n,
    "the same op": lambda n: "0F0," * n,
    "transfers": lambda n: ",".join(f"0SEND_F{i}" for i in range(n)) + ",0F0",
    "unknown actions": lambda n: ",".join(f"0WAIT_SEND_F{i}" for i in range(n)) + ",0F0",
    "backwards first": lambda n: (
        ",".join(f"0B{i}" for i in range(n)) + "," + ",".join(f"0F{i}" for i in range(n))
    ),
    "whole and split": lambda n: ",".join(f"0F{i},0B{i},0I{i},0W{i}" for i in range(n)),
    "a ring that waits": lambda n: (
        "0F0,0F1,0B0,0B1\n" + "\n".join(f"{i}F1,{i}F0,{i}B0,{i}B1" for i in range(1, n))
    ),
    "nested lists": lambda n: our_json("[" * n),
    "nested objects": lambda n: '{"a":' * n,
    "digits": lambda n: '{"version":' + "1" * n + "}",
    "escapes": lambda n: '{"format":"' + "\\u0041" * n + '"}',
    "keys": lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n)) + "}",
    "numbers for ops": lambda n: our_json([list(range(n))]),
    "stages without ops": lambda n: our_json('[["0F0"]]', f'"placement": {{"stages": [{list(range(n))}]}},'),
}


def seconds(text):
    best = float("inf")
    for _ in range(2):
        begun = time.perf_counter()
        try_everything(text)
        best = min(best, time.perf_counter() - begun)
    return best


@pytest.mark.parametrize("what", LARGE)
def test_time_grows_with_the_size_not_its_square(what):
    """Four times the size would take 16 times as long; a busy machine gets three tries to stay below 10."""
    small, large = LARGE[what](1000), LARGE[what](4000)
    ratios = []
    for _ in range(3):
        ratios.append((seconds(large) + 0.002) / (seconds(small) + 0.002))
        if ratios[-1] < 10:
            return
    raise AssertionError(f"{what}: {ratios}")
