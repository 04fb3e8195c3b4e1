"""Figures of many ops: when cells are merged, and that merged lanes tell the truth."""

import numpy as np
import pytest
from papers import bounds, charted, grounds, inside, texts

from pipesched.render.paper.cells import MOST_CELLS
from pipesched.render.paper.look import Look
from pipesched.render.paper.page import Box, Steps, Text
from pipesched.render.paper.shares import LEVELS, NOTE, pile
from pipesched.render.paper.sheet import figure


@pytest.fixture(scope="module")
def long():
    return charted("1f1b", 8, 4000)


def stairs(page):
    return [shape for shape in page.shapes if isinstance(shape, Steps)]


def cells(page):
    return [box for ground in grounds(page) for box in inside(page, ground, Box) if box.fill]


@pytest.mark.parametrize(("microbatches", "merged"), [(140, False), (160, True)])
def test_cells_of_a_point_have_borders_and_thinner_ones_are_merged(microbatches, merged):
    page = figure([charted("1f1b", 8, microbatches)], Look(width="174mm"))
    assert bool(stairs(page)) == merged == (not cells(page))
    assert (NOTE in [text.text for text in texts(page)]) == merged
    assert all(box.line and 0.05 <= box.thickness <= 0.4 for box in cells(page))


def test_one_figure_has_one_way_of_drawing():
    short, thin = charted("1f1b", 4, 8), charted("1f1b", 8, 160)
    for charts in ([short, thin], [thin, short]):
        page = figure(charts)
        assert len(grounds(page)) == 2
        assert not cells(page)
        assert {shape.foot for shape in stairs(page) if shape.foot < grounds(page)[1].y}
        assert sum(NOTE in text.text for text in texts(page)) == 1


def test_cells_are_merged_where_there_are_too_many():
    wide = charted("1f1b", 128, 130)  # 33,280 cells, each wide enough on this sheet
    page = figure([wide], Look(width="2000mm"))
    assert len(page.shapes) < MOST_CELLS
    assert stairs(page)


def test_the_note_goes_with_the_caption(long):
    assert NOTE not in [text.text for text in texts(figure([long], Look(caption=False)))]


def test_many_ops_are_few_shapes_of_the_right_size(long):
    page = figure([long])
    assert len(page.shapes) < 300
    steps = stairs(page)
    assert sum(len(shape.tops) for shape in steps) < 8 * 1600 * 2
    (ground,) = grounds(page)
    feet = sorted({shape.foot for shape in steps})
    assert len(feet) == 8
    full = ground.width * ground.height / 8 * 0.8
    for d, foot in enumerate(feet):
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


def test_idle_time_never_vanishes():
    covered = np.zeros((1, 5, 8))
    covered[0, :, 0] = [1, 0.999, 0.5, 0.001, 0]
    assert pile(covered)[0, :, 0].tolist() == [LEVELS, LEVELS - 1, LEVELS / 2, 1, 0]
    assert (pile(covered)[0, :, 7] == pile(covered)[0, :, 0]).all()


def test_nothing_at_all_is_drawn_where_a_lane_is_idle(long):
    assert all(top < shape.foot for shape in stairs(figure([long])) for top in shape.tops)


@pytest.mark.parametrize("microbatches", [200, 4000])
@pytest.mark.parametrize("name", ["1f1b", "zb1p", "zbv", "dualpipe"])
def test_columns_of_a_steady_state_are_alike(name, microbatches):
    microbatches //= 1 + (name == "zbv")
    page = figure([charted(name, 8, microbatches)], Look(width="174mm"))
    assert sum(len(shape.tops) for shape in stairs(page)) < 2000


def test_a_sliver_of_work_shows_in_its_own_tone():
    covered = np.zeros((1, 1, 8))
    covered[0, 0, 4] = 0.002
    assert pile(covered)[0, 0].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


def test_merged_lanes_stay_in_their_lanes(long):
    page = figure([long])
    (ground,) = grounds(page)
    x0, y0, x1, y1 = bounds(ground)
    for shape in stairs(page):
        left, top, right, foot = bounds(shape)
        assert x0 <= left < right <= x1 + 0.01
        assert y0 < top < foot < y1
    assert not inside(page, ground, Text)
