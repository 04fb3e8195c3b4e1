"""The page in a real browser without a network: it draws, asks for nothing, fits, in the dark and on paper."""

import json
import re

import pytest
from visits import Visit, build, executable

from pipesched.generators import find

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

pytestmark = pytest.mark.browser


def test_it_draws_without_complaint_or_request(visit, document):
    assert visit.page.locator("canvas[id^=canvas]").count() == 2
    assert [url for url in visit.requests if not url.startswith(("data:", "blob:"))] == [document]
    assert visit.pixel(0.5, 0) != visit.pixel(8, 7)


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
def test_any_size_answers_with_few_elements_and_strokes(browser, tmp_path, ops):
    schedule = find("1f1b").generate(8, ops // 16)
    big = Visit(browser, build(tmp_path / "big.html", schedule, summary=False))
    assert (tmp_path / "big.html").stat().st_size < 150_000
    assert big.page.evaluate("document.querySelectorAll('*').length") < 1000
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
    for key in "-----0":
        before = big.page.evaluate("drawn.frames")
        big.page.keyboard.press(key)
        big.settle()
        assert big.page.evaluate("drawn.frames") == before + 1
        assert 8 < big.page.evaluate("drawn.calls") < 10_000  # for each device; not for each op
    assert big.page.evaluate("drawn.calls") < 100
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
