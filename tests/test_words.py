"""Text from outside, numbers as people write them, plurals."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipesched import words
from pipesched.errors import FormatError, PipeschedError, PipeschedWarning


@given(st.text(st.characters(exclude_categories=[])))
def test_anything_can_be_printed_once_it_is_printable(text):
    shown = words.printable(text)
    assert shown.isprintable()
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert words.printable(shown) == shown
    assert (shown == text) == text.isprintable()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("µs, 前向, é", "µs, 前向, é"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\r\0", "a\\nb\\r\\x00"),
        ("\u202egnp.x", "\\u202egnp.x"),
        ("caf\udce9", "caf\\udce9"),
        ("\u2028\x85\ufeff", "\\u2028\\x85\\ufeff"),
    ],
)
def test_what_cannot_be_printed_is_escaped(text, shown):
    assert words.printable(text) == shown


def test_every_message_is_printable():
    assert str(PipeschedError("no \x1b[2J")) == "no \\x1b[2J"
    assert str(FormatError("a\nb", ((1, 2, "c"),))) == "a\\nb"
    assert str(PipeschedWarning("\udc80")) == "\\udc80"
    assert str(PipeschedError()) == ""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        (" 0.5 ", 0.5),
        ("+2e-3", 0.002),
        (".5", 0.5),
        ("5.", 5),
        ("-1E3", -1000),
        ("inf", float("inf")),
    ],
)
def test_what_a_number_is(text, value):
    assert words.number(text) == value


@pytest.mark.parametrize(
    "text", ["", "1_0", "٣", "0x10", "1,5", "1 0", "e5", ".", "--1", "1\n", "\u20091", "½", "1e"]
)
def test_what_no_number_is(text):
    assert words.number(text) is None


@given(st.floats(allow_nan=False))
def test_every_float_is_a_number(value):
    assert words.number(repr(value)) == value


def test_examples_in_docstrings():
    assert doctest.testmod(words).failed == 0
