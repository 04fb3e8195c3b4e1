"""The viewer in a real browser: it answers the pointer, the wheel, the keys, the search box and the link."""

import math

import numpy as np
import pytest
from visits import Visit, build

from pipesched.analysis import report
from pipesched.choices import Mode
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.ops import Kind
from pipesched.render import html
from pipesched.render.chart import tone
from pipesched.render.html.colours import SLACKS
from pipesched.render.text.table import Table
from pipesched.simulate import simulate
from pipesched.transport import Transport

pytestmark = pytest.mark.browser


def test_hovering_tells_the_op_the_gap_and_the_memory(visit):
    assert visit.tip(30.9, 3)[:3] == [
        "4B12: backward of micro-batch 12 on stage 4, flowing up",
        "device 3, from 28.5 to 31.5 F; no slack: a delay here delays the end",
        "overlapped with 3F6",
    ]
    assert visit.tip(1, 3)[0] == "device 3 waited 4.5 F for 2F0 on device 2, of which 0.5 transfer"
    assert visit.tip(24, 3)[-1] == "device 3 holds 9 activations, of 8.5 allowed"
    assert visit.tip(5, 3)[-1] == "device 3 holds 1 activation, of 8.5 allowed"
    visit.page.mouse.move(5, 5)
    assert visit.page.locator("#card").is_hidden()


def test_clicking_a_gap_or_an_op_says_why(fresh):
    assert fresh.about() == "Click a cell or an idle gap to see what it waits for."
    said = fresh.click(1, 3)
    assert said.startswith("dualpipe: device 3 waited 4.5 F for 2F0 on device 2, of which 0.5 transfer")
    fresh.window()
    assert "at=0,3,2.25" in fresh.page.url
    said = fresh.click(30.9, 3)
    assert "Needs 4F12 on device 3 5B12 on device 2 Unblocks 3B12 on device 4" in said
    fresh.page.get_by_role("button", name="3B12 on device 4").click()
    assert "3B12: backward" in fresh.about()
    assert fresh.click(0.5, 0, 1).startswith("zb1p: 0F0: forward of micro-batch 0 on stage 0")


def test_colours_are_the_palette_and_idle_is_not(fresh):
    forward, idle = tone(Kind.F, 0).fill, "#eceff3"
    assert fresh.pixel(0.25, 0) == forward
    assert fresh.pixel(1, 3) == idle
    fresh.page.select_option("[name=color]", "slack")
    fresh.settle()
    assert fresh.pixel(0.25, 0) == SLACKS[0]
    fresh.window()
    assert "color=slack" in fresh.page.url
    assert fresh.page.locator(".legend").inner_text().startswith("no slack")
    for name in ("critical", "transfers"):
        before = fresh.page.locator("#canvas-0").screenshot()
        fresh.page.check(f"[name={name}]")
        fresh.settle()
        assert fresh.page.locator("#canvas-0").screenshot() != before


@pytest.mark.parametrize("zooms", [0, 1, 2])
def test_the_halves_of_a_pair_meet_in_a_straight_line(fresh, zooms):
    fresh.page.mouse.move(*fresh.spot(29.5, 3))
    for _ in range(zooms):
        fresh.page.keyboard.press("w")
    fresh.window()
    colours = {fresh.pixel(29.5, 3, down=down) for down in (0.1, 0.15, 0.25, 0.5, 0.6)}
    assert colours == {tone(Kind.B, 1).fill}


def test_above_the_cap_memory_has_another_colour(fresh):
    assert fresh.pixel(24, 3, down=0.86) == "#d1124f"
    assert fresh.pixel(10, 3, down=0.86) == "#a58fd0"


