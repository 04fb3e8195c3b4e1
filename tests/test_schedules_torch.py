"""Orders, op for op, against torch's schedule classes with several stages per device."""

import re

import pytest
from conftest import DATA

from pipesched.generators import find

NAMES = ("Interleaved1F1B", "LoopedBFS", "InterleavedZeroBubble", "ZBVZeroBubble")
GOLDEN = [path for name in NAMES for path in sorted((DATA / "orders" / "torch").glob(f"Schedule{name}_*"))]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_order_equals_torchs(path):
    name, *sizes = re.match(r"(\w+)_pp(\d+)_mb(\d+)_v(\d+)", path.stem).groups()
    schedule = find(name).generate(*map(int, sizes))
    assert [",".join(row) for row in schedule.rows()] == path.read_text().splitlines()


def test_there_is_golden_data():
    assert len(GOLDEN) == 60


@pytest.mark.parametrize(
    ("names", "registered"),
    [
        ("GPipe gpipe ScheduleGPipe", "gpipe"),
        ("Interleaved1F1B SCHEDULEINTERLEAVED1F1B vpp VPP interleaved looped", "interleaved-1f1b"),
        ("LoopedBFS loopedbfs ScheduleLoopedBFS looped_bfs", "looped-bfs"),
        ("InterleavedZeroBubble scheduleinterleavedzerobubble", "interleaved-zb"),
        ("ZBVZeroBubble zb-v ScheduleZBVZeroBubble", "zbv"),
        ("zbh2 ZB-H2", "zb-h2"),
        ("vhalf V-Half", "v-half"),
        ("vmin V-Min", "v-min"),
        ("1F1B-V", "1f1b-v"),
    ],
)
def test_torchs_and_everyday_names_are_known(names, registered):
    assert {find(name).name for name in names.split()} == {registered}


@pytest.mark.parametrize(("devices", "microbatches"), [(1, 1), (1, 4), (4, 1), (4, 3), (4, 8), (5, 11)])
def test_interleaved_zb_with_one_stage_per_device_is_zb1p(devices, microbatches):
    if microbatches % max(1, microbatches // devices):
        microbatches -= 1
    one = find("interleaved-zb").generate(devices, microbatches, 1)
    assert one == find("zb1p").generate(devices, microbatches)


def test_interleaved_with_one_stage_per_device_warms_up_twice_as_long_as_1f1b():
    rows = [" ".join(row) for row in find("interleaved-1f1b").generate(4, 8, 1).rows()]
    assert [row.count("F", 0, row.index("B")) - 1 for row in rows] == [6, 4, 2, 0]
