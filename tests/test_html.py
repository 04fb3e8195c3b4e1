"""The page as a document: complete, self-contained, and safe whatever a schedule is called."""

import base64
import json
import re
import sys
import zlib
from html.parser import HTMLParser

import pytest
from plotly.offline import get_plotlyjs

from pipesched import __version__
from pipesched.analysis import report
from pipesched.cli.app import run
from pipesched.costs import CostModel
from pipesched.errors import CostError
from pipesched.generators import find
from pipesched.render import html
from pipesched.render.text.table import Table
from pipesched.simulate import simulate

EVIL = "<script>alert(1)</script>\"'&%{x}<img src=x onerror=alert(2)>"

TABLE = Table(
    "8 devices, 20 micro-batches",
    ("schedule", "makespan", "formula"),
    (("1f1b", "81", "(PP-1)(F+B)"), ("dualpipe", "66", "(PP/2-1)(F&B+B-3W)")),
    frozenset({(1, 1)}),
    ("costs: F=1", "bubble: the largest idle time of a device"),
)


class Document(HTMLParser):
    """Elements with their attributes, and the text of each kind of element."""

    VOID = frozenset({"meta", "link", "br", "img", "input"})

    def __init__(self, source):
        super().__init__()
        self.elements, self.texts, self.open = [], {}, []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, tag):
        return " ".join(self.texts.get(tag, []))


def timeline(name, devices=8, microbatches=20, **costs):
    return simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))


def page(*lines, table=TABLE, command="pipesched report --pp 8", free_at="w", **more):
    return html.page(
        lines, [report(line, free_at) for line in lines], table, command=command, free_at=free_at, **more
    )


def data(source, key="timelines-data"):
    return json.loads(re.search(rf'id="{key}">(.*?)</script>', source)[1])


@pytest.fixture(scope="module")
def source():
    return page(timeline("1f1b"), timeline("dualpipe", latency=0.5))


@pytest.fixture(scope="module")
def document(source):
    return Document(source)


def test_it_is_a_document_with_landmarks_and_every_element_closed(document, source):
    assert source.startswith("<!DOCTYPE html>")
    assert document.open == []
    assert document.all("html")[0]["lang"] == "en"
    assert document.text("title") == "1f1b, dualpipe: pipeline schedules"
    for landmark in ("header", "nav", "main", "footer"):
        assert len(document.all(landmark)) == 1
    assert document.all("nav")[0]["aria-label"]
    assert len(document.all("h1")) == 1


