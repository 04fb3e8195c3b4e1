"""The page in a real browser without a network: it draws, asks for nothing, answers the pointer, fits."""

import json
import math
import os
import re
import shutil

import numpy as np
import pytest

from pipesched.analysis import report
from pipesched.choices import Mode
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.ops import Kind
from pipesched.render import html
from pipesched.render.chart import tone
from pipesched.render.html.colours import SLACKS
from pipesched.render.table import Table
from pipesched.simulate import simulate
from pipesched.transport import Transport

pytestmark = pytest.mark.browser

NAMES = ("chromium", "chromium-browser", "google-chrome")

#: The rectangles of all text that is visible, by element; those of SVG text too.
TEXTS = """() => {
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const style = getComputedStyle(parent);
    if (!node.textContent.trim() || style.visibility === "hidden" || style.display === "none" ||
        parent.closest("script, style, nav, math, .bar, #about, .skip, .hidden") ||
        parent.closest("details:not([open])")) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 0.5) found.push([box.left, box.top + scrollY, box.right, box.bottom + scrollY,
        node.textContent.trim()]);
  }
  return found;
}"""

#: Keeps how long the last frame took, in milliseconds: the page draws in frames that it asks for.
FRAMES = """const ask = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => ask((time) => {
    const began = performance.now();
    draw(time);
    if (draw.name === "redraw") window.lastFrame = performance.now() - began;
  });"""

#: The data of the viewer, and the end of its time axis.
DATA = 'document.getElementById("timelines-data").textContent'
WHOLE = f"Math.max(...JSON.parse({DATA}).schedules.map((each) => each.makespan))"


def missing(what):
    """Skip, but not where the tests must be complete."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what}, and CI=true: the browser tests must run")
    pytest.skip(what)


def executable():
    given = os.environ.get("CHROMIUM")
    path = shutil.which(given) if given else next(filter(None, map(shutil.which, NAMES)), None)
    return path or missing(f"no Chromium: $CHROMIUM is {given!r}; looked for {', '.join(NAMES)} on PATH")


@pytest.fixture(scope="module")
def browser():
    path = executable()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


def build(path, *schedules, costs=None, **more):
    """Write a page of schedules and return its URL."""
    lines = [simulate(schedule, costs or CostModel(latency=0.5)) for schedule in schedules]
    columns = ("schedule", "makespan", "formula", *(f"measure {c}" for c in range(20)))  # too wide on purpose
    rows = tuple((line.schedule.name, "66", "(PP-1)(F+B)", *["1.25"] * 20) for line in lines)
    table = Table("8 devices, 20 micro-batches", columns, rows, frozenset({(0, 1)}), ("a note",))
    source = html.page(lines, [report(line) for line in lines], table, command="pipesched report", **more)
    path.write_text(source, encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The page of DualPipe (364 ops) and ZB1P (480 ops), with latency and a cap, as a file URL."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    return build(path, *(find(name).generate(8, 20) for name in ("dualpipe", "zb1p")), memory_cap=8.5)


class Visit:
    """A page with everything it said and asked for."""

    def __init__(self, browser, url, width=1280, scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 1000}, color_scheme=scheme, offline=True
        )
        self.context.add_init_script(FRAMES)
        self.page = self.context.new_page()
        self.requests, self.complaints, self.view = [], [], None
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.listen)
        self.page.goto(url)
        self.page.wait_for_selector("html[data-ready]", timeout=30_000)

    def listen(self, message):
        ours = "willReadFrequently" in message.text  # these tests read pixels, the page does not
        if message.type in {"error", "warning"} and not ours:
            self.complaints.append(message.text)

    def settle(self):
        """Wait until what was asked for is drawn."""
        frame = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
        self.page.evaluate(frame)

    def window(self):
        """The times at both ends of the charts, as the link has them once it follows."""
        self.page.wait_for_timeout(250)
        found = re.search(r"view=([\d.e-]+),([\d.e+-]+)", self.page.url)
        self.view = (float(found[1]), float(found[2])) if found else (0, self.page.evaluate(WHOLE))
        return self.view

    def spot(self, time, device, chart=0):
        """Where a time of a device is on the screen; the window is the one last asked for."""
        self.page.locator(f"#canvas-{chart}").scroll_into_view_if_needed()
        box = self.page.locator(f"#canvas-{chart}").bounding_box()
        t0, t1 = self.view or self.window()
        devices = self.page.evaluate(f"JSON.parse({DATA}).schedules[{chart}].devices")
        x = box["x"] + 76 + (time - t0) / (t1 - t0) * (box["width"] - 76)
        return x, box["y"] + 24 + (device + 0.3) * self.pitch(devices)

    @staticmethod
    def pitch(devices):
        return min(max(704 // devices, 8), 48)

    def click(self, *spot, **more):
        self.page.mouse.click(*self.spot(*spot), **more)
        self.settle()
        return self.about()

    def about(self):
        return " ".join(self.page.locator("#about").inner_text().split())

    def tip(self, *spot):
        x, y = self.spot(*spot)
        self.page.mouse.move(x - 2, y)
        self.page.mouse.move(x, y)
        self.settle()
        return self.page.locator("#card div").all_inner_texts()

    def pixel(self, time, device, chart=0, down=0.3):
        """The colour of a point of a canvas, as #rrggbb."""
        x, y = self.spot(time, device, chart)
        pitch = self.pitch(8)
        script = """([id, x, y]) => { const c = document.getElementById(id), r = c.getBoundingClientRect();
          const p = c.getContext("2d").getImageData(x - r.left, y - r.top, 1, 1).data;
          return "#" + [...p.slice(0, 3)].map((v) => v.toString(16).padStart(2, "0")).join(""); }"""
        return self.page.evaluate(script, [f"canvas-{chart}", x, y + (down - 0.3) * pitch])