def test_zooming_and_moving_with_wheel_keys_and_drag(fresh):
    whole = fresh.window()
    fresh.page.mouse.move(*fresh.spot(40, 3))
    scrolled = fresh.page.evaluate("scrollY")
    fresh.page.keyboard.down("Control")
    fresh.page.mouse.wheel(0, -500)
    fresh.page.keyboard.up("Control")
    t0, t1 = fresh.window()
    assert t1 - t0 == pytest.approx(whole[1] / math.e, rel=0.01)
    assert (40 - t0) / (t1 - t0) == pytest.approx(40 / whole[1], abs=0.01)  # stays under the pointer
    assert fresh.page.evaluate("scrollY") == scrolled
    (x, y), (to_x, _) = fresh.spot(40, 3), fresh.spot(35, 3)
    fresh.page.mouse.move(x, y)
    fresh.page.mouse.down()
    fresh.page.mouse.move(to_x, y, steps=4)
    fresh.page.mouse.up()
    assert fresh.window() == pytest.approx((t0 + 5, t1 + 5), abs=0.3)
    fresh.page.locator("#canvas-0").focus()
    fresh.page.keyboard.press("Shift+ArrowLeft")
    assert fresh.window()[0] == pytest.approx(t0 + 5 - 0.2 * (t1 - t0), abs=0.3)
    fresh.page.keyboard.press("+")
    assert np.ptp(fresh.window()) == pytest.approx((t1 - t0) / 1.5, rel=0.01)
    fresh.page.keyboard.press("0")
    assert fresh.window() == whole


def test_w_a_s_d_work_on_the_chart_under_the_pointer_and_zoom_there(fresh):
    whole = fresh.window()
    x, y = fresh.spot(60, 3)
    fresh.page.mouse.move(x - 1, y)
    fresh.page.mouse.move(x, y)
    for _ in range(4):
        fresh.page.keyboard.press("w")
    t0, t1 = fresh.window()
    assert t1 - t0 == pytest.approx(whole[1] / 1.5**4, rel=0.01)
    assert (60 - t0) / (t1 - t0) == pytest.approx(60 / whole[1], abs=0.01)
    fresh.page.keyboard.press("a")
    assert fresh.window() == pytest.approx((t0 - 0.2 * (t1 - t0), t1 - 0.2 * (t1 - t0)))
    fresh.page.keyboard.press("d")
    fresh.page.keyboard.press("s")
    assert np.ptp(fresh.window()) == pytest.approx((t1 - t0) * 1.5, rel=0.01)
    fresh.page.locator("#find").focus()
    fresh.page.keyboard.type("wasd")
    assert np.ptp(fresh.window()) == pytest.approx((t1 - t0) * 1.5, rel=0.01)


def test_every_tool_has_a_button_and_a_key(fresh):
    canvas, box = fresh.page.locator("#canvas-0"), fresh.page.locator("#canvas-0")
    high = box.bounding_box()["height"]
    fresh.page.get_by_role("button", name="Higher lanes").click()
    fresh.settle()
    assert box.bounding_box()["height"] > high
    canvas.focus()
    fresh.page.keyboard.press("[")
    fresh.settle()
    assert box.bounding_box()["height"] == high
    for key, name in (("c", "critical"), ("t", "transfers"), ("m", "memory")):
        before = fresh.page.is_checked(f"[name={name}]")
        fresh.page.keyboard.press(key)
        assert fresh.page.is_checked(f"[name={name}]") != before
    fresh.page.keyboard.press("/")
    assert fresh.page.evaluate("document.activeElement.id") == "find"
    fresh.page.get_by_role("button", name="Zoom in").click()
    fresh.page.get_by_role("button", name="Later").click()
    assert fresh.window()[0] > 0
    fresh.page.get_by_role("button", name="Copy link").click()
    fresh.page.get_by_role("button", name="Fit").click()
    assert fresh.window()[0] == 0


def test_ops_that_take_no_time_can_be_clicked_found_and_walked_to(browser, tmp_path):
    url = build(tmp_path / "zero.html", find("1f1b").generate(4, 6), costs=CostModel(F=0.0, latency=0.5))
    visit = Visit(browser, url)
    x, y = visit.spot(0.5, 1)
    visit.page.mouse.click(x + 2, y)
    assert visit.about().startswith(
        "1f1b: 1F0: forward of micro-batch 0 on stage 1 device 1, from 0.5 to 0.5 units"
    )
    visit.page.keyboard.press("ArrowRight")
    assert visit.about().startswith("1f1b: 1F1: forward")
    visit.page.mouse.click(x + 8, y)
    assert visit.about().startswith("1f1b: device 1 waited")
    visit.page.fill("#find", "3F2")
    visit.page.press("#find", "Enter")
    assert "3F2: forward of micro-batch 2 on stage 3" in visit.about()
    visit.page.get_by_role("button", name="Zoom to").click()
    assert np.ptp(visit.window()) > 1
    assert visit.complaints == []
    visit.context.close()


