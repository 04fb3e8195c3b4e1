"""PDF: the file's structure, read back by hand, and what its one page draws."""

import re
import shutil
import subprocess
import zlib
from dataclasses import replace

import pytest
from papers import charted

from pipesched.render.paper import Look, draw
from pipesched.render.paper.page import Box, Line, Steps, Text
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.text import font


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
    return unpacked(objects(document)[4]).decode("ascii")


def written(charts, **options):
    return draw(charts, ".pdf", Look(**options))


def test_every_reference_is_an_object(dualpipe):
    document = written([dualpipe])
    found = objects(document)
    references = {int(number) for number in re.findall(rb"(\d+) 0 R", b"".join(found.values()))}
    assert references == {2, 3, 4, *range(6, 12)}
    assert sorted(found) == list(range(1, 12))
    assert b"/Root 1 0 R/Info 5 0 R" in document
    for body in found.values():
        assert body.split(b"stream")[0].count(b"<<") == body.split(b"stream")[0].count(b">>")


def unpacked(body):
    head, data = body.split(b"\nstream\n", 1)
    data = data.removesuffix(b"\nendstream")
    assert int(re.search(rb"/Length (\d+)", head)[1]) == len(data)
    return zlib.decompress(data)


@pytest.mark.parametrize(("look", "faces"), [({}, [False, True]), ({"titles": ()}, [False])])
def test_every_font_that_is_used_is_embedded(dualpipe, look, faces):
    found = objects(written([dualpipe], **look))
    fonts = [body for body in found.values() if b"/Type/Font/" in body]
    assert len(fonts) == len(faces)
    for body, bold in zip(fonts, faces, strict=True):
        name = re.search(rb"/BaseFont/[A-Z]{6}\+([\w-]+)", body)[1]
        assert name.decode() == font(bold=bold).name
        assert b"/Subtype/TrueType" in body  # publishers refuse Type 3
        widths = list(map(int, re.search(rb"/Widths\[([\d ]+)\]", body)[1].split()))
        assert len(widths) == 256 - 32
        assert widths[ord("0") - 32] == 556
        descriptor = found[int(re.search(rb"/FontDescriptor (\d+)", body)[1])]
        file = found[int(re.search(rb"/FontFile2 (\d+)", descriptor)[1])]
        assert unpacked(file) == font(bold=bold).data


def test_poppler_finds_fonts_and_text(dualpipe, tmp_path):
    if not shutil.which("pdffonts"):
        pytest.skip("no poppler")
    file = tmp_path / "figure.pdf"
    file.write_bytes(written([dualpipe]))

    def run(*line):
        return subprocess.run(line, capture_output=True, text=True, check=True, timeout=60).stdout

    fonts = [row.split() for row in run("pdffonts", str(file)).splitlines()[2:]]
    assert sorted(row[0] for row in fonts) == ["PIPESC+Arimo", "PIPESC+Arimo-Bold"]
    assert all(row[1:5] == ["TrueType", "WinAnsi", "yes", "yes"] for row in fonts)
    assert "backward for the weights" in run("pdftotext", str(file), "-")


@pytest.mark.parametrize(("width", "points"), [("180mm", b"510.24"), ("85mm", b"240.94"), ("1200px", b"900")])
def test_size_is_the_one_asked_for(dualpipe, width, points):
    page = figure([dualpipe], Look(width=width))
    media = re.search(rb"/MediaBox\[0 0 ([\d.]+) ([\d.]+)\]", objects(written([dualpipe], width=width))[3])
    assert media[1] == points
    assert float(media[2]) == pytest.approx(page.height, abs=0.00501)


@pytest.mark.parametrize("theme", ["print", "dark"])
def test_every_shape_is_drawn(dualpipe, theme):
    page, drawn = figure([dualpipe], Look(theme=theme)), content(written([dualpipe], theme=theme))
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
    fonts = sum(len(zlib.compress(font(bold=bold).data, 9)) for bold in (False, True))
    assert len(written([dualpipe])) - fonts < 10_000


@pytest.mark.filterwarnings("ignore:a .pdf figure has Western European letters only")
def test_text_of_the_user_is_escaped():
    title = "a) (b \\ é 中 \n<<"
    document = written([replace(charted("1f1b", 2, 4), title=title, caption=("(((",))])
    drawn = content(document)
    assert r"(a\) \(b \\ \351 ? ?<<) Tj" in drawn
    assert r"(\(\(\() Tj" in drawn
    label = re.search(rb"/Title<FEFF([0-9A-F]+)>", objects(document)[5])[1]
    assert bytes.fromhex(label.decode()).decode("utf-16-be") == title.replace("\n", "?")


def test_same_charts_same_bytes_without_a_date():
    documents = {written([charted("zb1p", 4, 8), charted("dualpipev", 4, 10)]) for _ in range(2)}
    assert len(documents) == 1
    assert b"Date" not in documents.pop()
