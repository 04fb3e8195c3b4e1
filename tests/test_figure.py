"""The plotly Figures, checked as plain data: what is drawn is what the timeline says."""

import base64
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipesched.analysis import report
from pipesched.analysis.memory import memory, steps
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.ops import Kind
from pipesched.render import figure
from pipesched.render.chart import tone
from pipesched.render.figure.merged import pixels
from pipesched.simulate import simulate

SMALL = [("gpipe", 4, 8), ("1f1b", 8, 32), ("zb1p", 4, 8), ("dualpipe", 8, 20), ("dualpipev", 4, 10)]

#: Idle unit columns of DualPipe at 8 devices, 20 micro-batches, read off the published figure: d0..d3;
#: d4..d7 mirror them.
DUALPIPE_IDLE = [
    {20, 21, 22, 40, 46, 52},
    {0, 18, 19, 43, 49, 57},
    {0, 1, 16, 46, 54, 58},
    {0, 1, 2, 51, 56, 59},
]


def timeline(name, devices, microbatches, **costs):
    return simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))


def cells(drawn):
    """(op, device, start, end) of every bar that is an op."""
    return [
        (row[0], int(device), float(base), float(base + length))
        for trace in drawn.data
        if trace.type == "bar" and trace.customdata is not None and trace.name != "idle"
        for row, device, base, length in zip(trace.customdata, trace.y, trace.base, trace.x, strict=True)
    ]


def named(drawn, name):
    return next(trace for trace in drawn.data if trace.name == name)


def columns(trace):
    """The unit columns that each device's bars cover."""
    found = {}
    for device, base, length in zip(trace.y, trace.base, trace.x, strict=True):
        found.setdefault(int(device), set()).update(range(round(base), round(base + length)))
    return found


@pytest.mark.parametrize(("name", "devices", "microbatches"), SMALL)
def test_every_op_is_one_bar_at_its_time(name, devices, microbatches):
    line = timeline(name, devices, microbatches, latency=0.25)
    schedule = line.schedule
    drawn = sorted(cells(figure.gantt(line)))
    alone = [i for i in range(schedule.n_ops) if not schedule.paired[schedule.slot[i]]]
    expected = {
        (str(schedule.op(i)), int(schedule.device[i]), float(line.start[i]), float(line.end[i]))
        for i in alone
    }
    assert len(drawn) == schedule.n_ops
    assert expected <= set(drawn)


def test_a_pair_is_two_halves_in_one_border():
    line = timeline("dualpipe", 8, 20)
    drawn = figure.gantt(line)
    border = named(drawn, "forward and backward overlapped")
    slots = np.flatnonzero(line.schedule.paired)
    assert sorted(zip(border.y.tolist(), border.base.tolist(), border.x.tolist(), strict=True)) == sorted(
        zip(
            line.schedule.slot_device[slots].tolist(),
            line.slot_start[slots].tolist(),
            (line.slot_end - line.slot_start)[slots].tolist(),
            strict=True,
        )
    )
    # (0F7;7B13) runs on device 0 from 17 to 20: the forward takes a third, as F=1, B=2
    assert {cell for cell in cells(drawn) if cell[1] == 0 and 17 <= cell[2] < 20} == {
        ("0F7", 0, 17.0, 18.0),
        ("7B13", 0, 18.0, 20.0),
    }
    thin = named(drawn, "F forward, down").marker.line.width
    assert set(np.asarray(thin).tolist()) == {0.0, 0.6}  # halves have no border of their own
    assert border.marker.line.width > 0.6


def test_idle_columns_of_dualpipe_are_the_published_ones():
    found = columns(named(figure.gantt(timeline("dualpipe", 8, 20)), "idle"))
    assert [found[d] for d in range(8)] == DUALPIPE_IDLE + DUALPIPE_IDLE[::-1]


def test_hover_says_what_an_op_waited_for():
    drawn = figure.gantt(timeline("1f1b", 2, 2, latency=0.5, unit="ms"))
    rows = {row[0]: row for trace in drawn.data if trace.customdata is not None for row in trace.customdata}
    assert list(rows["0B0"]) == [
        *("0B0", "backward", 0, 0, 0, 5.0, 7.0),
        "waited 3 ms for 1B0 on device 1, 0.5 ms of it transfer",
        "slack 1 ms",  # 0B1 cannot start before 8
    ]
    assert rows["0F0"][7] == "needs nothing from another device"
    assert rows["1F1"][7] == "no wait: 0F1 on device 0 was there at 2.5"
    assert rows["1B0"][8] == "no slack: a delay here delays the end"
    template = named(drawn, "F forward").hovertemplate
    assert template.startswith("<b>%{customdata[0]}</b>")
    assert "%{customdata[5]} to %{customdata[6]} ms" in template


def test_hover_over_idle_time_says_why():
    idle = named(figure.gantt(timeline("1f1b", 2, 2, latency=0.5)), "idle")
    assert list(idle.customdata[0]) == [
        *("inside", 0, 2.0, 5.0, 3.0),
        "waits for 1B0 on device 1, 0.5 F of it transfer",
    ]
    assert list(idle.customdata[-1][0::5]) == ["drain", "nothing left to do"]