def test_transfers_that_were_run_are_drawn_and_told(browser, tmp_path):
    transport = Transport(Mode("blocking", "rendezvous"), size=1.0, bandwidth=2.0)
    line = simulate(find("1f1b").generate(4, 6), CostModel(latency=0.25), transport)
    table = Table("", ("schedule",), (("1f1b",),))
    path = tmp_path / "transfers.html"
    path.write_text(html.page([line], [report(line)], table, command="", summary=False), encoding="utf-8")
    visit = Visit(browser, path.as_uri())
    assert "transfers: blocking, rendezvous, a channel per direction; 1 bytes at 2 per F" in (
        visit.page.locator(".timeline").inner_text()
    )
    said = visit.click(1.25, 0)
    assert said.startswith("1f1b: device 0 waited 0.5 F to send 0F0 to device 1, of which 0.5 transfer")
    assert "its SEND held it for 0.5" in said
    said = visit.click(1, 1)
    assert said.startswith("1f1b: device 1 waited 1.75 F for 0F0 on device 0, of which 0.75 transfer")
    assert "its RECV held it for 1.75" in said
    said = visit.click(2, 1)
    assert "slack not known: transfers hold devices" in said
    assert "the result of 0F0 travels from 1 to 1.75" in said
    assert visit.complaints == []
    visit.context.close()


def test_a_wheel_without_control_scrolls_the_page_until_a_chart_is_clicked(fresh):
    whole = fresh.window()
    fresh.page.mouse.move(*fresh.spot(40, 3))
    fresh.page.mouse.wheel(0, 100)
    fresh.settle()
    assert fresh.page.evaluate("scrollY") >= 100
    assert fresh.window() == whole
    fresh.click(30.9, 3)
    fresh.page.mouse.wheel(0, -100)
    assert fresh.window() != whole


def test_arrows_go_from_op_to_op_and_are_read_out(fresh):
    fresh.page.locator("#canvas-1").focus()
    said = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        fresh.page.keyboard.press(key)
        said.append(fresh.about().removeprefix("zb1p: ").split(":")[0])
    assert said[:2] == ["0F0", "0F1"]
    assert said[2] in {"1F0", "device 1 waited 1.5 F for 0F0 on device 0, of which 0.5 transfer"}
    fresh.page.keyboard.press("Escape")
    assert fresh.about().startswith("Click a cell")


def test_finding_an_op_brings_it_into_sight_and_goes_round(fresh):
    fresh.page.fill("#find", "3f7")
    fresh.page.press("#find", "Enter")
    assert fresh.about().startswith("dualpipe: 3F7: forward of micro-batch 7 on stage 3")
    fresh.page.press("#find", "Enter")
    assert fresh.about().startswith("zb1p: 3F7")
    fresh.page.fill("#find", "9F99")
    fresh.page.press("#find", "Enter")
    assert fresh.about().startswith("There is no 9F99")


def test_a_link_restores_the_view(browser, document, fresh):
    said = fresh.click(30.9, 3)
    fresh.page.select_option("[name=color]", "stage")
    fresh.page.check("[name=critical]")
    fresh.page.uncheck("[name=memory]")
    fresh.page.locator("#canvas-0").focus()
    fresh.page.keyboard.press("f")
    window = fresh.window()
    link = fresh.page.url
    other = Visit(browser, link)
    fresh.page.goto(f"{document}#color=kind&memory=on")
    assert fresh.window()[0] == 0
    assert fresh.about().startswith("Click")
    fresh.page.goto(link)
    for each in (fresh, other):
        assert each.page.input_value("[name=color]") == "stage"
        assert each.page.is_checked("[name=critical]")
        assert not each.page.is_checked("[name=memory]")
        assert each.window() == pytest.approx(window)
        assert each.about() == said
    other.context.close()


def test_the_table_has_what_the_window_shows(fresh):
    fresh.page.locator("#as-table summary").click()
    fresh.settle()
    rows = fresh.page.locator("#as-table tbody tr")
    assert rows.count() == 500
    assert rows.first.inner_text().split() == ["dualpipe", "0", "0F0", "0", "1", "0"]