@pytest.fixture(scope="module", params=[1280, 1920])
def visit(request, browser, document):
    opened = Visit(browser, document, request.param)
    yield opened
    assert opened.complaints == []
    opened.context.close()


@pytest.fixture
def fresh(browser, document):
    opened = Visit(browser, document)
    yield opened
    assert opened.complaints == []
    opened.context.close()


def test_it_draws_without_complaint_or_request(visit, document):
    assert visit.page.locator("canvas[id^=canvas]").count() == 2
    assert [url for url in visit.requests if not url.startswith(("data:", "blob:"))] == [document]
    assert visit.pixel(0.5, 0) != visit.pixel(8, 7)


def test_hovering_tells_the_op_the_gap_and_the_memory(visit):
    assert visit.tip(30.9, 3)[:3] == [
        "4B12: backward of micro-batch 12 on stage 4, flowing up",
        "device 3, from 28.5 to 31.5 F; no slack: a delay here delays the end",
        "overlapped with 3F6",
    ]
    assert visit.tip(1, 3)[0] == "device 3 waited 4.5 F for 2F0 on device 2, of which 0.5 transfer"
    assert visit.tip(24, 3)[-1] == "device 3 holds 9 activations, of 8.5 allowed"
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
        "1f1b: 1F0: forward of micro-batch 0 on stage 1 device 1, from 0.5 to 0.5 F"
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


def test_summary_charts_are_drawn_when_they_come_near(fresh):
    assert fresh.page.evaluate("typeof Plotly") == "undefined"
    fresh.page.locator("#tradeoff").scroll_into_view_if_needed()
    fresh.page.wait_for_selector("#tradeoff .scatterlayer path.point", timeout=10_000)
    for chart in ("idle", "memory-0", "memory-1"):
        fresh.page.locator(f"#{chart}").scroll_into_view_if_needed()
        fresh.page.wait_for_selector(f"#{chart} .barlayer path", state="attached", timeout=10_000)
    boxes = sorted(fresh.page.evaluate(TEXTS), key=lambda box: box[1])
    assert len(boxes) > 300
    assert covered(boxes) == []


def covered(boxes):
    """Texts that lie on each other."""
    found = []
    for i, (left, top, right, bottom, text) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom, other in boxes[i + 1 :]:
            if other_top >= bottom:
                break
            wide = min(right, other_right) - max(left, other_left)
            high = min(bottom, other_bottom) - max(top, other_top)
            if wide > 1 and high > 3:  # line boxes are a little higher than their letters
                found.append((text, other, wide, high))
    return found


def test_in_the_dark_no_word_of_a_summary_chart_is_dark(browser, document):
    dark = Visit(browser, document, scheme="dark")
    for chart in ("tradeoff", "idle", "memory-0"):
        dark.page.locator(f"#{chart}").scroll_into_view_if_needed()
        dark.page.wait_for_selector(f"#{chart} .main-svg text", state="attached", timeout=10_000)
    inks = dark.page.evaluate(
        "[...document.querySelectorAll('.chart text')].map((each) => getComputedStyle(each).fill)"
    )
    assert len(inks) > 50
    assert {ink for ink in inks if sum(map(int, re.findall(r"\d+", ink)[:3])) < 350} == set()
    dark.context.close()


def test_nothing_is_wider_than_the_window_and_the_wide_table_scrolls_in_itself(visit):
    width = visit.page.viewport_size["width"]
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    inside, shown = visit.page.evaluate(
        "(() => { const s = document.querySelector('#comparison .scroll');"
        " return [s.scrollWidth, s.clientWidth]; })()"
    )
    assert inside > shown
    blocks = "h1, h2, h3, .scroll, .numbers, .chart, canvas, figcaption, .notes, pre, .definitions, .tools"
    edges = visit.page.evaluate(
        f"""[...document.querySelectorAll("{blocks}")].map((each) => each.getBoundingClientRect())
              .map((box) => [box.left, box.right])"""
    )
    assert len(edges) > 30
    assert all(left >= 0 and right <= width for left, right in edges)


