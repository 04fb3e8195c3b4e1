"""The page in a real browser without a network: it draws, asks for nothing, answers the pointer, fits."""

import os
import shutil

import pytest

from pipesched.analysis import report
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.render import html
from pipesched.render.table import Table
from pipesched.simulate import simulate

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
        parent.closest("script, style, nav, math, .skip, .hidden, details:not([open])")) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 0.5) found.push([box.left, box.top + scrollY, box.right, box.bottom + scrollY,
        node.textContent.trim()]);
  }
  return found;
}"""

#: Where a point of a chart is on the screen, from its time and lane.
POINT = """([id, time, lane]) => {
  const chart = document.getElementById(id), {xaxis, yaxis} = chart._fullLayout;
  const box = chart.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(time), box.y + yaxis._offset + yaxis.d2p(lane)];
}"""


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
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  an optional part of the tests
    except ImportError:
        missing("playwright is not installed")
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The page of DualPipe and ZB1P, with latency, as a file URL."""
    costs = CostModel.of(latency=0.5)
    lines = [simulate(find(name).generate(8, 20), costs) for name in ("dualpipe", "zb1p")]
    columns = ("schedule", "makespan", "formula", *(f"measure {c}" for c in range(20)))  # too wide on purpose
    rows = tuple((line.schedule.name, "66", "(PP-1)(F+B)", *["1.25"] * 20) for line in lines)
    table = Table("8 devices, 20 micro-batches", columns, rows, frozenset({(0, 1)}), ("a note",))
    source = html.page(lines, [report(line) for line in lines], table, command="pipesched report")
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(source, encoding="utf-8")
    return path.as_uri()


class Visit:
    """A page with everything it said and asked for."""

    def __init__(self, browser, url, width, scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 1000}, color_scheme=scheme, offline=True
        )
        self.page = self.context.new_page()
        self.requests, self.complaints = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.listen)
        self.page.goto(url)
        self.page.wait_for_selector("html[data-drawn]", timeout=30_000)

    def listen(self, message):
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def hover(self, chart, time, lane):
        """The text of the hover card at a point of a chart."""
        self.page.locator(f"#{chart}").scroll_into_view_if_needed()
        card = self.page.locator(f"#{chart} .hoverlayer .hovertext")
        self.page.mouse.move(0, 0)
        card.wait_for(state="detached", timeout=5000)
        x, y = self.page.evaluate(POINT, [chart, time, lane])
        self.page.mouse.move(x - 2, y)
        self.page.mouse.move(x, y)
        card.wait_for(state="attached", timeout=5000)
        return card.locator("tspan.line").all_text_contents()


@pytest.fixture(scope="module", params=[1280, 1920])
def visit(request, browser, document):
    opened = Visit(browser, document, request.param)
    yield opened
    opened.context.close()


def test_it_draws_every_chart_without_complaint_or_request(visit, document):
    charts = visit.page.locator(".chart")
    assert charts.count() == 7
    assert visit.page.locator(".chart .main-svg .barlayer path").count() > 1000
    assert visit.complaints == []
    assert [url for url in visit.requests if not url.startswith(("data:", "blob:"))] == [document]


def test_hovering_over_a_bar_tells_the_op(visit):
    assert visit.hover("schedule-0-gantt", 30.5, 3) == [
        "4B12  backward, overlapped with 3F6",
        "micro-batch 12, stage 4, device 3",
        "28.5 to 31.5 F",
        "waited 0.5 F for 2F6 on device 2, 0.5 F of it transfer",
        "no slack: a delay here delays the end",
    ]
    assert visit.hover("schedule-0-gantt", 1, 3)[0] == "idle 4.5 F, start-up"
    assert visit.hover("schedule-0-memory", 24, 3)[0] == "9 activations, device 3"
    assert visit.hover("schedule-1-idle", 0.5, 7)[0] == "start-up: 10 F"  # and 0.5 of transfer


def test_no_text_covers_another(visit):
    visit.page.mouse.move(0, 0)
    boxes = sorted(visit.page.evaluate(TEXTS), key=lambda box: box[1])
    assert len(boxes) > 1000
    covered = []
    for i, (left, top, right, bottom, text) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom, other in boxes[i + 1 :]:
            if other_top >= bottom:
                break
            wide = min(right, other_right) - max(left, other_left)
            high = min(bottom, other_bottom) - max(top, other_top)
            if wide > 1 and high > 3:  # line boxes are a little higher than their letters
                covered.append((text, other, wide, high))
    assert covered == []


def test_nothing_is_wider_than_the_window_and_the_wide_table_scrolls_in_itself(visit):
    width = visit.page.viewport_size["width"]
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    inside, shown = visit.page.evaluate(
        "(() => { const s = document.querySelector('.scroll'); return [s.scrollWidth, s.clientWidth]; })()"
    )
    assert inside > shown
    blocks = "h1, h2, h3, .scroll, .numbers, .chart, figcaption, .notes, pre, .definitions"
    edges = visit.page.evaluate(
        f"""[...document.querySelectorAll("{blocks}")].map((each) => each.getBoundingClientRect())
              .map((box) => [box.left, box.right])"""
    )
    assert len(edges) > 40
    assert all(left >= 0 and right <= width for left, right in edges)


def test_numbers_stand_in_their_cells(visit):
    shown = visit.page.locator("#schedule-0-gantt .bartext")
    assert shown.count() == 364  # the ops of DualPipe 8/20
    assert all(text.isdigit() for text in shown.all_text_contents())
    sizes = shown.evaluate_all("all => all.map((each) => each.getBoundingClientRect().width)")
    assert min(sizes) > 2  # none is hidden
    assert max(sizes) < visit.page.viewport_size["width"] / 79.5  # makespan 79.5: a cell of F = 1


def test_zooming_in_by_dragging_and_back_by_double_click(visit):
    chart = "schedule-1-gantt"
    visit.page.locator(f"#{chart}").scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = (visit.page.evaluate(POINT, [chart, *at]) for at in ((10, 1), (30, 4)))
    ranges = f"['xaxis', 'yaxis'].map(a => document.getElementById('{chart}').layout[a].range)"
    makespan = visit.page.evaluate(ranges)[0][1]
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(to_x, to_y, steps=4)
    visit.page.mouse.up()
    (left, right), (low, high) = visit.page.evaluate(ranges)
    assert (left, right) == pytest.approx((10, 30), abs=1)
    assert (low, high) == pytest.approx((4, 1), abs=0.5)
    visit.page.mouse.dblclick((x + to_x) / 2, (y + to_y) / 2)
    visit.page.wait_for_timeout(600)  # plotly waits for a third click first
    assert visit.page.evaluate(ranges) == [[0, pytest.approx(makespan)], [7.5, -0.5]]


def test_in_the_dark_words_are_light(browser, document):
    dark = Visit(browser, document, 1280, scheme="dark")
    colours = dark.page.evaluate(
        """["body", ".xtick text", ".legendtext", ".xtitle"].map(
             (each) => { const style = getComputedStyle(document.querySelector(each));
                         return each === "body" ? style.backgroundColor : style.fill; })"""
    )
    values = [sum(map(int, colour.strip("rgb()").split(","))) for colour in colours]
    dark.context.close()
    assert values[0] < 100
    assert min(values[1:]) > 600


def test_where_there_is_no_browser_it_is_skipped_but_not_in_ci(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "/nowhere/chromium")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no Chromium: .* is '/nowhere/chromium'"):
        executable()
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="CI=true"):
        executable()
