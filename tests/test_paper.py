"""Figures for papers as plain shapes: what stands where, before any file format."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from papers import assert_tidy, bounds, charted, grounds, inside, texts
from strategies import schedules

from pipesched.errors import CostError, OutputError
from pipesched.ops import Kind
from pipesched.render.chart import Half, chart
from pipesched.render.paper.look import Look
from pipesched.render.paper.page import Box, Line, Text, Width, number
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.theme import THEMES
from pipesched.simulate import simulate

#: Idle unit columns of DualPipe at 8 devices, 20 micro-batches, read off the published figure: d0..d3;
#: d4..d7 mirror them.
DUALPIPE_IDLE = [
    {20, 21, 22, 40, 46, 52},
    {0, 18, 19, 43, 49, 57},
    {0, 1, 16, 46, 54, 58},
    {0, 1, 2, 51, 56, 59},
]


@pytest.fixture(scope="module")
def dualpipe():
    return charted("dualpipe", 8, 20)


def test_dualpipe_is_idle_where_the_published_figure_is(dualpipe):
    page = figure([dualpipe])
    (ground,) = grounds(page)
    unit, lane = ground.width / 66, ground.height / 8
    filled = [box for box in inside(page, ground, Box) if box.fill]
    for d in range(8):
        covered = np.zeros(66)
        for box in filled:
            if round((box.y - ground.y) / lane) == d:
                first, last = (box.x - ground.x) / unit, (box.x + box.width - ground.x) / unit
                assert (first, last) == pytest.approx((round(first), round(last)), abs=0.01)
                covered[round(first) : round(last)] += 1
        assert set(np.flatnonzero(covered == 0)) == DUALPIPE_IDLE[min(d, 7 - d)]
        assert covered.max() == 1


def test_every_slot_has_one_border_and_every_op_one_number(dualpipe):
    slots = len(dualpipe.op) - int((dualpipe.half == Half.RIGHT).sum())
    page = figure([dualpipe])
    (ground,) = grounds(page)
    bordered = [box for box in inside(page, ground, Box) if box.line]
    assert len(bordered) == slots
    assert len({(box.x, box.y) for box in bordered}) == slots
    written = sorted(int(text.text) for text in inside(page, ground, Text))
    assert written == sorted(dualpipe.label.tolist())


def test_a_pair_is_two_tones_forward_left(dualpipe):
    page = figure([dualpipe], Look(theme="screen"))
    (ground,) = grounds(page)
    boxes = inside(page, ground, Box)
    tones = THEMES["screen"].tones
    forwards, backwards = ({tone.fill for tone in tones[kind]} for kind in (Kind.F, Kind.B))
    for border in (box for box in boxes if box.line and not box.fill):
        x0, y0, x1, _ = bounds(border)
        left, right = sorted(
            box for box in boxes if box.fill and box.y == y0 and x0 <= box.x and bounds(box)[2] <= x1 + 0.01
        )
        assert left.fill in forwards
        assert right.fill in backwards
        assert bounds(left)[2] == pytest.approx(right.x, abs=0.011)
        assert left.width * 2 == pytest.approx(right.width, abs=0.04)


SHAPES = [
    ("1f1b", 4, 8),
    ("gpipe", 8, 32),
    ("zb1p", 8, 24),
    ("dualpipe", 8, 20),
    ("dualpipev", 4, 10),
    ("1f1b", 64, 70),
]


@pytest.mark.parametrize("width", ["45mm", "85mm", "180mm", "1200px"])
@pytest.mark.parametrize(("name", "devices", "microbatches"), SHAPES)
def test_nothing_leaves_the_page_and_no_texts_overlap(name, devices, microbatches, width):
    drawn = charted(name, devices, microbatches, annotated=devices == 8)
    for ruler in (True, False):
        assert_tidy(figure([drawn], Look(width=width, ruler=ruler)))


@settings(deadline=None, max_examples=30)
@given(schedules(), st.sampled_from(["40mm", "120mm"]), st.sampled_from(sorted(THEMES)))
def test_any_schedule_is_drawn_tidily_and_in_full(schedule, width, theme):
    drawn = chart(simulate(schedule))
    page = figure([drawn], Look(width=width, theme=theme))
    assert_tidy(page)
    ground = grounds(page)[0]
    unit = ground.width / (drawn.t1 - drawn.t0)
    area = sum(box.width for box in inside(page, ground, Box) if box.fill)
    busy = float((drawn.end - drawn.start).sum())
    assert area / unit == pytest.approx(busy, abs=0.02 * len(drawn.end) / unit)


@pytest.mark.parametrize("width", ["60mm", "84mm", "120mm", "174mm"])
@pytest.mark.parametrize("shape", [("dualpipe", 8, 20), ("1f1b", 4, 100)])
def test_numbers_fit_their_cells_and_have_one_size(shape, width):
    page = figure([charted(*shape)], Look(width=width))
    (ground,) = grounds(page)
    cells = [bounds(box) for box in inside(page, ground, Box) if box.fill]
    numbers = inside(page, ground, Text)
    for text in numbers:
        x0, y0, x1, y1 = bounds(text)
        foot = y1 - text.size * 0.22
        assert any(b[0] < x0 and x1 < b[2] and b[1] < y0 and foot < b[3] for b in cells)
    assert len({text.size for text in numbers}) <= 1
    assert all(text.size >= 4 for text in numbers)


def test_a_kind_has_its_numbers_or_none(dualpipe):
    backwards = int((dualpipe.kind == Kind.B).sum())
    for width, count in (("45mm", 0), ("84mm", backwards), ("174mm", len(dualpipe.label))):
        page = figure([dualpipe], Look(width=width))
        assert len(inside(page, grounds(page)[0], Text)) == count


def test_schedules_share_one_axis():
    charts = [charted("gpipe", 4, 8), charted("zb1p", 4, 8)]
    page = figure(charts)
    first, second = grounds(page)
    assert first.x == second.x
    assert first.width / second.width == pytest.approx(charts[0].t1 / charts[1].t1, abs=0.001)
    assert [text.text for text in texts(page) if text.bold] == [drawn.title for drawn in charts]
    assert sum(text.text.startswith("costs:") for text in texts(page)) == 1
    assert_tidy(page)


def test_different_costs_stand_under_each_chart():
    page = figure([charted("1f1b", 2, 4), charted("1f1b", 2, 4, latency=0.5)])
    costs = [text for text in texts(page) if text.text.startswith("costs:")]
    titles = [text for text in texts(page) if text.bold]
    assert ["latency=0.5" in text.text for text in costs] == [False, True]
    assert titles[0].y < costs[0].y < titles[1].y < costs[1].y
    assert_tidy(page)


def test_names_of_many_lanes_are_thinned_out():
    charts = [charted("1f1b", 64, 66)] * 4
    page = figure(charts)
    names = [text.text for text in texts(page) if text.text.startswith("Device ")]
    assert names[: len(names) // 4] == [f"Device {d}" for d in range(0, 64, 3)]
    assert page.height < 842  # a sheet of A4
    assert_tidy(page)


def test_a_window_cuts_cells_and_pairs(dualpipe):
    window = dualpipe.window(25.5, 40.25, range(2, 5))
    page = figure([window])
    (ground,) = grounds(page)
    names = [text.text for text in texts(page) if text.text.startswith("Device")]
    assert names == ["Device 2", "Device 3", "Device 4"]
    boxes = inside(page, ground, Box)
    assert len([box for box in boxes if box.fill]) == len(window.op)
    unit = ground.width / (40.25 - 25.5)
    for lane in range(3):
        y = ground.y + lane * ground.height / 3
        times = [25.5 + (box.x - ground.x) / unit for box in boxes if box.fill and abs(box.y - y) < 0.02]
        expected = np.maximum(window.start[window.lane == lane], 25.5)
        assert sorted(times) == pytest.approx(sorted(expected), abs=0.001)
    assert len([box for box in boxes if box.line]) == len(pairless(window))
    assert_tidy(page)


def pairless(drawn):
    """The bars that begin a cell: all but the backwards whose forward is in the window too."""
    halves = list(zip(drawn.lane.tolist(), drawn.half.tolist(), strict=True))
    return [
        now
        for before, now in zip([(-1, 0), *halves], halves, strict=False)
        if not (now[1] == Half.RIGHT and before == (now[0], Half.LEFT))
    ]


# --- what may be chosen -------------------------------------------------------------------------------


def test_titles_are_the_user_s_one_for_each_or_none(dualpipe):
    two = [dualpipe, charted("dualpipev", 4, 10)]
    bold = [text.text for text in texts(figure(two, Look(titles=("A", "B")))) if text.bold]
    assert bold == ["A", "B"]
    assert [text.text for text in texts(figure(two, Look(titles=("", "B")))) if text.bold] == ["B"]
    bare = figure(two, Look(titles=()))
    assert not [text for text in texts(bare) if text.bold]
    assert bare.title == f"{dualpipe.title}; {two[1].title}"  # screen readers are told all the same
    assert bare.height < figure(two).height
    with pytest.raises(OutputError, match="a figure of 2 schedules has as many titles, or none; got 1"):
        figure(two, Look(titles=("A",)))


def around(page):
    """The texts that stand outside the lanes of the one chart."""
    (ground,) = grounds(page)
    numbers = set(inside(page, ground, Text))
    return [text.text for text in texts(page) if text not in numbers]


@pytest.mark.parametrize(
    ("look", "gone"),
    [
        (Look(legend=False), {"forward", "overlapped", "light: down, dark: up", "F", "B"}),
        (Look(caption=False), {"costs: F=1 B=2 I=1 W=1 F&B=3 latency=0 (unit: F)"}),
        (Look(ruler=False), {"time (F)", "0", "65"}),
    ],
)
def test_what_stands_under_the_lanes_may_be_left_out(dualpipe, look, gone):
    before, after = around(figure([dualpipe])), around(figure([dualpipe], look))
    assert gone <= set(before)
    assert not gone & set(after)
    assert "costs: F=1" in figure([dualpipe], look).description
    assert_tidy(figure([dualpipe], look))


def test_a_bare_figure_is_lanes_and_an_arrow(dualpipe):
    page = figure([dualpipe], Look(titles=(), legend=False, caption=False, ruler=False))
    (ground,) = grounds(page)
    assert around(page) == [*(f"Device {d}" for d in range(8)), "time"]
    assert page.height < ground.height + 25


# --- legend and ruler ---------------------------------------------------------------------------------


def test_legend_names_each_tone_once_for_all_charts():
    words = [text.text for text in texts(figure([charted(*shape) for shape in SHAPES[:5]]))]
    for entry in ("forward", "backward", "backward for the input", "backward for the weights", "overlapped"):
        assert words.count(entry) == 1
    assert "light: down or chunk 0, dark: up or chunk 1" in words


@pytest.mark.parametrize("width", ["84mm", "174mm"])
def test_legend_is_no_higher_than_it_must_be(dualpipe, width):
    words = ["forward", "backward", "backward for the input", "backward for the weights", "overlapped"]
    rows = {text.y for text in texts(figure([dualpipe], Look(width=width))) if text.text in words}
    assert len(rows) == (2 if width == "84mm" else 1)


def test_ruler_has_round_times_where_they_belong(dualpipe):
    page = figure([dualpipe])
    (ground,) = grounds(page)
    below = ground.y + ground.height
    lines = [bounds(line) for line in page.shapes if isinstance(line, Line)]
    marks = [x0 for x0, y0, x1, _ in lines if y0 == pytest.approx(below) and x0 == x1]
    numbers = [text for text in texts(page) if text.text.isdigit() and text.y > below]
    assert [text.text for text in numbers] == [str(time) for time in range(0, 66, 5)]
    for mark, text in zip(marks, numbers, strict=True):
        assert mark == text.x == pytest.approx(ground.x + int(text.text) * ground.width / 66, abs=0.01)


# --- widths, themes, refusals -------------------------------------------------------------------------


@pytest.mark.parametrize("width", ["", "180", "mm", "-5mm", "1e3px", "180 m", "nanmm", "\uff11mm", "9" * 99])
def test_a_width_that_is_none_is_refused(dualpipe, width):
    with pytest.raises(OutputError, match="a width is a number and mm, cm, in, pt or px, such as 180mm"):
        figure([dualpipe], Look(width=width))


@pytest.mark.parametrize("width", ["1mm", "9mm", "99999px"])
def test_a_width_beyond_use_is_refused(dualpipe, width):
    with pytest.raises(OutputError, match=r"a figure is \d+(mm|px) to \d+(mm|px) wide"):
        figure([dualpipe], Look(width=width))


@pytest.mark.parametrize(
    ("text", "points"),
    [("180mm", 510.236), ("18 cm", 510.236), ("1200PX", 900), ("7in", 504), ("300pt", 300)],
)
def test_widths_in_points(text, points):
    assert Width.parse(text).points == pytest.approx(points, abs=0.001)


def test_what_cannot_be_one_figure_is_refused(dualpipe):
    with pytest.raises(OutputError, match="a figure needs a schedule at least"):
        figure([])
    with pytest.raises(OutputError, match="a theme is one of print, screen, dark; got 'pink'"):
        figure([dualpipe], Look(theme="pink"))
    with pytest.raises(CostError, match="schedules in F and ms cannot share one time axis"):
        figure([dualpipe, charted("1f1b", 2, 4, unit="ms")])


def grey(color):
    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_print_survives_a_grey_printer():
    greys = sorted(grey(tone.fill) for pair in THEMES["print"].tones.values() for tone in pair)
    assert min(np.diff([*greys, 255])) >= 15
    assert min(np.diff(greys)) >= 20


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_read_on_their_cells(theme):
    for pair in THEMES[theme].tones.values():
        for tone in pair:
            dark, light = sorted((luminance(tone.fill), luminance(tone.ink)))
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def luminance(color):
    """WCAG 2.1, relative luminance."""
    parts = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@given(st.floats(-1e4, 1e4))
def test_numbers_in_files_are_short_and_near(value):
    assert float(number(value)) == pytest.approx(value, abs=0.00501)
    assert number(value) == number(float(number(value)))


# --- texts of the user --------------------------------------------------------------------------------


def test_texts_of_the_user_are_made_fit_and_printable():
    strange = replace(
        charted("1f1b", 2, 4),
        title="a\x00b\ud800 " + "x" * 400,
        caption=("long " * 100, "W" * 300),
        unit="\x1b\uffff",
    )
    page = figure([strange], Look(width="60mm", theme="screen"))
    assert_tidy(page)
    assert all(text.text.isprintable() for text in texts(page))
    assert all(shape.hint.isprintable() for shape in page.shapes if isinstance(shape, Box))
    assert page.title.isprintable()
    assert page.description.isprintable()
