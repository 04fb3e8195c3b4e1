"""Figures whose axis leaves time out: marks, words, true times, and nothing that is there left out."""

from dataclasses import replace

import numpy as np
import pytest
from papers import assert_tidy, bounds, charted, grounds, inside, texts

from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.costs import CostModel
from pipesched.errors import OutputError
from pipesched.generators import find
from pipesched.generators.size import Size
from pipesched.render.axis import Break, Piece
from pipesched.render.chart import chart
from pipesched.render.excerpt import LeftOut, Memory, cut, excerpt, leave_out
from pipesched.render.paper import FORMATS, Look, draw
from pipesched.render.paper.axis import Axis
from pipesched.render.paper.breaks import words
from pipesched.render.paper.page import Box, Line, Steps, Text
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.theme import THEMES
from pipesched.simulate import simulate

PRINT = THEMES["print"]


def excerpts(*names, devices=8, microbatches=1_000_000, cap=None, **costs):
    found = [
        measure_unbuilt(Size.of(find(name), devices, microbatches, None, {}), CostModel.of(**costs))
        for name in names
    ]
    left_out = leave_out([each.timeline for each in found])
    return [
        excerpt(each.timeline, left_out, memory_of=Memory("w", each.report.memory.peak_activations, cap))
        for each in found
    ]


def bare(*charts):
    return [replace(each, held=None) for each in charts]


def zigzags(page):
    return [shape for shape in page.shapes if isinstance(shape, Line) and len(shape.points) > 3]


def numbered(page):
    """The numbers of the ruler and where they stand."""
    below = max(bounds(ground)[3] for ground in grounds(page))
    return {
        float(text.text.replace(",", "")): text.x
        for text in texts(page)
        if text.y > below and text.text.replace(",", "").replace(".", "").isdigit()
    }


def test_pieces_are_as_wide_as_their_times_and_nothing_stands_between():
    (drawn,) = bare(*excerpts("1f1b"))
    page = figure([drawn], Look(width="174mm"))
    left, right = grounds(page)
    unit = left.width / drawn.breaks[0].at
    assert right.width == pytest.approx(unit * (drawn.t1 - drawn.breaks[0].at), abs=0.02)
    gap = bounds(left)[2], right.x
    assert gap[1] - gap[0] == pytest.approx(9, abs=0.02)
    cells = [*inside(page, left, Box), *inside(page, right, Box)]
    assert len(cells) == len(drawn.op)
    for shape in page.shapes:
        x0, y0, x1, y1 = bounds(shape)
        if not isinstance(shape, Text) and y0 >= left.y and y1 <= bounds(left)[3] + 0.01:
            assert x1 <= gap[0] + 0.01 or x0 >= gap[1] - 0.01 or shape in zigzags(page)
    assert_tidy(page)


def test_two_zigzags_cross_all_lanes_within_the_gap():
    (drawn,) = excerpts("gpipe", cap=[3.0] * 8)[:1]
    for theme in THEMES:
        page = figure([drawn], Look(theme=theme))
        assert len(zigzags(page)) == 2 * len(drawn.breaks) == 4
        for line in zigzags(page):
            x0, y0, x1, y1 = bounds(line)
            assert any(
                bounds(before)[2] < x0 < x1 < after.x
                and (y0, y1) == pytest.approx((after.y, bounds(after)[3]))
                for before, after in zip(grounds(page), grounds(page)[1:], strict=False)
            )
            assert line.color == THEMES[theme].ink


@pytest.mark.parametrize("width", ["84mm", "174mm"])
@pytest.mark.parametrize(
    ("names", "costs"),
    [(["1f1b"], {}), (["gpipe", "zb1p"], {"F": 1.1, "latency": 0.3}), (["dualpipe"], {"F": 0.01})],
)
def test_rulers_say_true_times_in_every_piece(width, names, costs):
    charts = bare(*excerpts(*names, **costs))
    page = figure(charts, Look(width=width))
    longest = max(charts, key=lambda each: len(each.breaks))
    spans = [bounds(ground) for ground in grounds(page)[: len(longest.pieces)]]
    unit = spans[0][2] - spans[0][0]
    unit /= longest.pieces[0].t1 - longest.pieces[0].t0
    unplaced = numbered(page)
    for piece, span in zip(longest.pieces, spans, strict=True):
        here = {time: x for time, x in unplaced.items() if span[0] - 0.01 <= x <= span[2] + 0.01}
        assert here
        for time, x in here.items():
            assert x == pytest.approx(span[0] + (time - piece.shift - piece.t0) * unit, abs=0.05)
            del unplaced[time]
    if len(charts) == 1:
        assert not unplaced
    assert_tidy(page)