def test_in_the_dark_words_are_light_and_charts_dark(browser, document):
    dark = Visit(browser, document, scheme="dark")
    assert dark.pixel(1, 3) == "#262c35"
    colours = dark.page.evaluate(
        """["body", "h1", "#about", ".legend"].map((each) => {
             const style = getComputedStyle(document.querySelector(each));
             return each === "body" ? style.backgroundColor : style.color; })"""
    )
    values = [sum(map(int, colour.strip("rgb()").split(","))) for colour in colours]
    assert values[0] < 100
    assert min(values[1:]) > 450
    dark.page.emulate_media(color_scheme="light")
    dark.settle()
    assert dark.pixel(1, 3) == "#eceff3"
    dark.context.close()


def test_a_theme_that_is_chosen_stays_in_page_canvas_and_link(browser, document):
    visit = Visit(browser, document, scheme="dark")
    for theme, idle, paper in (
        ("light", "#eceff3", "rgb(255, 255, 255)"),
        ("dark", "#262c35", "rgb(21, 24, 29)"),
    ):
        visit.page.select_option("[name=theme]", theme)
        visit.settle()
        assert visit.pixel(1, 3) == idle
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == paper
    visit.page.emulate_media(color_scheme="light")
    visit.settle()
    assert visit.pixel(1, 3) == "#262c35"
    visit.window()
    other = Visit(browser, visit.page.url)
    assert other.pixel(1, 3) == "#262c35"
    visit.page.select_option("[name=theme]", "")
    visit.settle()
    assert visit.pixel(1, 3) == "#eceff3"
    for each in (visit, other):
        assert each.complaints == []
        each.context.close()


def test_paper_shows_charts_whole_and_light(browser, document, tmp_path):
    dark = Visit(browser, document, scheme="dark")
    dark.page.wait_for_timeout(800)  # plotly is unpacked in the meantime
    dark.page.evaluate("""addEventListener("beforeprint", () => {
      const c = document.getElementById("canvas-0"), p = c.getContext("2d").getImageData(300, 20, 1, 1).data;
      document.title = JSON.stringify([c.width, c.height, document.querySelectorAll(".main-svg").length]);
    })""")
    dark.page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    width, height, charts = json.loads(dark.page.title())
    assert (width, height) == (3 * 1040, 3 * (8 * 36 + 24))
    assert charts > 0
    sizes = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", (tmp_path / "report.pdf").read_bytes()))
    assert {(round(float(w)), round(float(h))) for w, h in sizes} == {(842, 595)}  # A4 across
    assert dark.complaints == []
    dark.context.close()


@pytest.mark.parametrize("ops", [50_000, 500_000])
def test_any_size_answers_at_once(browser, tmp_path, ops):
    schedule = find("1f1b").generate(8, ops // 16)
    big = Visit(browser, build(tmp_path / "big.html", schedule, summary=False))
    assert (tmp_path / "big.html").stat().st_size < 150_000
    assert int(big.page.evaluate("document.documentElement.dataset.ready")) < 5000  # 500 on an idle machine
    end = big.window()[1]
    tips = big.tip(end / 2, 3)
    assert any("ops in this column of pixels" in line for line in tips)
    big.page.fill("#find", f"3B{ops // 32}")
    big.page.press("#find", "Enter")
    big.page.locator("#canvas-0").focus()
    big.page.keyboard.press("Enter")
    t0, t1 = big.window()
    assert t1 - t0 < 50
    assert big.about().startswith(f"1f1b: 3B{ops // 32}: backward")
    said = big.click((t0 + t1) / 2, 3)
    assert said.startswith(f"1f1b: 3B{ops // 32}: backward")
    big.page.goto(f"{big.page.url.split('#')[0]}#color=kind&memory=on&view=0,20")
    assert big.window() == (0, 20)
    assert big.click(1, 3).startswith(
        "1f1b: device 3 waited 4.5 F for 2F0 on device 2, of which 0.5 transfer from 0 to 4.5 F, start-up"
    )
    times = []
    for _ in range(5):
        big.page.keyboard.press("-")
        big.settle()
        times.append(big.page.evaluate("lastFrame"))
    big.page.keyboard.press("0")
    big.settle()
    assert min(times) < 50
    assert big.complaints == []
    big.context.close()


def test_where_there_is_no_browser_it_is_skipped_but_not_in_ci(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no Chromium: .* is '/nowhere/chromium'"):
        executable()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI=true"):
        executable()
