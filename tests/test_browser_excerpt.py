"""A page with a break in a real browser: what stands right of it is told with its true time and number."""

import pytest
from visits import Visit, launched

from pipesched.cli.app import run

pytestmark = pytest.mark.browser


def test_right_of_a_break_times_and_microbatches_are_true(tmp_path):
    path = tmp_path / "report.html"
    asked = ["1f1b", "--pp", "4", "--mb", "1000000", "--latency", "0.5", "--no-summary"]
    assert run(["report", *asked, "-o", str(path)]) == 0
    with launched() as browser:
        visit = Visit(browser, path.as_uri())
        data = visit.page.evaluate(
            "JSON.parse(document.getElementById('timelines-data').textContent).schedules[0]"
        )
        whole, last = visit.window()[1], data["breaks"][-1]

        def click(time, device=0):
            x, y = visit.spot(time, device)
            visit.page.mouse.click(x, y + 14)  # the words of breaks have a line
            visit.settle()
            return visit.about()

        said = click(whole - 0.5)
        assert said.startswith("1f1b: 0B999999: backward of micro-batch 999999 on stage 0 device 0, from ")
        assert f"to {data['total']:,.10g} F; slack not known" in said
        said = click(last["at"] + last["width"] / 2)
        assert said.startswith(f"1f1b: left out: {last['text']} device 0, from ")
        assert visit.page.locator("#card").inner_text().count("holds") == 0
        visit.page.fill("#find", "2f999998")
        visit.page.press("#find", "Enter")
        assert visit.about().startswith("1f1b: 2F999998: forward of micro-batch 999998 on stage 2")
        visit.page.get_by_role("button", name="Zoom to").click()
        link = (visit.window(), visit.page.url)[1]
        said = visit.about()
        other = Visit(browser, link)
        assert other.about() == said
        visit.page.fill("#find", "2F5000")
        visit.page.press("#find", "Enter")
        assert visit.about().startswith("There is no 2F5000 here")
        visit.page.select_option("[name=color]", "slack")
        visit.page.check("[name=critical]")
        visit.page.check("[name=transfers]")
        visit.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        visit.settle()
        assert visit.complaints == other.complaints == []