def test_what_is_left_out_stands_above_its_break_once():
    charts = bare(*excerpts("1f1b", "zb1p"))
    page = figure(charts)
    told = [text for text in texts(page) if text.text.startswith("…")]
    assert [text.text for text in told] == ["… 999,982 micro-batches, 2,999,946 F …"]
    (first, *_) = zigzags(page)
    assert told[0].left < bounds(first)[0] < told[0].left + told[0].width
    assert told[0].y < grounds(page)[0].y
    assert told[0].size < next(text.size for text in texts(page) if text.bold)


def test_words_without_room_stand_in_the_caption():
    (drawn,) = bare(*excerpts("gpipe"))
    page = figure([drawn], Look(width="60mm"))
    told = " ".join(text.text for text in texts(page))
    assert "…" not in told
    assert told.count("left out where the axis breaks: 999,985 micro-batches, 999,985 F; ") == 1
    assert "left out" not in " ".join(text.text for text in texts(figure([drawn], Look(width="174mm"))))
    assert_tidy(page)


@pytest.mark.parametrize("room", [30, 120, 170, 200, 250, 300, 400])
def test_words_never_leave_the_axis_or_each_other(room):
    (drawn,) = bare(*excerpts("gpipe"))
    drawn = drawn.opened(1.0)
    axis = Axis(tuple(drawn.pieces), 10.0, 10.0 + room)
    told = words(drawn, axis, 6.0)
    assert (told is None) == (room < 250)
    spans = [(x, Text(x, 0, text, 6.0, "#000000").width + x) for x, text in told or []]
    for (_, before), (after, _) in zip([(0, 10.0), *spans], [*spans, (axis.right, 0)], strict=True):
        assert before <= after + 1e-9


def test_merged_lanes_and_staircases_stop_at_breaks():
    (drawn,) = excerpts("1f1b", devices=64, cap=[20.0] * 64)
    page = figure([drawn], Look(width="84mm"))
    left, right = grounds(page)
    steps = [shape for shape in page.shapes if isinstance(shape, Steps)]
    assert len(steps) > 200
    for shape in steps:
        x0, _, x1, _ = bounds(shape)
        assert x1 <= bounds(left)[2] + 0.01 or x0 >= right.x - 0.01
    caps = [bounds(shape) for shape in page.shapes if isinstance(shape, Line) and shape.color == PRINT.mark]
    assert len(caps) == 128
    assert_tidy(page)


def test_staircases_go_on_at_the_level_that_was_left_out_too():
    """Around a break of whole periods, device 0 of 1F1B holds as much before it as after it."""
    (drawn,) = excerpts("1f1b", devices=4)
    page = figure([drawn])
    left, right = grounds(page)
    full = max(shape.foot - min(shape.tops) for shape in page.shapes if isinstance(shape, Steps))
    foot = min(shape.foot for shape in page.shapes if isinstance(shape, Steps))
    levels = {"before": [], "after": []}
    for shape in page.shapes:
        if isinstance(shape, Steps) and shape.foot == foot:
            for x0, x1, top in zip(shape.edges, shape.edges[1:], shape.tops, strict=False):
                if abs(x1 - bounds(left)[2]) < 0.02:
                    levels["before"].append(round((foot - top) / full * 4))
                if abs(x0 - right.x) < 0.02:
                    levels["after"].append(round((foot - top) / full * 4))
    held = drawn.held.steps[0]
    at = drawn.breaks[0].at
    expected = (
        held[1][np.searchsorted(held[0], at) - 1],
        held[1][np.searchsorted(held[0], at, side="right") - 1],
    )
    assert (levels["before"], levels["after"]) == ([expected[0]], [expected[1]])