def test_every_section_is_there_and_linked(document):
    sections = [section["id"] for section in document.all("section")]
    assert sections == [
        "timelines",
        "comparison",
        "schedule-0",
        "schedule-1",
        "definitions",
        "costs",
        "command",
    ]
    links = [a["href"] for a in document.all("a")]
    assert links[1:] == [f"#{section}" for section in sections]
    headings = document.text("h2")
    assert headings == "Timelines Comparison 1f1b dualpipe Definitions Cost model How this was made"
    ids = [attributes["id"] for _, attributes in document.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for figure in document.all("figure"):
        assert figure["aria-labelledby"] in ids


def test_it_asks_the_network_for_nothing(document, source):
    for _, attributes in document.elements:
        for name in ("src", "href", "action", "srcset", "poster", "data"):
            assert attributes.get(name, "#").startswith(("#", "data:"))
    for style in document.texts["style"]:
        assert not re.search(r"@import|url\(", style)
    policy = next(m for m in document.all("meta") if m.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"].startswith("default-src 'none'")
    assert "http" not in policy["content"]
    # plotly.js itself names servers for maps and for its cloud: nothing is set up to use them
    assert "http" not in source.replace("http-equiv", "")
    assert 'showSendToCloud: false, plotlyServerURL: ""' in source
    for word in ("fetch(", "XMLHttpRequest", "WebSocket", "import(", "MathJax.js"):
        assert word not in source


def test_plotly_lies_in_the_page_once_inert_and_deflated(document, source):
    (plain,) = [script for script in document.all("script") if script.get("type") == "text/plain"]
    assert plain == {"type": "text/plain", "id": "plotly"}
    packed = re.search(r'id="plotly">(.*?)</script>', source)[1]
    assert zlib.decompress(base64.b64decode(packed)).decode() == get_plotlyjs()
    assert len(source) < 2_300_000
    assert source.index('id="canvas-1"') < source.index('"use strict"') < source.index('id="plotly"')


def test_without_summary_there_is_no_plotly_and_it_is_not_even_imported(monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("plotly", "pipesched.render.figure"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plotly", None)
    source = page(timeline("1f1b"), timeline("dualpipe"), summary=False)
    assert len(source) < 100_000
    document = Document(source)
    assert [div for div in document.all("div") if div.get("class") == "chart"] == []
    assert "Formula beside simulation: idle time of a device" in document.text("caption")
    assert len(document.all("canvas")) == 2


def test_charts_have_data_and_words_for_those_who_do_not_see_them(document, source):
    charts = [div for div in document.all("div") if div.get("class") == "chart"]
    assert [chart["id"] for chart in charts] == ["tradeoff", "idle", "memory-0", "memory-1"]
    for chart in charts:
        assert chart["role"] == "img"
        assert len(chart["aria-label"]) > 30
        assert re.fullmatch(r"height: \d+px", chart["style"])
        assert data(source, f"{chart['id']}-data")["data"]


def test_canvases_have_names_keys_and_a_table_beside_them(document):
    canvases = document.all("canvas")
    assert [canvas["id"] for canvas in canvases] == ["canvas-0", "canvas-1"]
    for canvas in canvases:
        assert (canvas["role"], canvas["tabindex"]) == ("application", "0")
        assert canvas["aria-describedby"] == "keys"
    assert canvases[0]["aria-label"] == "1f1b: 8 devices from 0 to 81 F; idle time 21 on every device"
    ids = {attributes["id"]: attributes for _, attributes in document.elements if "id" in attributes}
    assert ids["about"]["aria-live"] == "polite"
    assert "keys" in ids
    assert "as-table" in ids
    assert {"toolbar", "status", "tooltip"} <= {attributes.get("role") for _, attributes in document.elements}


def test_the_data_of_the_viewer(source):
    found = data(source)
    assert [each["name"] for each in found["schedules"]] == ["1f1b", "dualpipe"]
    assert set(found["colours"]) == {"kind", "microbatch", "stage", "slack"}
    assert set(found["schemes"]) == {"light", "dark"}
    assert all(each["breaks"] == [] for each in found["schedules"])
    tops = [each["top"] / each["stages"] for each in found["schedules"]]
    assert tops[0] == tops[1] >= 9 / 8  # one scale of memory for both


def test_a_memory_cap_is_given_to_the_viewer_for_each_device():
    line = timeline("1f1b", 4, 8)
    assert data(page(line, memory_cap=3.5))["schedules"][0]["cap"] == [3.5] * 4
    assert data(page(line, memory_cap=[4, 3, 2, 9]))["schedules"][0]["cap"] == [4, 3, 2, 9]
    assert data(page(line, memory_cap=[4, 3, 2, 9]))["schedules"][0]["top"] > 9
    assert data(page(line))["schedules"][0]["cap"] is None
    with pytest.raises(CostError, match="the memory cap has 3 entries; one per device needs 4"):
        page(line, memory_cap=[1, 2, 3])


def test_the_table_marks_the_best_and_heads_its_rows(document, source):
    assert '<td class="best">66<span class="hidden"> (best)</span></td>' in source
    assert '<td>81</td><td class="words">(PP-1)(F+B)</td>' in source
    assert "(PP/2-1)(F&amp;B+B-3W)" in source
    assert '<th scope="row">1f1b</th>' in source
    notes = document.text("li")
    assert "bold: the best of its column" in notes
    assert "bubble: the largest idle time of a device" in notes


def test_key_numbers_and_formula(document):
    assert list(zip(document.texts["dt"], document.texts["dd"], strict=False))[:7] == [
        ("Makespan", "81 F"),
        ("Idle time", "21 F"),
        ("Bubble rate", "25.93 %"),
        ("Bubble / ideal", "35.00 %"),
        ("Span bubble rate", "25.93 %"),
        ("Peak activations", "8"),
        ("Parameters", "1x"),
    ]
    paragraphs = document.text("p")
    assert "Idle time of a device: (PP-1)(F+B) = 21, exact on every device." in paragraphs
    assert "not exact here: exact only if latency = 0; here latency = 0.5 > 0." in paragraphs


def test_definitions_costs_and_command(document, source):
    assert document.text("h3").count("ubble rate") == 2
    assert "Bubble / ideal" in document.text("h3")
    assert len(document.all("math")) == 3
    assert "F=1 B=2 I=1 W=1 F&B=3 latency=0.5 (unit: F)" in document.text("span")
    assert (
        '<th scope="row">dualpipe</th><td>1</td><td>2</td><td>1</td><td>1</td><td>3</td><td>0.5</td>'
        in source
    )
    assert document.text("code") == "pipesched report --pp 8"
    assert f"pipesched {__version__}" in document.text("footer")


def test_times_per_stage_are_listed():
    line = timeline("1f1b", 2, 4, F=[1.0, 2.0])
    source = page(line)
    assert '<td class="words">1, 2</td>' in source
    assert '<td class="words">F + B</td>' in source
    assert "(PP-1)(F+B), not exact here: exact only if every stage takes the same times." in source


def test_whatever_users_write_is_text():
    line = timeline("dualpipe", 4, 8, unit=EVIL)
    line = simulate(line.schedule.renamed(EVIL), line.costs)
    source = page(
        line, line, table=Table(EVIL, ("schedule", EVIL), ((EVIL, EVIL),), notes=(EVIL,)), command=EVIL
    )
    document = Document(source)
    assert document.all("img") == []
    # The viewer, plotly, what draws with it, and blocks of data: none of them the user's.
    kinds = [script.get("type") for script in document.all("script")]
    assert kinds == ["application/json"] * 5 + [None, "text/plain", None]
    assert "alert(1)</script>" not in source
    assert "onerror=alert(2)>" not in source
    assert document.text("code") == EVIL
    assert EVIL in document.text("h2")
    assert document.text("title").startswith(EVIL)
    assert all("onerror" not in attributes for _, attributes in document.elements)


def test_memory_follows_free_at():
    sources = [page(timeline("zb1p", 4, 8), free_at=free_at) for free_at in ("w", "i", 0.4)]
    said = ["freed at W", "freed at I", "40 % freed at I, the rest at W"]
    for source, words in zip(sources, said, strict=True):
        assert words in Document(source).text("small")
    assert len({json.dumps(data(source, "memory-0-data")) for source in sources}) == 3
    assert len({data(source)["schedules"][0]["data"] for source in sources}) == 3


def test_without_a_schedule_the_table_stands_alone():
    document = Document(page())
    assert document.all("figure") == []
    assert document.all("script") == []
    assert document.text("title") == "0 schedules: pipeline schedules"


def test_a_big_schedule_stays_small():
    source = page(timeline("1f1b", 64, 512), summary=False)
    assert len(source) < 120_000
    captions = Document(page(timeline("1f1b", 64, 512))).text("figcaption")
    assert "Merged: each step shows the highest level of its time." in captions


def test_the_command_writes_a_page_with_or_without_summary_charts(tmp_path):
    sizes = []
    for flag in ("--summary", "--no-summary"):
        path = tmp_path / f"{flag}.html"
        size = ["--pp", "4", "--mb", "8", "--memory-cap", "3,3,2,2"]
        assert run(["report", "1f1b", "zb1p", *size, flag, "-o", str(path)]) == 0
        source = path.read_text(encoding="utf-8")
        assert [each["name"] for each in data(source)["schedules"]] == ["1f1b", "zb1p"]
        assert data(source)["schedules"][0]["cap"] == [3, 3, 2, 2]
        sizes.append(len(source))
    assert sizes[0] > 1_500_000
    assert sizes[1] < 100_000


def test_a_cap_in_parts_of_the_model_fits_all_schedules():
    """V-Half holds 18 of its half stages, 9 in the parts that 1F1B holds 16 of."""
    lines = timeline("1f1b", 16, 64), timeline("v-half", 16, 64)
    found = data(page(*lines, memory_cap=12, cap_parts=16))
    over = [each["peak"] > max(each["cap"]) for each in found["schedules"]]
    assert over == [True, False]


def test_a_title_stands_over_the_page_and_in_the_tab_whatever_it_says(tmp_path):
    path = tmp_path / "r.html"
    command = ["report", "1f1b", "--pp", "2", "--no-summary", "--force", "-o", str(path)]
    found = {}
    for title in (EVIL, "a\x1b[31m\nb", " ", None):
        assert run([*command, *(["--title", title] if title is not None else [])]) == 0
        document = Document(path.read_text())
        found[title] = document.text("title"), document.text("h1")
        assert not document.all("img")
    assert found[EVIL] == (EVIL, EVIL)
    assert found["a\x1b[31m\nb"] == ("a\\x1b[31m\\nb",) * 2
    assert found[" "] == found[None] == ("1f1b: pipeline schedules", "Pipeline schedules")