def test_hover_over_a_pair_names_its_partner():
    rows = [row for trace in figure.gantt(timeline("dualpipe", 8, 20)).data for row in trace.customdata or ()]
    words = {(row[0], row[4]): row[1] for row in rows}
    assert words["0F7", 0] == "forward, overlapped with 7B13"
    assert words["7B13", 0] == "backward, overlapped with 0F7"


@pytest.mark.parametrize(("name", "devices", "microbatches"), SMALL)
def test_colours_are_the_palette_and_traces_are_few(name, devices, microbatches):
    drawn = figure.gantt(timeline(name, devices, microbatches))
    palette = {tone(kind, shade).fill for kind in Kind for shade in range(2)}
    tones = [trace for trace in drawn.data if trace.customdata is not None and trace.name != "idle"]
    assert {trace.marker.color for trace in tones} <= palette
    assert len(drawn.data) <= 2 + 2 * len(palette)
    assert sum(len(trace.text or ()) for trace in drawn.data) == len(cells(drawn))  # a number on each


def test_device_0_is_at_the_top_and_time_has_its_unit():
    drawn = figure.gantt(timeline("1f1b", 4, 8, unit="ms"))
    assert list(drawn.layout.yaxis.range) == [3.5, -0.5]
    assert drawn.layout.xaxis.title.text.startswith("time (ms)<br>")
    assert "costs: F=1 B=2 I=1 W=1 F&amp;B=3 latency=0 (unit: ms)" in drawn.layout.xaxis.title.text
    assert drawn.layout.title.text == "1f1b: 4 devices, 4 stages, 8 micro-batches"


def test_markup_in_a_user_s_text_is_shown_not_obeyed():
    line = timeline("1f1b", 2, 2, unit="<b>%{x}")
    line = simulate(line.schedule.renamed("<i>mine"), line.costs)
    drawn = figure.gantt(line)
    assert drawn.layout.title.text.startswith("&lt;i&gt;mine")
    assert "<b>%{x}" not in drawn.to_json()


def test_above_3000_ops_the_chart_is_merged_and_says_so():
    line = timeline("1f1b", 8, 512)
    drawn = figure.gantt(line)
    assert line.schedule.n_ops > figure.MOST_OPS
    assert "Merged: 8,192 ops are too many" in drawn.layout.xaxis.title.text
    assert figure.merged_notice(timeline("1f1b", 8, 32)) == ""
    assert len(drawn.data) <= 9
    busy = drawn.data[0].z.sum(axis=1, dtype=np.float64) * drawn.data[0].dx
    assert busy == pytest.approx(line.busy, rel=1e-5)
    assert len(drawn.layout.images) == 1


