"""The viewer's JavaScript without a browser: its lint, its own tests, and that it reads what Python wrote."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.analysis.bubble import gaps
from pipesched.analysis.critical import critical_path, slack
from pipesched.analysis.explain import explain_op
from pipesched.analysis.journeys import Journeys
from pipesched.analysis.memory import memory
from pipesched.choices import Mode
from pipesched.costs import CostModel
from pipesched.generators import find, recipes
from pipesched.render.chart import Half, chart
from pipesched.render.html.data import schedule_data
from pipesched.render.html.timelines import viewer_script
from pipesched.render.text.summary import num
from pipesched.simulate import simulate
from pipesched.transport import Transport

JS = Path(__file__).parent / "js"
VIEWER = Path(__file__).parent.parent / "pipesched" / "render" / "html" / "viewer"
MODULES = sorted(VIEWER.glob("*.mjs"))


#: All of the viewer, comments included; a line is at most so wide.
MOST_LINES, WIDEST = 500, 110

#: Loose comparisons (but for null), leaky scopes, text that becomes code or markup, and the network.
BANNED = (
    r"\bvar\b",
    r"[^=!]==(?!=)(?! null)",
    r"!=(?!=)(?! null)",
    "innerHTML",
    r"\beval\b",
    r"\bfetch\b",
    "XMLHttp",
    "https?:",
    r"console\.",
)


def code_of(path):
    """The source without comments."""
    source = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"//.*", "", source)


def missing(what):
    """Skip, but not where the tests must be complete."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and CI=true: the tests of the viewer must run")
    pytest.skip(what)


@pytest.fixture(scope="module")
def node():
    """The path of Node.js: on PATH, or the one that playwright brings along."""
    if found := shutil.which("node"):
        return found
    try:
        from playwright._impl._driver import compute_driver_executable
    except ImportError:
        missing("no node on PATH, and no playwright")
    return str(compute_driver_executable()[0])


def run(node, *arguments, **more):
    done = subprocess.run([node, *map(str, arguments)], capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_its_own_tests_pass(node):
    output = run(node, "--test", *sorted(JS.glob("*.test.mjs")))
    assert int(re.search(r"pass (\d+)", output)[1]) >= 18


def test_every_module_and_the_bundle_are_correct_strict_javascript(node, tmp_path):
    bundle = tmp_path / "bundle.js"
    bundle.write_text(viewer_script(), encoding="utf-8")
    summary = tmp_path / "summary.mjs"
    summary.write_text((VIEWER.parent / "summary.js").read_text(encoding="utf-8"), encoding="utf-8")
    for path in (*MODULES, bundle, summary):
        run(node, "--check", path)
    assert viewer_script().startswith('(() => {\n"use strict";\n')
    assert not re.search(r"^(import|export)\b", viewer_script(), re.MULTILINE)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_lint(path):
    source = path.read_text(encoding="utf-8")
    for banned in BANNED:
        assert [line for line in code_of(path).splitlines() if re.search(banned, line)] == [], banned
    assert [line for line in source.splitlines() if len(line) > WIDEST] == []
    assert len(source.splitlines()) < 300
    assert "\t" not in source
    assert source.endswith((";\n", "}\n"))
    for names, module in re.findall(r'^import \{(.*?)\} from "\./(.*?)"', source, re.MULTILINE | re.DOTALL):
        exporter = (VIEWER / module).read_text(encoding="utf-8")
        for name in map(str.strip, names.replace("$,", "").split(",")):
            assert len(re.findall(rf"\b{re.escape(name)}\b", source)) > 1, f"{name} is imported but not used"
            assert re.search(
                rf"^export (async )?(function|const|let) {re.escape(name)}\b", exporter, re.MULTILINE
            )


def test_it_is_small():
    lines = [line for path in MODULES for line in path.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if line.strip()]) < MOST_LINES


def test_names_are_unique_for_the_bundle_has_one_scope():
    names = re.findall(r"^(?:export )?(?:async )?(?:function|const|let) (\w+)", viewer_script(), re.MULTILINE)
    assert len(names) == len(set(names)) > 30


def test_pure_modules_know_no_page():
    for name in ("data", "paint"):
        page = r"\b(document|window|addEventListener|getContext|location|history)\b"
        assert not re.search(page, code_of(VIEWER / f"{name}.mjs")), name


def told(node, *lines, free_at="w"):
    """What the viewer has to say of timelines."""
    data = [schedule_data(line, free_at) for line in lines]
    return json.loads(run(node, JS / "tell.mjs", input=json.dumps(data)))


def near(values):
    return pytest.approx(values, rel=1e-6, abs=1e-6)


def check(line, said, free_at="w"):
    """Hold what the viewer says against the package."""
    schedule, drawn, held = line.schedule, chart(line), memory(line.schedule, free_at)
    ops = said["ops"]
    assert (
        [each["op"] for each in ops] == said["seen"] == [str(schedule.op(i)) for i in range(schedule.n_ops)]
    )
    assert [each["device"] for each in ops] == schedule.device.tolist()
    assert [each["start"] for each in ops] == near(line.start.tolist())
    assert [each["end"] for each in ops] == near(line.end.tolist())
    assert [each["slack"] for each in ops] == near(slack(line)[schedule.slot].tolist())
    assert [each["during"] for each in ops] == near(held.during.tolist())
    assert [each["after"] for each in ops] == near(held.after.tolist())
    meets = [each["meets"] for each in ops if each["meets"] is not None]
    assert meets == pytest.approx(drawn.end[drawn.half == Half.LEFT].tolist(), rel=1e-3)
    check_path(line, ops)
    if not Journeys(line).hold_devices:
        assert [each["said"][0] for each in said["gaps"]] == list(gap_titles(line))


