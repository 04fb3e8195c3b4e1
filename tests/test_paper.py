"""Figures for paper as plain shapes: what stands where, before any file format."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from papers import bounds, charted, overlapping_texts
from strategies import schedules

from pipesched.errors import CostError, OutputError
from pipesched.ops import Kind
from pipesched.render.chart import Half, chart
from pipesched.render.paper import Box, Line, Steps, Text, Width
from pipesched.render.paper_figure import MOST_CELLS, figure
from pipesched.render.paper_strips import LEVELS, pile
from pipesched.render.paper_text import fitting, text_width, wrapped
from pipesched.render.paper_theme import THEMES
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


def grounds(page):
    """The box behind each chart's lanes: the first of its theme's idle colour and edge."""
    theme = next(theme for theme in THEMES.values() if theme.background == page.background)
    return [s for s in page.shapes if isinstance(s, Box) and (s.fill, s.line) == (theme.idle, theme.faint)]


def inside(page, ground, kind):
    x0, y0, x1, y1 = bounds(ground)
    found = [s for s in page.shapes if isinstance(s, kind) and s is not ground]
    return [
        s
        for s in found
        if x0 <= bounds(s)[0]
        and bounds(s)[2] <= x1 + 0.01
        and y0 <= bounds(s)[1]
        and bounds(s)[3] <= y1 + 0.01
    ]


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
    page = figure([dualpipe], theme="screen")
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
    for ruled in (True, False):
        assert_tidy(figure([charted(name, devices, microbatches)], width=width, ruled=ruled))


def assert_tidy(page):
    for shape in page.shapes:
        x0, y0, x1, y1 = bounds(shape)
        assert min(x0, y0) >= 0, shape
        assert x1 <= page.width.points, shape
        assert y1 <= page.height, shape
    assert overlapping_texts(page) == []


@settings(deadline=None, max_examples=30)
@given(schedules(), st.sampled_from(["40mm", "120mm"]), st.sampled_from(sorted(THEMES)))
def test_any_schedule_is_drawn_tidily_and_in_full(schedule, width, theme):
    drawn = chart(simulate(schedule))
    page = figure([drawn], width=width, theme=theme)
    assert_tidy(page)
    ground = grounds(page)[0]
    unit = ground.width / (drawn.t1 - drawn.t0)
    area = sum(box.width for box in inside(page, ground, Box) if box.fill)
    assert area / unit == pytest.approx(
        float((drawn.end - drawn.start).sum()), abs=0.02 * len(drawn.end) / unit
    )


@pytest.mark.parametrize("width", ["60mm", "85mm", "120mm", "180mm"])
def test_numbers_fit_their_cells(dualpipe, width):
    page = figure([dualpipe], width=width)
    (ground,) = grounds(page)
    cells = [box for box in inside(page, ground, Box) if box.fill]
    texts = inside(page, ground, Text)
    for text in texts:
        x0, y0, x1, y1 = bounds(text)
        assert any(
            b[0] < x0 and x1 < b[2] and b[1] < y0 and y1 < b[3] + text.size * 0.22 for b in map(bounds, cells)
        )
    assert len({text.size for text in texts}) <= 1
    assert all(text.size >= 4 for text in texts)


def test_numbers_too_small_to_read_are_dropped(dualpipe):
    counts = [
        len(inside(page, grounds(page)[0], Text))
        for page in (figure([dualpipe], width=w) for w in ("45mm", "85mm", "180mm"))
    ]
    assert counts[0] == 0 < counts[1] < counts[2] == len(dualpipe.label)


def test_schedules_share_one_axis():
    charts = [charted("gpipe", 4, 8), charted("zb1p", 4, 8)]
    page = figure(charts)
    first, second = grounds(page)
    assert first.x == second.x
    assert first.width / second.width == pytest.approx(charts[0].t1 / charts[1].t1, abs=0.001)
    titles = [text.text for text in page.shapes if isinstance(text, Text) and text.bold]
    assert titles == [drawn.title for drawn in charts]
    assert sum(text.text.startswith("costs:") for text in page.shapes if isinstance(text, Text)) == 1
    assert_tidy(page)


def test_different_costs_stand_under_each_chart():
    page = figure([charted("1f1b", 2, 4), charted("1f1b", 2, 4, latency=0.5)])
    texts = [text for text in page.shapes if isinstance(text, Text)]
    costs = [text for text in texts if text.text.startswith("costs:")]
    titles = [text for text in texts if text.bold]
    assert ["latency=0.5" in text.text for text in costs] == [False, True]
    assert titles[0].y < costs[0].y < titles[1].y < costs[1].y
    assert_tidy(page)


def test_names_of_many_lanes_are_thinned_out():
    charts = [charted("1f1b", 64, 66)] * 4
    page = figure(charts)
    names = [text.text for text in page.shapes if isinstance(text, Text) and text.text.startswith("Device ")]
    assert names[: len(names) // 4] == [f"Device {d}" for d in range(0, 64, 3)]
    assert page.height < 842  # a sheet of A4
    assert_tidy(page)


def test_legend_names_each_tone_once_for_all_charts():
    page = figure([charted(*shape) for shape in SHAPES[:5]])
    texts = [text.text for text in page.shapes if isinstance(text, Text)]
    for entry in ("forward", "backward", "backward for the input", "backward for the weights"):
        assert texts.count(entry) == 1
    assert "light: down or chunk 0, dark: up or chunk 1" in texts
    assert texts.count("forward and backward overlapped") == 1


def test_ruler_has_round_times_where_they_belong(dualpipe):
    page = figure([dualpipe])
    (ground,) = grounds(page)
    below = ground.y + ground.height
    marks = [
        line
        for line in page.shapes
        if isinstance(line, Line) and line.y0 == pytest.approx(below) and line.x0 == line.x1
    ]
    numbers = [
        text for text in page.shapes if isinstance(text, Text) and text.text.isdigit() and text.y > below
    ]
    assert [text.text for text in numbers] == [str(time) for time in range(0, 66, 5)]
    for mark, text in zip(marks, numbers, strict=True):
        assert mark.x0 == text.x == pytest.approx(ground.x + int(text.text) * ground.width / 66, abs=0.01)
    assert not [
        line
        for line in figure([dualpipe], ruled=False).shapes
        if isinstance(line, Text) and line.text == "65"
    ]


@pytest.fixture(scope="module")
def long():
    return charted("1f1b", 8, 4000)


def test_many_ops_are_merged_into_few_shapes_of_the_right_size(long):
    page = figure([long])
    assert len(page.shapes) < 300
    steps = [shape for shape in page.shapes if isinstance(shape, Steps)]
    assert sum(len(shape.tops) for shape in steps) < 8 * 1600 * 2
    assert any(
        "Cells too thin to draw are merged" in shape.text for shape in page.shapes if isinstance(shape, Text)
    )
    (ground,) = grounds(page)
    feet = sorted({shape.foot for shape in steps})
    assert len(feet) == 8
    for d, foot in enumerate(feet):
        full = ground.width * ground.height / 8 * 0.8
        busy = float((long.end - long.start)[long.lane == d].sum()) / long.t1
        assert area([shape for shape in steps if shape.foot == foot]) / full == pytest.approx(busy, abs=0.002)


def area(steps):
    """Of all steps on one foot together; they lie over each other."""
    edges = np.unique([edge for shape in steps for edge in shape.edges])
    reach = np.zeros(len(edges) - 1)
    for shape in steps:
        at = np.searchsorted(shape.edges, edges[:-1], side="right") - 1
        height = np.append(shape.foot - np.array(shape.tops), 0.0)  # none beyond the last edge, or before
        reach = np.maximum(reach, height[at])
    return float((np.diff(edges) * reach).sum())


def test_cells_are_merged_where_there_are_too_many():
    wide = charted("1f1b", 128, 130)  # 33,280 cells, each wide enough on this sheet
    page = figure([wide], width="2000mm")
    assert len(page.shapes) < MOST_CELLS
    assert any(isinstance(shape, Steps) for shape in page.shapes)


def test_idle_time_never_vanishes():
    covered = np.zeros((1, 5, 8))
    covered[0, :, 0] = [1, 0.999, 0.5, 0.001, 0]
    assert pile(covered)[0, :, 0].tolist() == [LEVELS, LEVELS - 1, LEVELS / 2, 1, 0]
    assert (pile(covered)[0, :, 7] == pile(covered)[0, :, 0]).all()


def test_nothing_at_all_is_drawn_where_a_lane_is_idle(long):
    page = figure([long])
    assert all(top < shape.foot for shape in page.shapes if isinstance(shape, Steps) for top in shape.tops)


@pytest.mark.parametrize("name", ["1f1b", "zb1p", "dualpipe"])
def test_columns_of_a_steady_state_are_alike(name):
    page = figure([charted(name, 8, 4000)])
    assert sum(len(shape.tops) for shape in page.shapes if isinstance(shape, Steps)) < 2000


def test_a_sliver_of_work_shows_in_its_own_tone():
    covered = np.zeros((1, 1, 8))
    covered[0, 0, 4] = 0.002
    assert pile(covered)[0, 0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_a_window_cuts_cells_and_pairs(dualpipe):
    window = dualpipe.window(25.5, 40.25, range(2, 5))
    page = figure([window])
    (ground,) = grounds(page)
    names = [text.text for text in page.shapes if isinstance(text, Text) and text.text.startswith("Device")]
    assert names == ["Device 2", "Device 3", "Device 4"]
    boxes = inside(page, ground, Box)
    assert len([box for box in boxes if box.fill]) == len(window.op)
    unit = ground.width / (40.25 - 25.5)
    for lane in range(3):
        y = ground.y + lane * ground.height / 3
        times = [25.5 + (box.x - ground.x) / unit for box in boxes if box.fill and abs(box.y - y) < 0.02]
        expected = np.maximum(window.start[window.lane == lane], 25.5)
        assert sorted(times) == pytest.approx(sorted(expected), abs=0.001)
    bordered = [box for box in boxes if box.line]
    assert len(bordered) == len(pairless(window))
    assert_tidy(page)


def pairless(drawn):
    """The bars that begin a cell: all but the backwards whose forward is in the window too."""
    halves = list(zip(drawn.lane.tolist(), drawn.half.tolist(), strict=True))
    return [
        now
        for before, now in zip([(-1, 0), *halves], halves, strict=False)
        if not (now[1] == Half.RIGHT and before == (now[0], Half.LEFT))
    ]


def test_texts_of_the_user_are_made_fit_and_printable():
    strange = replace(
        charted("1f1b", 2, 4), title="a\x00b\ud800 " + "x" * 400, caption=("long " * 100, "W" * 300)
    )
    page = figure([strange], width="60mm")
    assert_tidy(page)
    assert all(shape.text.isprintable() for shape in page.shapes if isinstance(shape, Text))
    assert page.title.isprintable()


def test_a_chart_without_time_is_still_a_figure():
    free = charted("1f1b", 2, 4, F=0, B=0, W=0, I=0)
    assert_tidy(figure([free]))


@pytest.mark.parametrize("width", ["", "180", "mm", "-5mm", "1e3px", "180 m", "nanmm", "\uff11mm"])
def test_a_width_that_is_none_is_refused(dualpipe, width):
    with pytest.raises(OutputError, match="a width is a number and mm, cm, in, pt or px, such as 180mm"):
        figure([dualpipe], width=width)


@pytest.mark.parametrize("width", ["1mm", "9mm", "99999px"])
def test_a_width_beyond_use_is_refused(dualpipe, width):
    with pytest.raises(OutputError, match=r"a figure is \d+(mm|px) to \d+(mm|px) wide"):
        figure([dualpipe], width=width)


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
        figure([dualpipe], theme="pink")
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


def test_helvetica_is_as_wide_as_published():
    # H 722, e 556, l 222, v 500, e 556, t 278, i 222, c 500, a 556 (Adobe's AFM file)
    assert text_width("Helvetica", 10) == pytest.approx(41.12)
    assert text_width("0123456789", 1) == pytest.approx(5.56)


@given(st.text(max_size=80), st.floats(8, 200))
def test_wrapped_lines_fit(text, room):
    for line in wrapped(text, 7.0, room):
        assert text_width(line, 7.0) <= room or len(line) == 1
    assert fitting(text, 7.0, room) == text[: len(fitting(text, 7.0, room))]
