"""The full-screen viewer, driven by keys and mouse; and what happens without textual or a terminal."""

import asyncio
import io
import sys

import pytest
from rich.console import Console

from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.formats import loads
from pipesched.generators import find
from pipesched.render.chart import chart
from pipesched.render.terminal import Gantt
from pipesched.render.tui.state import State
from pipesched.render.tui.viewer import HELP, Viewer
from pipesched.simulate import simulate


def timeline(name="dualpipe", devices=8, microbatches=20, **costs):
    return simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))


def driven(act, timelines, size=(100, 30), system=None):
    """Run the viewer without a terminal and hand it to ``act``; returns the lines of the screen."""

    async def session():
        app = Viewer(timelines, system=system)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(app, pilot)
            await pilot.pause()
            return [
                "".join(s.text for s in strip).rstrip() for strip in app.screen._compositor.render_strips()
            ]

    return asyncio.run(session())


def pressing(*keys):
    async def act(_, pilot):
        await pilot.press(*keys)

    return act


def test_all_is_shown_first_with_a_line_of_help():
    lines = driven(pressing(), [timeline("1f1b", 4, 8)])
    assert lines[0] == "1f1b: 4 devices, 4 stages, 8 micro-batches; time in F"
    assert lines[2].startswith("0  F0 F1 F2 F3 ··")
    assert lines[5].startswith("3  ···")
    assert any("makespan 33 F" in line for line in lines)
    assert lines[-1] == HELP


@pytest.mark.parametrize("system", ["truecolor", "256", "standard"])
def test_colors_draw_fills(system):
    lines = driven(pressing(), [timeline("1f1b", 4, 8)], system=system)
    assert "0" in lines[2]
    assert "F" not in lines[2]


def test_enter_says_what_a_cell_waits_for():
    """Down to device 1, to its first op: 1F0 needs 0F0."""
    lines = "\n".join(driven(pressing("down", "full_stop", "enter"), [timeline("1f1b", 4, 8)]))
    assert "1F0: forward of micro-batch 0 on stage 1" in lines
    assert "0F0, on device 0: ended at 1, just in time" in lines
    assert "slack      none: it is on a critical path" in lines


def test_enter_on_a_gap_says_why_the_device_is_idle():
    lines = "\n".join(driven(pressing("down", "enter"), [timeline("1f1b", 4, 8)]))
    assert "device 1 at 0.5 F: idle before its first op, from 0 to 1" in lines
    assert "device 1 waits until 1: 1F0 needs 0F0 of device 0" in lines


def test_a_click_does_the_same():
    async def act(_, pilot):
        await pilot.click("Lanes", offset=(4, 2))

    assert "device 1 at 0.5 F: idle" in "\n".join(driven(act, [timeline("1f1b", 4, 8)]))


def test_pan_and_zoom_keep_the_window_on_the_schedule():
    seen = []

    async def act(app, pilot):
        state = app.state
        for keys in (
            ["plus"] * 3,
            ["right"] * 2,
            ["right"] * 60,
            ["left"] * 99,
            ["minus"] * 9,
            ["plus"] * 40,
            ["0"],
        ):
            await pilot.press(*keys)
            width = app.lanes.columns / state.rate
            seen.append((state.t0, width, state.makespan))
            assert -1e-9 <= state.t0 <= state.makespan - width + 1e-9
            start, end = state.span()
            assert start <= state.time < end

    driven(act, [timeline()])
    t0, width, makespan = zip(*seen, strict=True)
    assert width[0] == pytest.approx(makespan[0] / 1.5**3)
    assert t0[1] == pytest.approx(t0[0] + width[0] / 4)
    assert t0[2] == pytest.approx(makespan[0] - width[0])
    assert t0[3] == 0
    assert (t0[4], width[4]) == pytest.approx((0, makespan[0]))
    assert width[5] < makespan[0] / 5
    assert (t0[6], width[6]) == pytest.approx((0, makespan[0]))