def test_small_numbers_stand_where_large_ones_have_no_room():
    charts = bare(*excerpts("1f1b", "dualpipe", microbatches=10_000_000))
    page = figure(charts, Look(width="174mm"))
    before, after, down, _ = grounds(page)
    assert {text.text for text in inside(page, before, Text)} >= set("01234567")
    assert not inside(page, after, Text)
    assert {text.text for text in inside(page, down, Text)} >= set("0123")  # whatever the numbers upwards


def test_no_pair_is_joined_across_a_break():
    """Device 0 of DualPipe runs F7 with b13 from 17 to 20, f14 with B0 from 23 to 26: halves are left of both."""
    page = figure([cut(charted("dualpipe", 8, 20), [LeftOut(18.0, 24.0)])])
    left, right = grounds(page)
    borders = [box for ground in (left, right) for box in inside(page, ground, Box) if box.line]
    everywhere = [
        box for box in page.shapes if isinstance(box, Box) and box.line == PRINT.border and box.y >= left.y
    ]
    lanes = [box for box in everywhere if bounds(box)[3] <= bounds(left)[3] + 0.01]
    assert len(borders) == len(lanes)


def test_cells_say_true_times_unless_a_break_cut_them():
    (drawn,) = bare(*excerpts("1f1b", devices=2))
    page = figure([drawn], Look(theme="screen"))
    _, right = grounds(page)
    hints = [box.hint for box in inside(page, right, Box)]
    assert hints[-1].endswith("micro-batch 999999, device 1, 2,999,999 to 3,000,001 F")
    assert any(hint.endswith(("device 0", "device 1")) for hint in hints)


def test_times_of_places():
    drawn = excerpts("1f1b", devices=4)[0].opened(2.0)
    assert drawn.time(3.0) == 3.0
    gap = drawn.breaks[0]
    assert (drawn.time(gap.at), drawn.time(gap.at + gap.width)) == (gap.start, gap.end)
    assert drawn.time(drawn.t1) == 3_000_009.0


def test_schedules_that_leave_out_different_times_are_refused():
    (one,), (other,) = excerpts("1f1b"), excerpts("1f1b", microbatches=2_000_000)
    with pytest.raises(
        OutputError, match="schedules that leave out different times cannot share one time axis"
    ):
        figure([one, other])
    with pytest.raises(OutputError, match="leave out different times"):
        figure([charted("1f1b", 8, 200), one])
    figure([one, charted("1f1b", 8, 4)])  # at its end before the break


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_draws_breaks(suffix):
    if suffix == ".png":
        pytest.importorskip("PIL")
    (drawn,) = excerpts("1f1b")
    assert len(draw([drawn], suffix)) != len(draw([replace(drawn, breaks=())], suffix))


def test_many_breaks_leave_most_of_the_axis():
    whole = chart(simulate(find("1f1b").generate(4, 200)))
    holes = cut(whole, [LeftOut(30.0 + 10 * n, 35.0 + 10 * n) for n in range(50)])
    page = figure([holes], Look(width="84mm"))
    assert len(grounds(page)) == 51
    assert sum(ground.width for ground in grounds(page)) > 0.65 * (
        bounds(grounds(page)[-1])[2] - grounds(page)[0].x
    )
    assert_tidy(page)


def test_ticks_without_room_have_no_number():
    axis = Axis((Piece(0.0, 20.0, 0.0), Piece(22.0, 42.0, 1e9 - 30)), 0.0, 200.0)
    ticks = axis.ticks(8.0)
    assert [tick.text for tick in ticks if tick.x <= 96] == ["0", "10", ""]  # one at 20 would touch the break
    far = [tick.text for tick in ticks if tick.x > 100]
    assert len(far) == 2
    assert [text for text in far if text] == ["1,000,000,000"]


def test_a_break_is_described_to_who_cannot_see_it():
    page = figure(excerpts("1f1b"))
    assert "left out where the axis breaks: 999,984 micro-batches, 2,999,952 F" in page.description
    drawn = replace(excerpts("1f1b")[0], breaks=(Break(10.0, 0.0, 10.0, 20.0, "x\x00" * 5000),))
    assert len(figure([drawn]).description) < 3000
