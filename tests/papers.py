"""Charts and boxes that the tests of the figures for paper share."""

import itertools

from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.render.annotate import with_activations, with_critical_path
from pipesched.render.chart import chart
from pipesched.render.paper.page import Box, Line, Steps, Text
from pipesched.render.paper.theme import THEMES
from pipesched.simulate import simulate


def charted(name, devices, microbatches, *, annotated=False, **costs):
    timeline = simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))
    if annotated:
        return with_activations(with_critical_path(chart(timeline), timeline), timeline)
    return chart(timeline)


def texts(page):
    return [shape for shape in page.shapes if isinstance(shape, Text)]


def grounds(page):
    """The box behind each chart's lanes: of its theme's idle colour and edge."""
    theme = next(theme for theme in THEMES.values() if theme.background == page.background)
    return [s for s in page.shapes if isinstance(s, Box) and (s.fill, s.line) == (theme.idle, theme.faint)]


def inside(page, ground, kind):
    x0, y0, x1, y1 = bounds(ground)
    found = [
        (shape, bounds(shape)) for shape in page.shapes if isinstance(shape, kind) and shape is not ground
    ]
    return [s for s, b in found if x0 <= b[0] and b[2] <= x1 + 0.01 and y0 <= b[1] and b[3] <= y1 + 0.01]


def assert_tidy(page):
    """Nothing leaves the page, and no text lies over another."""
    for shape in page.shapes:
        x0, y0, x1, y1 = bounds(shape)
        assert min(x0, y0) >= 0, shape
        assert x1 <= page.width.points, shape
        assert y1 <= page.height, shape
    assert overlapping_texts(page) == []


def bounds(shape):
    """Left, top, right, bottom of what a shape covers, in points."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Line):
        xs, ys = zip(*shape.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    if isinstance(shape, Steps):
        return shape.edges[0], min(shape.tops), shape.edges[-1], shape.foot
    assert isinstance(shape, Text)
    return shape.left, shape.y - 0.72 * shape.size, shape.left + shape.width, shape.y + 0.22 * shape.size


def overlapping_texts(page):
    """Pairs of texts that lie over each other, by the widths of Helvetica."""
    texts = sorted((bounds(shape), shape.text) for shape in page.shapes if isinstance(shape, Text))
    found = []
    for n, (box, text) in enumerate(texts):
        for other, beside in itertools.takewhile(lambda entry: entry[0][0] < box[2] - 1e-6, texts[n + 1 :]):  # noqa: B023
            if other[1] < box[3] - 1e-6 and box[1] < other[3] - 1e-6:
                found.append((text, beside))
    return found