def test_the_merged_picture_has_the_palette_and_the_idle_start():
    line = timeline("1f1b", 8, 512)
    source = figure.gantt(line).layout.images[0].source
    chunks, rows = decoded(base64.b64decode(source.removeprefix("data:image/png;base64,")))
    palette = [chunks[b"PLTE"][i : i + 3].hex() for i in range(0, len(chunks[b"PLTE"]), 3)]
    lane = rows.shape[0] // 8
    first, last = (
        rows[lane // 2],
        rows[7 * lane + lane // 2],
    )  # through the middle of device 0 and of device 7
    assert "#" + palette[first[0]] == tone(Kind.F, 0).fill
    waits = round(rows.shape[1] * 7 / line.makespan)  # device 7 starts at 7
    assert set(last[: waits - 1].tolist()) == {1}
    assert last[waits + 2] != 1
    assert chunks[b"tRNS"][0] == 0  # nothing between lanes


def decoded(png):
    """Chunks by name, and the palette indices as uint8[rows, columns]."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        name, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(name + content)
        chunks[name], at = content, at + 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    return chunks, lines[:, 1:]


@given(st.lists(st.floats(0, 1), min_size=8, max_size=8), st.one_of(st.just(0.0), st.floats(1e-5, 0.2)))
def test_idle_time_is_never_rounded_away(parts, idle):
    share = np.array(parts) / (sum(parts) or 1.0) * (1 - idle)
    (lane,) = pixels(share[None, None]).T
    filled = lane[1:-1]
    assert (filled == 1).any() == (idle > 0 or not sum(parts))
    assert np.count_nonzero(filled == 1) <= len(filled) * (1 - share.sum()) + 1


@pytest.mark.parametrize(("name", "devices", "microbatches"), SMALL)
def test_memory_is_the_staircase(name, devices, microbatches):
    line = timeline(name, devices, microbatches)
    held = memory(line.schedule)
    drawn = figure.memory(line)
    bars = [tuple(row) for trace in drawn.data[:2] for row in trace.customdata.tolist()]
    for d in range(devices):
        mine = sorted((base, end, level) for device, level, base, end in bars if device == d)
        times, levels = steps(line, held, d)
        middles = (times[:-1] + times[1:]) / 2
        expected = levels[:-1][np.diff(times) > 0]
        got = [
            next((level for base, end, level in mine if base < t < end), 0.0)
            for t in middles[np.diff(times) > 0]
        ]
        assert got == expected.tolist()
    assert list(drawn.layout.yaxis2.ticktext) == [f"{peak:g}" for peak in held.peak]
    peak = named(drawn, "at the device's peak").customdata
    assert {int(d): level for d, level, *_ in peak.tolist()} == dict(enumerate(held.peak.tolist()))


def test_memory_of_a_long_schedule_is_bounded_and_keeps_its_peaks():
    line = timeline("1f1b", 16, 512)
    drawn = figure.memory(line)
    assert sum(len(trace.x) for trace in drawn.data[:2]) <= 8000
    assert drawn.layout.xaxis.title.text.count(figure.MERGED_MEMORY) == 1
    peak = named(drawn, "at the device's peak").customdata
    assert {int(d): level for d, level, *_ in peak.tolist()} == {d: 16.0 - d for d in range(16)}


def test_bars_of_memory_stand_in_their_lanes():
    drawn = figure.memory(timeline("dualpipe", 8, 20))
    for trace in drawn.data[:2]:
        low, high = trace.y - trace.width / 2, trace.y + trace.width / 2
        assert np.allclose(high, trace.customdata[:, 0] + 0.42)
        assert (low >= trace.customdata[:, 0] - 0.42 - 1e-9).all()


def bars(drawn):
    return [trace for trace in drawn.data if trace.type == "bar"]


def test_the_formula_is_marked_on_every_bar_of_a_schedule_that_has_one():
    drawn = figure.idle([report(timeline("dualpipe", 8, 20)), report(timeline("1f1b", 4, 8, F=[1, 2, 1, 1]))])
    (mark,) = [trace for trace in drawn.data if trace.type == "scatter"]
    assert list(zip(mark.x, mark.y, strict=True)) == [(6.0, lane) for lane in range(8)]


def test_tradeoff_joins_the_schedules_that_no_other_beats():
    drawn = figure.tradeoff([report(timeline(name, 8, 20)) for name in ("gpipe", "1f1b", "zb1p", "dualpipe")])
    fronts = [trace for trace in drawn.data if trace.name == "Pareto front"]
    assert [list(front.x) for front in fronts] == [[1.0, 1.125], [12.5, 25.0]]
    points = {trace.name: (trace.x[0], trace.y[0]) for trace in drawn.data if trace.mode == "markers"}
    assert points["gpipe"] == (12.5, pytest.approx(100 * 21 / 81))  # the last: parameters
    assert len({trace.marker.symbol for trace in drawn.data if trace.mode == "markers"}) == 4
    alone = figure.tradeoff([report(timeline("1f1b", 4, 8))])
    assert [trace.name for trace in alone.data] == ["1f1b", "1f1b"]


def test_idle_by_cause_adds_up_and_shows_transfers_apart():
    line = timeline("dualpipe", 8, 20, latency=0.5)
    measured = report(line)
    drawn = figure.idle([measured])
    assert np.sum([bar.x for bar in bars(drawn)], axis=0) == pytest.approx(measured.bubble.idle)
    moving = [trace for trace in drawn.data if trace.name.endswith(": transfer")]
    assert np.sum([t.x for t in moving], axis=0) == pytest.approx(measured.bubble.causes.transfer)
    assert {trace.marker.pattern.shape for trace in moving} == {"/"}
    without = figure.idle([report(timeline("dualpipe", 8, 20))])
    assert [bar.name for bar in bars(without)] == ["start-up", "inside", "drain"]
    assert without.data[0].x.tolist() == [0, 1, 2, 3, 3, 2, 1, 0]


def test_idle_of_several_schedules_is_grouped_even_of_one_name():
    reports = [report(timeline("1f1b", 2, 4)), report(timeline("1f1b", 4, 8)), report(timeline("zb1p", 2, 4))]
    drawn = figure.idle(reports)
    lanes = list(drawn.data[0].y)
    assert lanes == [0, 1, 4, 5, 6, 7, 10, 11]
    assert list(drawn.layout.yaxis.range) == [11.5, -0.5]
    assert list(drawn.layout.yaxis.ticktext) == ["1f1b", "1f1b", "zb1p"]
    assert list(drawn.layout.yaxis.tickvals) == [0.5, 5.5, 10.5]
    assert [tuple(row) for row in drawn.data[0].customdata][2:4] == [("1f1b", 0), ("1f1b", 1)]
    total = np.sum([bar.x for bar in bars(drawn)], axis=0)
    assert total == pytest.approx([idle for each in reports for idle in each.bubble.idle])


def test_an_untitled_figure_leaves_words_and_paper_to_the_page():
    line = timeline("1f1b", 4, 8)
    for drawn in (figure.gantt(line, titled=False), figure.memory(line, titled=False)):
        assert drawn.layout.title.text == ""
        assert drawn.layout.xaxis.title.text == "time (F)"
        assert drawn.layout.paper_bgcolor == "rgba(0,0,0,0)"
