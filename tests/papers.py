"""Charts and boxes that the tests of the figures for paper share."""

import itertools

from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.render.chart import chart
from pipesched.render.paper import Box, Line, Steps, Text
from pipesched.simulate import simulate


def charted(name, devices, microbatches, **costs):
    return chart(simulate(find(name).generate(devices, microbatches), CostModel.of(**costs)))


def bounds(shape):
    """Left, top, right, bottom of what a shape covers, in points."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Line):
        return (
            min(shape.x0, shape.x1),
            min(shape.y0, shape.y1),
            max(shape.x0, shape.x1),
            max(shape.y0, shape.y1),
        )
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
