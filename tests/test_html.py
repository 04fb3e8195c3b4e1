"""The page as a document: complete, self-contained, and safe whatever a schedule is called."""

import json
import re
from html.parser import HTMLParser

import pytest
from plotly.offline import get_plotlyjs

from pipesched import __version__
from pipesched.analysis import report
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.render import html
from pipesched.render.table import Table
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

    VOID = frozenset({"meta", "link", "br", "img"})

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


def page(*lines, table=TABLE, command="pipesched report --pp 8", free_at="w"):
    return html.page(
        lines, [report(line, free_at) for line in lines], table, command=command, free_at=free_at
    )


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
    assert document.text("title") == "1f1b, dualpipe: pipeline schedules compared"
    for landmark in ("header", "nav", "main", "footer"):
        assert len(document.all(landmark)) == 1
    assert document.all("nav")[0]["aria-label"]
    assert len(document.all("h1")) == 1


def test_every_section_is_there_and_linked(document):
    sections = [section["id"] for section in document.all("section")]
    assert sections == ["comparison", "schedule-0", "schedule-1", "definitions", "costs", "command"]
    links = [a["href"] for a in document.all("a")]
    assert links[1:] == [f"#{section}" for section in sections]
    headings = document.text("h2")
    assert headings == "Comparison 1f1b dualpipe Definitions Cost model How this was made"
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
    ours = source.replace(get_plotlyjs(), "")
    assert "http" not in ours.replace("http-equiv", "")
    assert 'showSendToCloud: false, plotlyServerURL: ""' in ours
    assert "MathJax.js" not in ours


def test_plotly_is_embedded_once_and_the_size_is_its(source):
    assert source.count("* plotly.js v") == 1
    assert len(source) - len(get_plotlyjs()) < 500_000


def test_charts_have_data_and_words_for_those_who_do_not_see_them(document, source):
    charts = [div for div in document.all("div") if div.get("class") == "chart"]
    assert [chart["id"] for chart in charts] == [
        "idle-overview",
        *(f"schedule-{i}-{kind}" for i in range(2) for kind in ("gantt", "memory", "idle")),
    ]
    for chart in charts:
        assert chart["role"] == "img"
        assert len(chart["aria-label"]) > 30
        assert re.fullmatch(r"height: \d+px", chart["style"])
        data = re.search(rf'id="{chart["id"]}-data">(.*?)</script>', source)[1]
        assert json.loads(data)["data"]
    labels = {chart["id"]: chart["aria-label"] for chart in charts}
    assert labels["schedule-0-gantt"] == (
        "Gantt chart of 1f1b: 8 devices from 0 to 81 F; idle time 21 on every device"
    )


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
    assert "Costs per stage: F=1 B=2 I=1 W=1 F&B=3 latency=0.5 (unit: F)." in document.text("figcaption")
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
    # Two scripts of our own and one block of data per chart, none of them the user's.
    scripts = document.all("script")
    assert [s.get("type") for s in scripts] == [None, *["application/json"] * 7, None]
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
    data = [re.search(r'id="schedule-0-memory-data">(.*?)</script>', source)[1] for source in sources]
    assert len(set(data)) == 3


def test_one_schedule_needs_no_overview_and_none_gives_the_table_alone():
    assert "idle-overview" not in page(timeline("1f1b", 2, 4))
    document = Document(page())
    assert document.all("figure") == []
    assert document.text("title") == "0 schedules: pipeline schedules compared"


def test_a_big_schedule_is_merged_visibly_and_stays_small():
    source = page(timeline("1f1b", 64, 512))
    assert len(source) < 10_000_000
    captions = Document(source).text("figcaption")
    assert "Merged: 65,536 ops are too many to draw one by one." in captions
    assert "Merged: each step shows the highest level of its time." in captions
