"""Whatever a chart holds, a figure is well-formed: SVG for an XML parser, PNG for Pillow, PDF for poppler."""

import shutil
import subprocess
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from papers import charted

from pipesched.errors import OutputError, PipeschedWarning
from pipesched.render.paper import FORMATS, Look, draw

STRANGE = "\x00\x1b[1m\ud800\uffff\u2028\u202e<&>'\"]]> -- (\\) \u4e2d \U0001f600 \xe9"


def well_formed(suffix, data, tmp_path):
    if suffix == ".svg":
        return ET.fromstring(data).tag.endswith("svg")  # noqa: S314  our own
    if suffix == ".png":
        image = pytest.importorskip("PIL.Image").open(BytesIO(data))
        image.load()
        return min(image.size) > 0
    if not shutil.which("pdftoppm"):
        pytest.skip("no pdftoppm")
    file = tmp_path / "figure.pdf"
    file.write_bytes(data)
    line = ["pdftoppm", "-r", "30", str(file), str(tmp_path / "page")]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    return (done.returncode, done.stderr) == (0, "")


def worded(text):
    return replace(charted("dualpipe", 4, 8), title=text, unit=text, caption=(text, f"{text} {text}"))


HOSTILE = {
    "strange": lambda: [worded(STRANGE)],
    "long": lambda: [worded("x" * 100_000)],
    "long words": lambda: [worded("costs and more " * 10_000)],
    "empty text": lambda: [worded("")],
    "no ops": lambda: [charted("1f1b", 2, 4).window(0.0, 0.5, range(1, 2))],
    "no lanes": lambda: [charted("1f1b", 2, 4).window(0.0, 5.0, range(7, 8))],
    "no time": lambda: [charted("1f1b", 2, 4, F=0, B=0, W=0)],
    "some without time": lambda: [charted("dualpipe", 4, 8, F=0, W=0)],
    "tiny and huge times": lambda: [charted("1f1b", 2, 4, F=1e-90, B=1e90, W=0)],
    "huge times": lambda: [charted("1f1b", 2, 4, F=1e100, B=1e100, W=0)],
    "one device": lambda: [charted("1f1b", 1, 1, annotated=True)],
    "256 devices": lambda: [charted("1f1b", 256, 4, annotated=True)],
    "an empty one beside others": lambda: [
        charted("1f1b", 8, 4000), charted("1f1b", 8, 4000).window(0.0, 0.5, range(7, 8))
    ],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:a .* figure has Western European letters only")
@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("what", HOSTILE)
def test_every_figure_is_well_formed(what, suffix, tmp_path):
    for theme in ("print", "dark"):
        assert well_formed(suffix, draw(HOSTILE[what](), suffix, Look(width="84mm", theme=theme)), tmp_path)


@pytest.mark.filterwarnings("ignore:a .* figure has Western European letters only")
@pytest.mark.parametrize("suffix", FORMATS)
def test_strange_titles_of_the_user(suffix, tmp_path):
    look = Look(titles=(STRANGE + "y" * 100_000,))
    data = draw([charted("1f1b", 2, 4)], suffix, look)
    assert well_formed(suffix, data, tmp_path)
    assert len(data) < 60_000


@pytest.mark.parametrize(
    ("title", "named"),
    [
        ("\u6a21\u578b\u6a21 caf\xe9 \u03b1", "\u6a21 \u578b \u03b1"),
        (
            "".join(map(chr, range(0x430, 0x43A))),
            "\u0430 \u0431 \u0432 \u0433 \u0434 \u0435 \u0436 \u0437 and 2 more",
        ),
    ],
)
@pytest.mark.parametrize("suffix", [".pdf", ".png"])
def test_letters_that_are_lost_are_told_with_the_way_out(suffix, title, named):
    if suffix == ".png":
        pytest.importorskip("PIL")
    with pytest.warns(PipeschedWarning) as told:
        draw([charted("1f1b", 2, 4)], suffix, Look(titles=(title,)))
    assert [str(each.message) for each in told] == [
        f"a {suffix} figure has Western European letters only, and a ? for {named}; "
        "write .svg, which has all, or give another --title or --unit"
    ]


def test_letters_that_are_not_lost_are_not_told():
    draw([worded("\u6a21")], ".svg")
    for suffix in (".pdf", ".png"):
        draw([worded("caf\xe9 \u2013 \u201c\u20ac\u201d \xb5s")], suffix)


def test_a_chart_without_time_is_still_a_figure():
    free = charted("1f1b", 2, 4, F=0, B=0, W=0)
    assert np.isfinite(
        [value for shape in _shapes(free) for value in shape if isinstance(value, float)]
    ).all()


def _shapes(chart):
    from pipesched.render.paper.sheet import figure

    return figure([chart]).shapes


def test_a_suffix_that_is_none_is_refused():
    with pytest.raises(OutputError, match=r"a figure is one of \.svg, \.pdf, \.png; got '\.gif'"):
        draw([charted("1f1b", 2, 4)], ".gif")
