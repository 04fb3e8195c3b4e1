"""ZB-H2, ZBV and interleaved zero bubble: bubbles and peaks of the papers."""

import json

import pytest
from conftest import DATA

from pipesched.analysis import analyze
from pipesched.analysis.bubble import bubble
from pipesched.analysis.memory import memory
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.simulate import simulate

EVEN = CostModel.of(F=1, I=1, W=1)
MEASURED = json.loads((DATA / "numbers" / "zero_bubble_rates.json").read_text())["rows"]


@pytest.mark.parametrize(
    "row", MEASURED, ids=lambda row: f"{row['model']}-pp{row['pp']}-mb{row['microbatches']}"
)
@pytest.mark.parametrize("name", ["1f1b", "zb-h1", "zb-h2"])
def test_rates_printed_in_the_paper(row, name):
    costs = CostModel.of(**{key: row[key] for key in ("F", "I", "W", "latency")})
    schedule = find(name).generate(row["pp"], row["microbatches"])
    assert round(bubble(simulate(schedule, costs)).span_rate, 4) == row["span_bubble_rate"][name]


@pytest.mark.parametrize("devices", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("times", [(1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 0.2), (1, 3, 0.5), (0.3, 1.7, 2)])
def test_zb_h2_formula(devices, times):
    f, i, w = times
    for microbatches in (2 * devices - 1, 2 * devices, 3 * devices):
        report = analyze(find("zb-h2").generate(devices, microbatches), CostModel.of(F=f, I=i, W=w))
        assert report.bubble.formula.exact
        assert report.bubble.idle == pytest.approx(devices * [(devices - 1) * max(f, f + i - 2 * w, i - f)])
        within = (devices - 1) * max(0, f + i - 2 * w, i - f)
        assert max(report.bubble.span_idle) == pytest.approx(within)


@pytest.mark.parametrize(("devices", "microbatches"), [(1, 1), (1, 3), (4, 7), (4, 8), (4, 20), (8, 15)])
def test_zb_h2_holds_twice_as_much_on_every_device(devices, microbatches):
    schedule = find("zb-h2").generate(devices, microbatches)
    assert memory(schedule).peak.tolist() == devices * [2 * devices - 1]


def test_zb_h2_order_in_full():
    rows = [" ".join(op[1:] for op in row) for row in find("zb-h2").generate(3, 5).rows()]
    assert rows == [
        "F0 F1 F2 F3 F4 I0 W0 I1 W1 I2 W2 I3 W3 I4 W4",
        "F0 F1 F2 I0 F3 I1 F4 I2 W0 I3 W1 I4 W2 W3 W4",
        "F0 I0 F1 I1 F2 I2 F3 I3 F4 I4 W0 W1 W2 W3 W4",
    ]


@pytest.mark.parametrize("devices", [1, 2, 3, 4, 5, 8])
def test_zbv_has_no_bubble_between_its_ends(devices):
    for microbatches in (2 * devices - 1, 2 * devices, 3 * devices + 1):
        schedule = find("zbv").generate(devices, microbatches)
        report = analyze(schedule, EVEN)
        assert report.bubble.span_idle == devices * [0]
        assert report.bubble.idle == devices * [devices - 1]
        assert report.bubble.formula.exact
        assert report.memory.peak_activations == devices * [2 * devices]
        assert report.memory.peak_model_share == devices * [1]


def test_zbv_stands_in_a_v():
    assert find("zbv").generate(4, 8).placement.stages == ((0, 7), (1, 6), (2, 5), (3, 4))


@pytest.mark.parametrize(
    ("devices", "microbatches"), [(1, 2), (2, 3), (3, 3), (4, 8), (4, 5), (5, 14), (8, 16)]
)
@pytest.mark.parametrize("chunks", [1, 2, 4])
def test_interleaved_zb_has_the_bubble_of_zb1p_on_one_small_stage(devices, microbatches, chunks):
    schedule = find("interleaved-zb").generate(devices, microbatches, chunks)
    for f, i, w in [(1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 0.5), (1, 0.5, 3)]:
        report = analyze(schedule, CostModel.of(F=f, I=i, W=w))
        assert report.bubble.formula.exact
        assert report.bubble.idle == devices * [(devices - 1) * max(f, i, f + i - w)]
    group = microbatches // (microbatches // devices)
    assert memory(schedule).peak.max() == min(devices + (chunks - 1) * group, chunks * microbatches)
