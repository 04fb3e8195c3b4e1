"""A page in a real browser without a network, and all that it says and asks for."""

import os
import re
import shutil
from contextlib import contextmanager

import pytest

from pipesched.analysis import report
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.render import html
from pipesched.render.text.table import Table
from pipesched.simulate import simulate

NAMES = ("chromium", "chromium-browser", "google-chrome")

#: Counts what canvases are told to draw, and how often the page is drawn anew.
COUNTED = """window.drawn = { calls: 0, frames: 0 };
  for (const name of ["fillRect", "strokeRect", "fillText", "strokeText", "stroke", "putImageData"]) {
    const plain = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) { drawn.calls++; return plain.apply(this, given); };
  }
  const ask = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => ask((time) => {
    if (draw.name === "redraw") Object.assign(drawn, { calls: 0, frames: drawn.frames + 1 });
    draw(time);
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


@contextmanager
def launched():
    """A browser; where there is none, the test is skipped."""
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


def example(path):
    """Write the page of DualPipe (364 ops) and ZB1P (480 ops), with latency and a cap; its URL."""
    return build(path, *(find(name).generate(8, 20) for name in ("dualpipe", "zb1p")), memory_cap=8.5)


class Visit:
    """A page with everything it said and asked for."""

    def __init__(self, browser, url, width=1280, scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": 1000}, color_scheme=scheme, offline=True
        )
        self.context.add_init_script(COUNTED)
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
