"""Widths of text, read from the font that is in every PDF, against what Adobe published of Helvetica."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipesched.render.paper.text import clean, fitting, font, text_width, wrapped

#: Adobe's AFM files of Helvetica and Helvetica-Bold, in thousandths.
PUBLISHED = {
    False: {" ": 278, "%": 889, "&": 667, "0": 556, "9": 556, "=": 584, "A": 667, "B": 667, "F": 611, "I": 278,
            "W": 944, "a": 556, "i": 222, "m": 833, "t": 278, "\xe9": 556, "\xd7": 584},
    True: {" ": 278, "%": 889, "&": 722, "0": 556, ":": 333, "A": 722, "F": 611, "I": 278, "W": 944, "a": 556,
           "i": 278, "m": 889, "t": 333, "\xe9": 556},
}  # fmt: skip


@pytest.mark.parametrize("bold", [False, True])
def test_letters_are_as_wide_as_helvetica_s(bold):
    for letter, width in PUBLISHED[bold].items():
        assert text_width(letter, 1000, bold=bold) == pytest.approx(width, abs=0.6), letter


@pytest.mark.parametrize("bold", [False, True])
def test_the_font_has_every_letter_of_windows_1252(bold):
    letters = bytes(range(32, 127)).decode() + bytes(range(128, 256)).decode("cp1252", errors="ignore")
    assert set(letters) <= set(font(bold=bold).widths)


def test_pillow_measures_the_same():
    fonts = pytest.importorskip("PIL.ImageFont")
    from io import BytesIO

    for bold in (False, True):
        drawn = fonts.truetype(BytesIO(font(bold=bold).data), 1000, layout_engine=fonts.Layout.BASIC)
        for text in ("micro-batch 0123", "W\xe9\xb5\x80", "F&B=3"):
            known = "".join(letter for letter in text if letter in font(bold=bold).widths)
            assert drawn.getlength(known) == pytest.approx(text_width(known, 1000, bold=bold), abs=len(text))


@given(st.text(max_size=80), st.floats(8, 200), st.booleans())
def test_wrapped_lines_fit_and_lose_nothing(text, room, bold):
    lines = wrapped(text, 7.0, room, bold=bold)
    for line in lines:
        assert text_width(line, 7.0, bold=bold) <= room or len(line) == 1
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    head = fitting(text, 7.0, room, bold=bold)
    assert text.startswith(head)
    assert not text or head


@given(st.text(st.characters()), st.integers(4, 90))
def test_clean_text_is_printable_and_short(text, most):
    cleaned = clean(text, most)
    assert cleaned.isprintable()
    assert len(cleaned) <= most
    assert cleaned == text or len(text) > most or not text.isprintable()


def test_long_text_takes_no_time():
    begun = time.process_time()
    wrapped("x" * 20_000, 7.0, 500.0)
    fitting("x" * 1_000_000, 7.0, 500.0)
    assert time.process_time() - begun < 5  # minutes, letter by letter