def check_path(line, ops):
    slots = critical_path(line).slots
    assert [bool(each["critical"]) for each in ops] == np.isin(line.schedule.slot, slots).tolist()
    names = [str(line.schedule.op(i)) for i in line.schedule.slot_op[slots].tolist()]
    assert {each["op"]: each["follows"] for each in ops if each["follows"]} == dict(
        zip(names[1:], names[:-1], strict=True)
    )


def gap_titles(line):
    schedule, unit, found = line.schedule, line.costs.unit, gaps(line)
    columns = (c.tolist() for c in (found.device, found.length, found.waited_for, found.transfer))
    for device, length, op, transfer in zip(*columns, strict=True):
        if length < 1e-9 * line.makespan:
            continue  # float noise between two ops that touch
        if op < 0:
            yield f"device {device} idle for {num(length)} {unit}: its last op has ended"
            continue
        part = f", of which {num(transfer)} transfer" if transfer > 1e-9 * line.makespan else ""
        for_what = f"{schedule.op(op)} on device {schedule.device[op]}"
        yield f"device {device} waited {num(length)} {unit} for {for_what}{part}"


def test_every_registered_schedule_arrives_as_it_was_sent(node):
    lines = [simulate(recipe.generate(4, None), CostModel(latency=0.25)) for recipe in recipes()]
    for line, said in zip(lines, told(node, *lines), strict=True):
        check(line, said)


@settings(max_examples=12, deadline=None)
@given(schedules(), st.sampled_from([0.0, 0.1, 1 / 3, 2.5]), st.sampled_from([1.0, 0.7, 1.23456789, 0.0]))
def test_any_schedule_arrives_as_it_was_sent(node, schedule, latency, forward):
    line = simulate(schedule, CostModel(F=forward, latency=latency))
    (said,) = told(node, line, free_at=0.4)
    check(line, said, free_at=0.4)


@pytest.mark.parametrize("name", ["dualpipe", "zbv"])
def test_what_an_op_needs_and_unblocks_is_what_explain_says(node, name):
    line = simulate(find(name).generate(4, 10), CostModel(latency=0.5))
    (said,) = told(node, line)
    for i, each in enumerate(said["ops"]):
        explained = explain_op(line, (line.schedule.op(i),))
        wanted = {need.op for need in explained.needs if need.why != "turn" and need.needed_by == each["op"]}
        assert set(each["needs"]) == wanted
        others = {out.op for out in explained.unblocks if out.why != "turn"}
        whole = {op for k in _slot(line, i) for op in said["ops"][k]["unblocks"]} - {each["op"]}
        assert whole == {op for text in others for op in re.findall(r"\d+[FBIW]\d+", text)} - {each["op"]}


def _slot(line, op):
    slot = int(line.schedule.slot[op])
    return range(int(line.schedule.slot_op[slot]), int(line.schedule.slot_op[slot + 1]))


MODES = [
    Mode("async", "buffered", "shared"),
    Mode("async", "rendezvous", "direction"),
    Mode("blocking", "buffered", "direction"),
    Mode("blocking", "rendezvous", "shared"),
]


@pytest.mark.parametrize("mode", MODES, ids="-".join)
def test_transfers_that_were_run_are_told_as_they_ran(node, mode):
    for name in ("1f1b", "dualpipe"):
        transport = Transport(mode, size=0.5, bandwidth=1.0)
        line = simulate(find(name).generate(4, 8), CostModel(latency=0.125), transport)
        (said,) = told(node, line)
        check(line, said)
        journeys = Journeys(line)
        for i, each in enumerate(said["ops"]):
            journey = journeys.to(i)
            if journey is None:
                assert each["sent"] is None
                continue
            assert each["sent"][1:] == near([journey.begun, journey.arrived])
            assert f"the result of {each['sent'][0]} travels from {num(journey.begun)}" in each["said"][-1]
        if journeys.hold_devices:
            check_holds(line, said["gaps"])
            assert "slack not known: transfers hold devices" in said["ops"][0]["said"][1]


def check_holds(line, found):
    """Idle time before an op is said to be due to a SEND or RECV that held the device, the longest of them."""
    journeys, held = Journeys(line), 0
    for each in found:
        slot = int(
            np.searchsorted(
                line.slot_start + 1e3 * line.schedule.slot_device, each["end"] + 1e3 * each["device"] - 1e-9
            )
        )
        if slot == line.schedule.n_slots or line.schedule.slot_device[slot] != each["device"]:
            continue
        longest = max(journeys.holds(each["device"], slot), key=lambda hold: hold.end - hold.start)
        title, _, why = each["said"]
        assert (
            why
            == f"its {'SEND' if 'SEND' in longest.action else 'RECV'} held it for {num(longest.end - longest.start)}"
        )
        assert f"device {longest.peer}" in title
        held += 1
    assert held > 10


def test_a_hundred_thousand_ops_take_a_few_kilobytes():
    line = simulate(find("zb1p").generate(8, 4000), CostModel(latency=0.1))
    data = schedule_data(line)
    assert line.schedule.n_ops > 90_000
    assert len(json.dumps(data)) < 10_000