def test_arrows_move_the_cursor_where_all_is_shown():
    async def act(app, pilot):
        await pilot.press("right", "right")
        assert app.state.time == 2
        await pilot.press("left", "down", "down", "up")
        assert (app.state.time, app.state.lane) == (1, 1)

    driven(act, [timeline()])


def test_tab_turns_to_the_next_schedule_and_back():
    async def act(app, pilot):
        titles = []
        for key in ("tab", "tab", "shift+tab"):
            await pilot.press(key)
            titles.append(app.state.chart.title.split(":")[0])
        assert titles == ["zb1p", "dualpipe", "zb1p"]

    lines = driven(act, [timeline(), timeline("zb1p")])
    assert lines[0].endswith("(2 of 2)")


def test_lanes_scroll_where_not_all_fit():
    async def act(app, pilot):
        await pilot.press(*["down"] * 40)
        assert app.state.lane == 31
        assert app.state.top == 32 - app.lanes.shown

    lines = driven(act, [timeline("1f1b", 32, 32)], size=(80, 24))
    assert any(line.startswith("31") for line in lines)
    assert lines[-1].startswith("←→ pan")


def test_q_quits():
    async def act(app, pilot):
        await pilot.press("q")
        assert not app.is_running

    async def session():
        app = Viewer([timeline("1f1b", 2, 2)])
        async with app.run_test() as pilot:
            await pilot.press("q")
        assert app.return_code == 0

    asyncio.run(session())


def test_steps_visit_every_cell_and_gap():
    ran = timeline("1f1b", 4, 8)
    state = State(ran, chart(ran), lane=1)
    state.fit(90)
    visited = []
    for _ in range(40):
        visited.append(state.span())
        state.step(1, 90)
    assert visited[0] == (0.0, 1.0)
    assert {start for start, _ in visited} >= set(ran.slot_start[ran.schedule.slot_device == 1].tolist())
    assert visited[-1][1] == ran.makespan


def test_without_textual_one_sentence_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "textual", None)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes this for a terminal
    assert run(["view", "1f1b"]) == 2
    assert capsys.readouterr().err == "error: view needs textual; install it with: pip install textual\n"


def test_without_a_terminal_the_charts_are_printed(capsys):
    assert run(["view", "1f1b", "gpipe", "--pp", "2", "--mb", "4"]) == 0
    out = capsys.readouterr().out
    assert "1f1b: 2 devices" in out
    assert "gpipe: 2 devices" in out


LISTED = """0UNSHARD,0F0,0WAIT_SEND_F0,0F1,0B0,0B1
1F0,1B0,1F1,1WAIT_ALL,1B1
"""


@pytest.mark.filterwarnings("ignore:.*of unknown type")
def test_marks_point_up_as_in_show():
    ran = simulate(loads(LISTED).actions)
    shown = io.StringIO()
    Console(width=100, file=shown).print(Gantt(chart(ran)))
    lines = driven(pressing(), [ran], system=None)
    ours, theirs = (
        [line.split() for line in each if line.strip("▴▵ ") == "" and line.strip()]
        for each in (lines, shown.getvalue().splitlines())
    )
    assert ours == theirs
    assert lines[3].index("▴") == lines[2].index("F1")
    assert lines[2].startswith("0  F0")
    assert lines[4].startswith("1  ")
    assert "▴ action of unknown type" in "\n".join(lines)
    assert "0WAIT_SEND_F0 (device 0, after 0F0)" in " ".join(lines)


@pytest.mark.filterwarnings("ignore:.*of unknown type")
def test_the_cursor_and_the_mouse_know_the_lines_of_marks():
    async def act(app, pilot):
        await pilot.click("Lanes", offset=(30, 3))
        assert app.state.lane == 1
        await pilot.click("Lanes", offset=(30, 2))
        assert app.state.lane == 0

    driven(act, [simulate(loads(LISTED).actions)])
