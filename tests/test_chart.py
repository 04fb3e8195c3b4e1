"""The plain data that every renderer draws."""

from dataclasses import replace

import pytest

from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.placement import Placement, bidirectional_zigzag, zigzag
from pipesched.render.chart import chart
from pipesched.simulate import simulate


def drawing(name="dualpipe", devices=8, microbatches=20, chunks=None, **options):
    return chart(simulate(find(name).generate(devices, microbatches, chunks, **options), CostModel()))


@pytest.mark.parametrize("name", ["1f1b", "mine.py:a", "odd: name"])
def test_the_name_is_the_title_without_sizes(name):
    schedule = find("1f1b").generate(2, 2)
    assert chart(simulate(replace(schedule, name=name))).name == name
    assert replace(drawing(), title="only words").name == "only words"


def test_shades_tell_chunks_and_directions_apart():
    assert zigzag(4, 6).shades(0) == [0, 1, 2, 3, 4, 5]
    assert Placement(((0, 3), (1, 2)), ((0, 1), (0, 1))).shades(1) == [0, 1]
    for row in bidirectional_zigzag(4, 8).flows:
        shades = Placement((tuple(range(8)),), (row,)).shades(0)
        assert sorted(shades) == list(range(8))
        assert [shade % 2 for shade in shades] == list(row)


@pytest.mark.parametrize(
    ("waves", "light"), [(1, "forward, chunk 0"), (4, "forward, chunks 0/2/4/6"), (5, "forward, even chunks")]
)
def test_legends_stay_short_however_many_chunks_there_are(waves, light):
    assert drawing("hanayo", 2, 2, waves=waves).legend[0].text == light
