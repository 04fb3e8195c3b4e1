"""What stands under the lanes of a figure: the critical path, and activations held."""

import numpy as np
import pytest
from papers import assert_tidy, bounds, charted, grounds, inside, texts

from pipesched.analysis.memory import memory
from pipesched.generators import find
from pipesched.render.annotate import with_activations, with_critical_path
from pipesched.render.chart import chart
from pipesched.render.paper.look import Look
from pipesched.render.paper.page import Box, Line, Steps
from pipesched.render.paper.sheet import figure
from pipesched.render.paper.theme import THEMES
from pipesched.simulate import simulate

PRINT = THEMES["print"]


@pytest.fixture(scope="module", params=[("1f1b", 4, 8), ("dualpipe", 8, 20), ("zbv", 4, 8)])
def timeline(request):
    name, devices, microbatches = request.param
    return simulate(find(name).generate(devices, microbatches))


def stairs(page, fill=PRINT.held):
    return [shape for shape in page.shapes if isinstance(shape, Steps) and shape.fill == fill]


def test_the_critical_path_is_as_long_as_the_makespan(timeline):
    page = figure([with_critical_path(chart(timeline), timeline)])
    (ground,) = grounds(page)
    lines = [box for box in inside(page, ground, Box) if box.fill == PRINT.ink]
    assert sum(line.width for line in lines) == pytest.approx(ground.width, abs=0.05)
    for line in lines:  # below the cells of its lane, above the next lane
        lane = ground.height / timeline.schedule.devices
        assert 0.8 < ((line.y - ground.y) / lane) % 1 < 1
    assert_tidy(page)


def test_a_staircase_is_as_large_as_the_activations_it_shows(timeline):
    held, drawn = memory(timeline.schedule), chart(timeline)
    page = figure([with_activations(drawn, timeline)])
    (ground,) = grounds(page)
    lane, unit = ground.height / timeline.schedule.devices, ground.width / timeline.makespan
    annotated = with_activations(drawn, timeline).held
    highest = max(shape.foot - min(shape.tops) for shape in stairs(page))
    for d, (times, levels) in enumerate(annotated.steps):
        mine = [s for s in stairs(page) if ground.y + d * lane < s.foot <= ground.y + (d + 1) * lane]
        assert len({shape.foot for shape in mine}) == 1
        area = sum((np.diff(shape.edges) * (shape.foot - np.array(shape.tops))).sum() for shape in mine)
        true = float((np.diff(np.append(times, timeline.makespan)) * levels).sum())
        assert area * held.peak.max() / highest / unit == pytest.approx(true, rel=0.01)
        peak = max(shape.foot - min(shape.tops) for shape in mine)
        assert peak / highest == pytest.approx(held.peak[d] / held.peak.max(), abs=0.01)
    right = [text.text for text in texts(page) if text.left > ground.x + ground.width]
    assert right[: len(held.peak)] == [f"{peak:g}" for peak in held.peak]
    assert_tidy(page)


def test_what_is_over_the_cap_is_told_apart():
    timeline = simulate(find("1f1b").generate(4, 8))
    page = figure([with_activations(chart(timeline), timeline, "w", [3.0])])
    over = stairs(page, PRINT.mark)
    (ground,) = grounds(page)
    lane = ground.height / 4
    assert {int((shape.foot - ground.y) // lane) for shape in over} == {0}  # its peak is 4, the next 3
    caps = [bounds(line) for line in inside(page, ground, Line) if line.color == PRINT.mark]
    assert [y0 == y1 for _, y0, _, y1 in caps] == 4 * [True]
    assert over[0].foot == pytest.approx(caps[0][1], abs=0.01)
    words = [text.text for text in texts(page)]
    assert "cap of 3, and what is over it" in words
    assert "activations held (freed at W), full height = 4, the number is the peak" in words


def test_schedules_under_each_other_have_one_scale_of_activations():
    charts = [charted("1f1b", 4, 8, annotated=True), charted("gpipe", 4, 8, annotated=True)]
    page = figure(charts)
    _, second = grounds(page)
    top = [
        max(shape.foot - min(shape.tops) for shape in stairs(page) if (shape.foot > second.y) == later)
        for later in (False, True)
    ]
    assert top[0] / top[1] == pytest.approx(4 / 8, abs=0.01)
    assert_tidy(page)


def test_long_staircases_are_bounded_and_keep_their_peaks():
    page = figure([charted("1f1b", 8, 4000, annotated=True)], Look(width="84mm"))
    assert sum(len(shape.tops) for shape in stairs(page)) < 8 * 700
    peaks = [
        max(s.foot - min(s.tops) for s in stairs(page) if s.foot == foot)
        for foot in sorted({shape.foot for shape in stairs(page)})
    ]
    assert [round(8 * peak / peaks[0]) for peak in peaks] == [8, 7, 6, 5, 4, 3, 2, 1]
    assert len(page.shapes) < 1000


def test_a_window_shows_its_part_of_the_strips():
    drawn = charted("dualpipe", 8, 20, annotated=True).window(20.0, 40.0, range(3))
    page = figure([drawn])
    (ground,) = grounds(page)
    assert {round((shape.foot - ground.y) / (ground.height / 3) + 0.4) for shape in stairs(page)} == {1, 2, 3}
    for shape in stairs(page):
        assert ground.x <= shape.edges[0] < shape.edges[-1] <= ground.x + ground.width + 0.01
    assert_tidy(page)
