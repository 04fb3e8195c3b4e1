"""PDF: the file's structure, read back by hand, and what its one page draws."""

import re
import zlib
from dataclasses import replace

import pytest
from papers import charted

from pipesched.render import pdf
from pipesched.render.paper import Box, Line, Steps, Text
from pipesched.render.paper_figure import figure


@pytest.fixture(scope="module")
def dualpipe():
    return charted("dualpipe", 8, 20)


def objects(document):
    """Every object's body, found through the table at the end: number -> bytes."""
    assert document.startswith(b"%PDF-1.4\n")
    assert document.endswith(b"%%EOF\n")
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n\Z", document)[1])
    table = re.match(rb"xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)trailer\n", document[start:])
    entries = [table[2][n : n + 20] for n in range(0, len(table[2]), 20)]
    assert len(entries) == int(table[1])
    assert entries[0] == b"0000000000 65535 f \n"
    assert b"/Size %d" % len(entries) in document[start:]
    found = {}
    for number, entry in enumerate(entries[1:], 1):
        head = b"%d 0 obj\n" % number
        at = int(entry[:10])
        assert document[at : at + len(head)] == head
        found[number] = document[at + len(head) : document.index(b"\nendobj\n", at)]
    return found


def content(document):
    body = objects(document)[4]
    head, data = body.split(b"\nstream\n", 1)
    data = data.removesuffix(b"\nendstream")
    assert int(re.search(rb"/Length (\d+)", head)[1]) == len(data)
    return zlib.decompress(data).decode("ascii")


def written(charts, **options):
    return b"".join(pdf.write(charts, **options))


def test_every_reference_is_an_object(dualpipe):
    document = written([dualpipe])
    found = objects(document)
    references = {int(number) for number in re.findall(rb"(\d+) 0 R", b"".join(found.values()))}
    assert references == {2, 3, 4, 5, 6}
    assert b"/Root 1 0 R/Info 7 0 R" in document
    for body in found.values():
        assert body.split(b"stream")[0].count(b"<<") == body.split(b"stream")[0].count(b">>")
    assert b"/BaseFont/Helvetica/" in found[5]


@pytest.mark.parametrize(("width", "points"), [("180mm", b"510.24"), ("85mm", b"240.94"), ("1200px", b"900")])
def test_size_is_the_one_asked_for(dualpipe, width, points):
    page = figure([dualpipe], width=width)
    assert b"/MediaBox[0 0 %s %g]" % (points, page.height) in objects(written([dualpipe], width=width))[3]


@pytest.mark.parametrize("theme", ["print", "dark"])
def test_every_shape_is_drawn(dualpipe, theme):
    page, drawn = figure([dualpipe], theme=theme), content(written([dualpipe], theme=theme))
    count = {kind: sum(isinstance(shape, kind) for shape in page.shapes) for kind in (Box, Line, Text)}
    assert len(re.findall(r" re [fSB]$", drawn, re.MULTILINE)) == count[Box] + (theme == "dark")
    assert len(re.findall(r" l S$", drawn, re.MULTILINE)) == count[Line]
    texts = re.findall(r"\((.*)\) Tj ET$", drawn, re.MULTILINE)
    assert [text.replace("\\", "") for text in texts] == [
        shape.text for shape in page.shapes if isinstance(shape, Text)
    ]


def test_only_known_operators(dualpipe):
    text = r"BT /[RB] [\d.]+ Tf 1 0 0 -1 [\d.]+ [\d.]+ Tm \(.*\) Tj ET"
    known = re.compile(text + r"|[\d. -]+( (rg|RG|w|re|f|S|B|m|l|cm)[\d. -]*)+")
    for chart in (dualpipe, charted("1f1b", 4, 4000)):
        assert [line for line in content(written([chart])).splitlines() if not known.fullmatch(line)] == []


def test_merged_lanes_say_their_steps():
    long = charted("1f1b", 4, 4000)
    document = written([long])
    steps = [shape for shape in figure([long]).shapes if isinstance(shape, Steps)]
    drawn = content(document)
    assert len(re.findall(r" l f$", drawn, re.MULTILINE)) == len(steps)
    assert drawn.count(" l ") + drawn.count(" l\n") >= 2 * sum(len(shape.tops) for shape in steps)
    assert len(document) < 60_000


def test_a_figure_is_small(dualpipe):
    assert len(written([dualpipe])) < 8000


def test_text_of_the_user_is_escaped():
    title = "a) (b \\ é 中 \n<<"
    document = written([replace(charted("1f1b", 2, 4), title=title, caption=("(((",))])
    drawn = content(document)
    assert r"(a\) \(b \\ \351 ? ?<<) Tj" in drawn
    assert r"(\(\(\() Tj" in drawn
    assert rb"/Title(a\) \(b \\ \351 ? ?<<)" in objects(document)[7]


def test_same_charts_same_bytes_without_a_date():
    documents = {written([charted("zb1p", 4, 8), charted("dualpipev", 4, 10)]) for _ in range(2)}
    assert len(documents) == 1
    assert b"Date" not in documents.pop()
