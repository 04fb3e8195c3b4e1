"""Every schedule of the wider family runs at every size that it does not refuse."""

import itertools

import numpy as np
import pytest

from pipesched.errors import ShapeError
from pipesched.generators import find
from pipesched.ops import Kind
from pipesched.simulate import simulate
from pipesched.validate import validate

ANY_SIZE = ["looped-bfs", "zb-h2", "zbv", "v-half", "v-min", "1f1b-v"]
SOME_SIZES = ["interleaved-1f1b", "interleaved-zb", "chimera", "hanayo", "bitpipe"]


@pytest.mark.parametrize("name", ANY_SIZE + SOME_SIZES)
def test_runs_at_every_legal_size(name):
    ran = 0
    for devices, microbatches in itertools.product((1, 2, 3, 4, 5, 8), (1, 2, 3, 4, 5, 7, 8, 12, 16)):
        try:
            schedule = find(name).generate(devices, microbatches)
        except ShapeError:
            assert name in SOME_SIZES
            continue
        ran += 1
        assert validate(schedule) == []
        flows = schedule.placement.n_flows
        forwards = int((schedule.kind == Kind.F).sum())
        assert forwards == schedule.stages * microbatches
        assert len(np.unique(schedule.microbatch)) == microbatches
        assert schedule.placement.copies == flows
    assert ran >= 10


@pytest.mark.parametrize("name", ["interleaved-1f1b", "interleaved-zb", "looped-bfs"])
@pytest.mark.parametrize("chunks", [1, 2, 3, 5])
def test_runs_with_any_number_of_stages_per_device(name, chunks):
    for devices, microbatches in [(1, 3), (2, 1), (2, 6), (3, 2), (4, 8), (5, 10)]:
        schedule = find(name).generate(devices, microbatches, chunks)
        assert schedule.stages == devices * chunks
        assert validate(schedule) == []


def test_too_many_chunks_are_refused():
    with pytest.raises(ShapeError, match="chunks are numbered from 0 to 16382; got 16383"):
        find("looped-bfs").generate(1, 1, 16384)


@pytest.mark.parametrize("name", ["zb-h2", "zbv", "v-half", "v-min", "interleaved-1f1b"])
def test_no_device_beats_the_critical_path(name):
    """All devices but one wait for the first forward; no schedule ends before its longest chain."""
    for devices, microbatches in [(2, 4), (4, 8), (4, 4)]:
        schedule = find(name).generate(devices, microbatches)
        timeline = simulate(schedule)
        assert timeline.makespan >= schedule.stages * 2 + 1
        assert timeline.makespan - timeline.busy.min() >= devices - 1
