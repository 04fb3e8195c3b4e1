"""The terminal chart: what stands where, what it looks like, and that it never lies about idle time."""

import io
import itertools
import math
import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console
from strategies import schedules

from pipesched.analysis.critical import critical_path
from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.costs import CostModel
from pipesched.generators import find
from pipesched.generators.size import Size
from pipesched.ops import Kind, Op
from pipesched.render import annotate
from pipesched.render.axis import Piece
from pipesched.render.chart import PALETTE, chart
from pipesched.render.excerpt import LeftOut, Memory, cut, excerpt, leave_out
from pipesched.render.terminal import Gantt, shares
from pipesched.render.terminal.canvas import Canvas
from pipesched.render.terminal.colors import Colors
from pipesched.render.terminal.look import Look
from pipesched.render.terminal.panel import Panel
from pipesched.render.terminal.ruler import ticks
from pipesched.render.terminal.scale import Scale, fit, lower_quartile
from pipesched.schedule import Schedule
from pipesched.simulate import simulate

SYSTEMS = ("truecolor", "256", "standard", "windows")


def drawing(name="dualpipe", devices=8, microbatches=20, **costs):
    return chart(simulate(find(name).generate(devices, microbatches), CostModel.of(**costs)))


def console(width=80, system=None, **options):
    return Console(
        width=width,
        color_system=system,
        force_terminal=system is not None,
        file=io.StringIO(),
        legacy_windows=False,
        **{"no_color": False, **options},
    )


def text(gantt, width=80, system=None, **options):
    """What arrives in a file, without spaces at the ends of lines."""
    out = console(width, system, **options)
    out.print(gantt)
    return [line.rstrip() for line in out.file.getvalue().splitlines()]


def plain(lines):
    """In one line, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", " ".join(lines))


class Character(NamedTuple):
    sign: str
    ink: str | None
    fill: str | None
    underline: bool

    @property
    def hole(self):
        """Whether the terminal's background is the ink."""
        return self.ink is None and self.fill is not None


def grid(gantt, width=80, system="truecolor"):
    """Every character with its colours, line by line; None is the terminal's own colour."""
    out = console(width, system)
    rows = [[]]
    for segment in out.render(gantt, out.options):
        style = segment.style
        front, back = (style.color, style.bgcolor) if style else (None, None)
        names = [color and color.name for color in (front, back)]
        if style and style.reverse:
            names.reverse()
        for sign in segment.text:
            if sign == "\n":
                rows.append([])
            else:
                rows[-1].append(Character(sign, *names, bool(style and style.underline)))
    return rows


def lanes(gantt, devices, width=80, system=None):
    """The lines of the devices, from their first column on."""
    margin = len(str(devices - 1)) + 1
    lines = text(gantt, width, system)
    first = next(i for i, line in enumerate(lines) if re.match(" +[|▏]", line)) + 1
    return [line[margin:] for line in lines[first : first + devices]]


# --- letters ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "arguments", "width"),
    [
        ("dualpipe-8-20-at-80.txt", ("dualpipe", 8, 20), 80),
        ("dualpipe-8-20-at-200.txt", ("dualpipe", 8, 20), 200),
        ("1f1b-4-8-at-80.txt", ("1f1b", 4, 8), 80),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_text_as_it_arrives_in_a_file(file, arguments, width, data):
    expected = (data / "terminal" / file).read_text(encoding="utf-8").splitlines()
    assert text(Gantt(drawing(*arguments)), width) == expected


#: The idle columns of DualPipe on 8 devices with 20 micro-batches, one column per unit of time.
IDLE = (
    [20, 21, 22, 40, 46, 52],
    [0, 18, 19, 43, 49, 57],
    [0, 1, 16, 46, 54, 58],
    [0, 1, 2, 51, 56, 59],
)


def test_idle_columns_of_the_published_figure():
    drawn = lanes(Gantt(drawing(), ascii=True), 8)
    idle = [[column for column, sign in enumerate(lane) if sign == "."] for lane in drawn]
    assert idle == [*IDLE, *reversed(IDLE)]
    assert {len(lane) for lane in drawn} == {66}


def expected_lane(timeline, device, rate):
    """A lane at a whole number of columns per unit, op by op, where every text fits."""
    schedule, line = timeline.schedule, ""
    for slot in range(schedule.first_slot[device], schedule.first_slot[device + 1]):
        start, end = (round(rate * times[slot]) for times in (timeline.slot_start, timeline.slot_end))
        names = []
        for i in range(schedule.slot_op[slot], schedule.slot_op[slot + 1]):
            letter = schedule.op(i).kind.name
            second = schedule.chunk[i] if schedule.placement.n_flows == 1 else schedule.microbatch[i] >= 10
            names.append(f"{letter.lower() if second else letter}{schedule.microbatch[i]}")
        line = line.ljust(start, ".") + "&".join(names).ljust(end - start)
    return line.ljust(round(rate * timeline.makespan), ".").rstrip()


@pytest.mark.parametrize(("name", "devices"), [("dualpipe", 8), ("dualpipev", 4), ("zb1p", 4), ("gpipe", 3)])
def test_every_op_stands_where_the_simulation_says(name, devices):
    timeline = simulate(find(name).generate(devices, 20 if name == "dualpipe" else 10))
    width = 2 + 3 * round(timeline.makespan)
    drawn = lanes(Gantt(chart(timeline), ascii=True), devices, width)
    rate = fit([chart(timeline)], width - 2).rate
    assert drawn == [expected_lane(timeline, d, rate) for d in range(devices)]


@pytest.mark.parametrize(
    ("costs", "columns", "expected"),
    [
        ({}, 18, "F0 F1&B0    B1"),
        ({}, 12, "F0F1&B0 B1"),
        ({}, 6, "FF&BB1"),
        ({"FB": 2}, 10, "F0F&B B1"),
        ({"F": 2, "FB": 2}, 6, "F0F&B1"),
    ],
)
def test_pairs_shorten_their_text(costs, columns, expected):
    rows = [[Op(0, 0, 0), (Op(0, 0, 1), Op(1, 0, 0)), Op(1, 0, 1)]]
    drawn = chart(simulate(Schedule.from_rows("p", rows), CostModel.of(**costs)))
    assert lanes(Gantt(drawn, ascii=True), 1, 2 + columns) == [expected]


def test_no_color_keeps_to_letters():
    plain = text(Gantt(drawing()), 120)
    assert text(Gantt(drawing()), 120, "truecolor", no_color=True)[:10] == plain[:10]
    assert "\x1b" not in "".join(plain)


@pytest.mark.parametrize("unit", ["\N{MICRO SIGN}s", "F", "日"])
def test_ascii_is_seven_bit(unit):
    drawn = drawing("1f1b", 4, 8, unit=unit)
    for gantt in (Gantt(drawn, ascii=True), Gantt(drawn, ascii=True, color_by="microbatch")):
        for system in (None, "truecolor"):
            everything = "\n".join(text(gantt, 80, system))
            assert everything.isascii()
            assert "\x1b[38" not in everything


# --- nothing is wider than the terminal ------------------------------------------------------------


def all_charts():
    yield drawing()
    yield drawing("dualpipev", 4, 10)
    yield drawing("1f1b", 1, 1)
    yield drawing("1f1b", 64, 64)
    yield drawing("zb1p", 12, 1100, F=29.7, B=61.2, W=30.1, unit="ms")
    yield drawing("1f1b", 4, 8, latency=0.5).window(3.3, 17.1, range(1, 3))


@pytest.mark.parametrize("system", [None, *SYSTEMS])
@pytest.mark.parametrize("color_by", ["kind", "microbatch"])
def test_no_line_is_wider_than_the_console(system, color_by):
    for drawn in all_charts():
        for width in (1, 2, 5, 20, 21, 47, 79, 80, 120, 200, 250):
            rows = grid(Gantt(drawn, color_by=color_by), width, system)
            assert max(cell_len("".join(c.sign for c in row)) for row in rows) <= width


@settings(max_examples=40, deadline=None)
@given(schedules(), st.integers(20, 250), st.sampled_from([None, "truecolor"]))
def test_any_schedule_fits_any_width(schedule, width, system):
    drawn = chart(simulate(schedule))
    rows = grid(Gantt(drawn), width, system)
    assert max(cell_len("".join(c.sign for c in row)) for row in rows) <= width
    assert "".join(c.sign for c in rows[0]).startswith("random: ")


def test_titles_are_text():
    schedule = find("1f1b").generate(1, 1).renamed("[red]a\x1b[31m\nb[/red] " + "日本" * 30)
    lines = text(Gantt(chart(simulate(schedule))), 40)
    assert lines[0].startswith(r"[red]a\x1b[31m\nb[/red]")
    assert max(map(cell_len, lines)) <= 40


# --- idle time -------------------------------------------------------------------------------------


def gaps(drawn, scale):
    """Idle intervals of each lane, in columns."""
    for lane in range(len(drawn.lanes)):
        bars = np.flatnonzero(drawn.lane == lane)
        edges = zip(np.append(0.0, drawn.end[bars]), np.append(drawn.start[bars], drawn.t1), strict=True)
        for start, end in edges:
            yield lane, *scale.at(np.array([start, end])).tolist()


@settings(max_examples=40, deadline=None)
@given(schedules(), st.integers(20, 120), st.sampled_from([0.0, 0.1, 0.7, 3.3]), st.sampled_from([1.0, 0.37]))
def test_letters_show_every_gap_of_half_a_column(schedule, width, latency, forward):
    drawn = chart(simulate(schedule, CostModel.of(F=forward, latency=latency)))
    scale = fit([drawn], width - 2, 0.5)
    assume(lower_quartile([drawn], scale) > 0.7)
    lines = [line.ljust(width) for line in lanes(Gantt(drawn, ascii=True), len(drawn.lanes), width)]
    for lane, start, end in gaps(drawn, scale):
        if end - start >= 0.5:
            near = lines[lane][max(math.floor(start) - 1, 0) : math.ceil(end) + 1]
            assert "." in near, (lines[lane], start, end)


@settings(max_examples=40, deadline=None)
@given(schedules(), st.integers(20, 120), st.sampled_from([0.0, 0.1, 0.7, 3.3]), st.sampled_from([1.0, 0.37]))
def test_colors_show_every_gap_of_an_eighth_of_a_column(schedule, width, latency, forward):
    drawn = chart(simulate(schedule, CostModel.of(F=forward, latency=latency)))
    lines = grid(Gantt(drawn), width)
    first = next(i for i, line in enumerate(lines) if any(c.sign == "▏" for c in line)) + 1
    margin = lines[first - 1].index(("▏", None, None, False))
    scale = fit([drawn], width - margin)
    assume(lower_quartile([drawn], scale) > 0.7)
    holes = "▎▍▌▋▊▉" if scale.whole else "▏▎▍▌▋▊▉"  # a border is no gap
    for lane, start, end in gaps(drawn, scale):
        if end - start >= 1 / 8:
            line = [*lines[first + lane][margin:], Character(" ", None, None, False)]
            near = line[max(math.floor(start) - 1, 0) : math.ceil(end) + 2]
            assert any(c.fill is None or (c.hole and c.sign in holes) for c in near)


@pytest.mark.parametrize("width", [80, 97, 120, 200])
@pytest.mark.parametrize("latency", [0.1, 0.25, 0.7])
def test_idle_time_is_exact_to_an_eighth_of_a_column(width, latency):
    """Add up what is blank in a lane: holes on the left of fills, the right of them, and blank columns."""
    drawn = drawing("1f1b", 4, 8, latency=latency)
    lines = grid(Gantt(drawn), width)[2:6]
    margin = lines[0].index(next(c for c in lines[0] if c.fill))
    scale = fit([drawn], width - margin)
    blank_of = {sign: eighths / 8 for eighths, sign in enumerate(" ▏▎▍▌▋▊▉")}
    for lane, line in enumerate(lines):
        columns = line[margin:]
        blank = sum(
            blank_of[c.sign] if c.hole else 1 - blank_of[c.sign] if c.ink else 1.0
            for c in columns
            if c.fill is None or c.hole
        )
        busy = scale.at(drawn.end)[drawn.lane == lane] - scale.at(drawn.start)[drawn.lane == lane]
        borders = len(busy) if scale.whole else 0
        assert len(columns) - blank == pytest.approx(busy.sum() - borders / 8, abs=1.5)


@pytest.mark.parametrize("system", ["truecolor", "256", "standard"])
def test_a_boundary_inside_a_column_stands_at_its_eighth(system):
    drawn = drawing("1f1b", 2, 4, F=1.3, B=2.6)
    scale = Scale(0.0, 40, 2.0)
    panel = Panel(drawn, scale, Look(Colors([drawn], "kind", system), ascii=False), 0)
    for start, end in scale.at(np.stack((drawn.start, drawn.end), axis=1))[drawn.lane == 0].tolist():
        for edge in (start, end):
            column, part = divmod(round(8 * edge), 8)
            if part and column < scale.columns and panel.canvas.char[0, column] > 0x2500:
                assert chr(panel.canvas.char[0, column]) == " ▏▎▍▌▋▊▉"[part]


# --- thinner than a character ----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "microbatches"), [("1f1b", 300), ("dualpipe", 200), ("zb1p", 150)])
@pytest.mark.parametrize("latency", [0.0, 1.7])
def test_letters_stand_for_their_share_of_time(name, microbatches, latency):
    drawn = drawing(name, 8, microbatches, latency=latency)
    share = drawn.coverage(78)
    share = np.concatenate((share, 1 - share.sum(axis=2, keepdims=True)), axis=2).cumsum(axis=1)
    for lane, line in enumerate(lanes(Gantt(drawn, ascii=True), 8, 80)):
        shown = np.array([[sign == letter for letter in "FfBbIiWw."] for sign in line]).cumsum(axis=0)
        assert np.abs(shown - share[lane]).max() <= 1
        assert np.abs(shown - share[lane])[:, 8].max() <= 0.5 + 1e-6  # idle
    note = " ".join(text(Gantt(drawn), 150))
    assert (
        "wider than most cells: letters stand for shares of time, idle time among them; look closer" in note
    )


@pytest.mark.parametrize("width", [40, 61, 80])
@pytest.mark.parametrize("latency", [0.0, 1.7, 7.3])
def test_letters_show_every_gap_as_long_as_a_column(width, latency):
    drawn = drawing("1f1b", 8, 64, latency=latency)
    scale = fit([drawn], width - 2, 0.5)
    lines = [line.ljust(width) for line in lanes(Gantt(drawn, ascii=True), 8, width)]
    shown = 0
    for lane, start, end in gaps(drawn, scale):
        if end - start >= 1:
            shown += 1
            assert "." in lines[lane][math.floor(start) : math.ceil(end)]
    assert shown >= 3


@pytest.mark.parametrize(("name", "microbatches"), [("1f1b", 300), ("dualpipe", 200), ("zb1p", 150)])
def test_fills_stand_for_their_share_of_time(name, microbatches):
    drawn = drawing(name, 8, microbatches)
    names = {PALETTE[kind][shade].fill: 2 * kind + shade for kind in Kind for shade in (0, 1)}
    coverage = drawn.coverage(78)
    for lane, line in enumerate(grid(Gantt(drawn), 80)[2:10]):
        area = np.zeros((78, 9))  # the last for idle
        for column, (sign, ink, fill, _) in enumerate(line[2:]):
            height = " ▁▂▃▄▅▆▇█".index(sign) / 8
            area[column, names.get(ink, 8)] += height
            area[column, names.get(fill, 8)] += 1 - height
        assert np.allclose(area.sum(axis=0)[:8], coverage[lane].sum(axis=0), atol=1 + 78 / 16)
        idle = 1 - coverage[lane].sum(axis=1)
        assert np.all(np.abs(area[:, 8] - np.where(idle >= 1 / 16, idle, 0)) <= 1 / 16 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(schedules(), st.integers(20, 40), st.sampled_from([0.0, 0.1, 0.7]), st.sampled_from([1.0, 0.37]))
def test_fills_stand_only_where_their_kind_runs(schedule, width, latency, forward):
    drawn = chart(simulate(schedule, CostModel.of(F=forward, latency=latency)))
    colors = Colors([drawn], "kind", "truecolor")
    canvas = Canvas(len(drawn.lanes), width)
    shares.paint_colors(canvas, drawn, colors)
    coverage = drawn.coverage(width)
    for lane, column in np.ndindex(canvas.char.shape):
        here = coverage[lane, column]
        height = " ▁▂▃▄▅▆▇".index(chr(canvas.char[lane, column]))
        shown = [
            number - 1
            for number in (canvas.back[lane, column], canvas.front[lane, column] * (height > 0))
            if number
        ]
        blank = 0 if canvas.back[lane, column] else 1 - height / 8
        idle = 1 - here.sum()
        assert abs(blank - (idle if idle >= 1 / 16 else 0)) <= 1 / 16 + 1e-9
        kinds = here.reshape(4, 2)
        for tone in shown:
            assert here[tone] >= kinds[tone // 2].max() / 2 > 0
        if len(shown) == 1 and idle >= 1 / 16:
            assert kinds[shown[0] // 2].sum() >= kinds.sum(axis=1).max() / 2
        if len(shown) == 2 and shown[1] // 2 == Kind.F:
            assert abs(height / 8 - kinds[Kind.F].sum() / here.sum()) <= 1 / 16 + 1e-9


# --- colour ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("color_by", ["kind", "microbatch"])
def test_every_tone_differs_in_every_system(system, color_by):
    colors = Colors([drawing()], color_by, system)
    styles = [colors.style(*colors.on(tone)) for tone in range(colors.tones)]
    fills = [style.bgcolor for style in styles]
    assert all(style.color != style.bgcolor for style in styles)
    if color_by == "kind":
        assert len(set(fills)) == 8
        limit = {"truecolor": None, "256": 256}.get(system, 16)
        assert limit is None or all(fill.number < limit for fill in fills)
    elif system == "truecolor":
        assert len(set(fills)) == 24
    else:  # letters tell the kinds apart
        assert len({fill.downgrade(colors_of(system)) for fill in fills[::1]}) >= 6


def colors_of(system):
    return ColorSystem.EIGHT_BIT if system == "256" else ColorSystem.STANDARD


#: What a colour-blind eye sees, in linear RGB (Machado, Oliveira, Fernandes 2009, severity 1).
EYES = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}
_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)


def linear(color):
    channels = np.array(color.get_truecolor()) / 255
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    xyz = _XYZ @ np.clip(rgb, 0, 1) / [0.95047, 1, 1.08883]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(one, other):
    low, high = sorted(float(_XYZ[1] @ linear(color)) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("system", ["truecolor", "256"])
def test_every_eye_tells_the_tones_apart(system, eye):
    colors = Colors([drawing()], "kind", system)
    fills = [lab(EYES[eye] @ linear(colors.style(*colors.on(tone)).bgcolor)) for tone in range(8)]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(fills, 2)) > 12


@pytest.mark.parametrize(
    ("system", "color_by"), [("truecolor", "kind"), ("256", "kind"), ("truecolor", "microbatch")]
)
def test_ink_reads_on_its_fill(system, color_by):
    colors = Colors([drawing()], color_by, system)
    for tone in range(colors.tones):
        style = colors.style(*colors.on(tone))
        assert contrast(style.color, style.bgcolor) >= 4.4


def test_shading_keeps_tones_apart():
    colors = Colors([drawing()], "kind", "truecolor")
    fills = [
        [lab(linear(colors.style(0, int(colors.fill(np.int64(tone), shade))).color)) for shade in (0, 1)]
        for tone in range(8)
    ]
    for one, other in itertools.combinations(fills, 2):
        assert min(np.linalg.norm(a - b) for a in one for b in other) > 10
    assert all(5 < np.linalg.norm(a - b) < 20 for a, b in fills)


def test_a_cell_is_a_fill_with_a_hole_on_its_left():
    first = grid(Gantt(drawing()), 200)[2][2:]
    f, _ = PALETTE[Kind.F]
    assert first[:6] == [
        Character("▏", None, f.fill, False),
        Character("0", f.ink, f.fill, False),
        Character(" ", f.ink, f.fill, False),
        Character("▏", None, f.fill, False),
        Character("1", f.ink, f.fill, False),
        Character(" ", f.ink, f.fill, False),
    ]
    assert {(c.ink, c.fill) for c in first[60:69]} == {(None, None)}  # idle from 20 to 23


def test_a_pair_is_one_underlined_cell_in_two_tones_forward_left():
    """Device 0 runs F7 of the first direction with B13 of the second from 17 to 20."""
    pair = grid(Gantt(drawing()), 200)[2][2 + 3 * 17 : 2 + 3 * 20]
    assert "".join(c.sign for c in pair) == "▏7   13  "
    assert [c.fill for c in pair] == 3 * [PALETTE[Kind.F][0].fill] + 6 * [PALETTE[Kind.B][1].fill]
    assert [c.hole for c in pair] == [True] + 8 * [False]
    assert [c.underline for c in pair] == [False] + 8 * [True]


def test_colored_cells_show_every_number_at_three_columns():
    lines = grid(Gantt(drawing()), 200)
    assert {len(line) for line in lines[2:10]} == {200}
    assert not any("too narrow" in "".join(c.sign for c in line) for line in lines)
    timeline = simulate(find("dualpipe").generate(8, 20))
    for d in range(8):
        numbers = re.findall(r"\d+", "".join(c.sign for c in lines[2 + d][2:]))
        ops = timeline.schedule.device == d
        assert list(map(int, numbers)) == timeline.schedule.microbatch[ops].tolist()


def test_numbers_without_room_for_a_border():
    """At one column per unit a one-digit number takes the border's place, and like neighbours shade."""
    lines = grid(Gantt(drawing()), 80)
    first = lines[2][2:]
    assert "".join(c.sign for c in first[:7]) == "0123456"
    assert len({c.fill for c in first[:7]}) == 2
    assert all(a.fill != b.fill for a, b in itertools.pairwise(first[:7]))
    assert first[7].sign == "▏"  # micro-batch 10 has two digits
    coarse = grid(Gantt(drawing()), 80, "standard")[2][2:]  # both yellows are taken
    assert len({c.fill for c in coarse[:7]}) == 1


@pytest.mark.parametrize("system", SYSTEMS)
def test_even_and_odd_microbatches_differ_where_no_border_fits(system):
    drawn = drawing("gpipe", 1, 30)
    line = grid(Gantt(drawn), 183, system)[2][2:62]
    assert "".join(c.sign for c in line).endswith("26272829")
    assert [c.fill for c in line[40:]] == [line[40 + 2 * (i // 2 % 2)].fill for i in range(20)]
    assert line[40].fill != line[42].fill


def test_a_cell_cut_by_the_window_has_no_border():
    window = drawing("1f1b", 4, 8).window(11, 14, range(1))
    row = grid(Gantt(window), 80)[2][2:]
    assert row[0].sign == " "
    assert row[0].fill == PALETTE[Kind.B][0].fill
    assert [c.sign for c in row].count("▏") == 2  # of the two cells that start in the window


def test_color_by_microbatch():
    """Cells name their kind; one micro-batch has one hue on all devices; the legend shows the hues."""
    gantt = Gantt(drawing("1f1b", 4, 8), color_by="microbatch")
    rows = grid(gantt, 140)
    starts = [next(i for i, c in enumerate(row[2:]) if c.fill) for row in rows[2:6]]
    assert len({row[2 + start].fill for row, start in zip(rows[2:6], starts, strict=True)}) == 1
    assert "".join(c.sign for c in rows[2][2:14]).split("▏")[1:3] == ["F0 ", "F1 "]
    assert "micro-batch, modulo 6" in "\n".join(text(gantt, 140, "256"))


def test_color_by_stage_has_a_hue_for_each():
    rows = grid(Gantt(drawing("1f1b", 4, 8), color_by="stage"), 200)[2:6]
    fills = [{c.fill for c in row if c.fill} for row in rows]
    assert all(1 <= len(each) <= 4 for each in fills)  # forward and backward, each in two shades
    assert not any(a & b for a, b in itertools.combinations(fills, 2))
    assert " 0  1  2  3  4  5  stage, modulo 6" in plain(text(Gantt(drawing(), color_by="stage"), 150, "256"))


@pytest.mark.parametrize("system", SYSTEMS)
def test_color_by_slack_goes_from_none_to_the_most(system):
    """Of two devices, 1F1B's first forward is critical; its last but one waits for long."""
    timeline = simulate(find("1f1b").generate(4, 8))
    drawn = annotate.with_slack(chart(timeline), timeline)
    colors = Colors([drawn], "slack", system)
    step = colors.tone(drawn) % colors.variants
    assert set(step[drawn.slack == 0]) == {0}
    assert set(step[drawn.slack == drawn.slack.max()]) == {5}
    assert np.all(np.diff(step[np.argsort(drawn.slack)]) >= 0)
    legend = plain(text(Gantt(drawn, color_by="slack"), 150, system))
    assert f"{drawn.slack.max():.3g}  slack up to, in F; 0 is critical" in legend
    first = grid(Gantt(drawn, color_by="slack"), 200, system)[2][2:]
    assert "".join(c.sign for c in first[:12]).replace("▏", " ").split() == ["F0", "F1"]


def test_equal_slack_of_two_kinds_is_told_apart():
    """1F1B's last device has no slack at all: F and B would be one."""
    timeline = simulate(find("1f1b").generate(4, 8), CostModel.of(latency=0.1))
    drawn = annotate.with_slack(chart(timeline), timeline)
    last = grid(Gantt(drawn, color_by="slack"), 120)[5][2:]
    looks = [fill for fill, _ in itertools.groupby(c.fill for c in last if c.fill)]
    assert len(looks) >= 16


@pytest.mark.parametrize(("color_by", "what"), [("slack", "slack"), ("stage", "stages")])
def test_a_chart_without_what_colors_need_says_where_to_get_it(color_by, what):
    with pytest.raises(ValueError, match=f"says nothing about {what}: see pipesched.render.annotate"):
        text(Gantt(replace(drawing(), stage=None), color_by=color_by), 80, "256")


def test_color_by_is_checked():
    with pytest.raises(ValueError, match="color_by must be kind, microbatch, stage or slack; got 'device'"):
        Gantt(drawing(), color_by="device")


# --- around the lanes ------------------------------------------------------------------------------


def test_legend_and_notes_in_color():
    lines = "\n".join(text(Gantt(drawing()), 200, "truecolor"))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", lines)
    assert " F  F  forward    B  B  backward    I  I  backward for the input" in plain
    assert "left tone: down, right tone: up" in plain
    assert " F  B  forward and backward overlapped   blank: idle" in plain
    assert plain.endswith("costs: F=1 B=2 I=1 W=1 F&B=3 latency=0 (unit: F)")


def test_more_than_two_chunks_come_round_again():
    ops = [Op(kind, stage, 0) for kind, order in ((0, range(3)), (1, range(2, -1, -1))) for stage in order]
    lines = text(Gantt(chart(simulate(Schedule.from_rows("three", [ops]))), ascii=True))
    assert lines[2].split() == ["0", "F0", "f0", "F0", "B0", "b0", "B0"]
    assert "upper case: chunks 0/2, lower case: chunk 1" in lines[4] + lines[5]


def test_a_note_says_what_got_lost():
    lines = " ".join(text(Gantt(drawing()), 120, "truecolor"))
    assert re.search(
        r"1 column = 0\.559 F; \d+ of 364 cells are too narrow for their number; look closer", lines
    )


def test_ruler_marks_round_times_and_the_end():
    ruler = text(Gantt(drawing()), 80)[1]
    assert ruler == "  ▏0   ▏5   ▏10  ▏15  ▏20  ▏25  ▏30  ▏35  ▏40  ▏45  ▏50  ▏55     66▕"
    for mark in re.finditer(r"▏(\d+)", ruler):
        assert mark.start() - 2 == int(mark[1])  # one column is one unit


@pytest.mark.parametrize("makespan", [1e-9, 3.3e-6, 0.02, 1.0, 29.7, 640.0, 1.5e6, 7e9, 3e15])
@pytest.mark.parametrize("start", [0.0, 0.4])
def test_ticks_at_any_size(makespan, start):
    scale = Scale(start * makespan, 78, 78 / (makespan * (1 - start)))
    marks, power = ticks(scale, [Piece(scale.t0, makespan, 0.0)])
    times = np.array([float(mark.text) for mark in marks]) * 10.0**power
    steps = np.diff(times)
    assert 3 <= len(marks) <= 20
    assert np.allclose(steps, steps[0])
    assert f"{steps[0]:e}"[0] in "125"
    assert np.allclose([mark.column for mark in marks], scale.at(times), atol=0.51)
    assert all(a.column + len(a.text) + 2 <= b.column for a, b in itertools.pairwise(marks))


def test_large_and_small_times_name_their_power():
    small = drawing("1f1b", 4, 8, F=1e-6, B=2e-6, W=1e-6, unit="s")
    assert text(Gantt(small))[0].endswith("time in 1e-6 s")
    assert text(Gantt(small))[1].endswith(" 33▕")
    assert text(Gantt(drawing("1f1b", 4, 8, F=1e9, B=2e9)))[0].endswith("time in 1e9 units")


# --- critical path and activations -----------------------------------------------------------------


def annotated(name, devices, microbatches, cap=None, **costs):
    timeline = simulate(find(name).generate(devices, microbatches), CostModel.of(**costs))
    drawn = annotate.with_critical_path(chart(timeline), timeline)
    return timeline, annotate.with_activations(drawn, timeline, "w", cap)


@pytest.mark.parametrize("system", [None, *SYSTEMS])
def test_the_critical_path_is_underlined_from_end_to_end(system):
    """At one column per unit and no latency, each column of time is underlined on one device."""
    timeline, drawn = annotated("dualpipe", 8, 20)
    lines = ["".join(c.sign for c in row) for row in grid(Gantt(replace(drawn, held=None)), 80, system)]
    sign = "▔" if system is None else "▀"
    marked = [line[2:].ljust(66) for line in lines[3:19:2]]
    assert [sum(line[column] == sign for line in marked) for column in range(66)] == [1] * 66
    on_path = {int(timeline.schedule.slot_device[slot]) for slot in critical_path(timeline).slots}
    assert {device for device, line in enumerate(marked) if line.strip()} == on_path
    assert "on the critical path" in "\n".join(lines)


def test_the_critical_path_of_an_empty_window_and_in_ascii():
    _, drawn = annotated("1f1b", 4, 8)
    lines = text(Gantt(replace(drawn, held=None), ascii=True), 80)
    assert lines[3].startswith("  ^^ ")
    assert text(Gantt(drawn.window(40, 50)), 80)


def test_activations_are_the_digits_of_what_is_held():
    """1F1B holds one more on each device before the last, up to P - d."""
    _, drawn = annotated("1f1b", 4, 8)
    lines = text(Gantt(replace(drawn, critical=None), ascii=True), 80)
    assert lines[2].split()[1].startswith("F0F1F2F3..")
    assert lines[3].split()[0].startswith("1122334444444")
    assert [max(line.replace(" ", "")) for line in lines[3:10:2]] == ["4", "3", "2", "1"]
    assert "peak 4 3 2 1, by device" in " ".join(lines)


@pytest.mark.parametrize("system", SYSTEMS)
def test_activations_over_the_cap_are_red_and_told(system):
    _, drawn = annotated("1f1b", 4, 8, cap=[3])
    rows = grid(Gantt(replace(drawn, critical=None)), 80, system)
    inks = [{c.ink for c in row if c.sign in "▁▂▃▄▅▆▇"} for row in rows[3:10:2]]
    over = inks[0] - set.union(*inks[1:])
    assert len(over) == 1
    assert "cap 3: exceeded on device 0" in " ".join("".join(c.sign for c in row) for row in rows)
    _, held = annotated("1f1b", 4, 8, cap=[4, 3, 2, 1])
    assert "cap 4 3 2 1, by device: held by every device" in " ".join(text(Gantt(held), 120))


@settings(max_examples=30, deadline=None)
@given(schedules(), st.integers(20, 100), st.sampled_from([0.0, 0.37]))
def test_a_strip_shows_the_most_that_is_held_in_each_column(schedule, width, latency):
    timeline = simulate(schedule, CostModel.of(latency=latency))
    drawn = annotate.with_activations(chart(timeline), timeline)
    lines = text(Gantt(drawn, ascii=True), width)
    first = next(i for i, line in enumerate(lines) if re.match(" +[|]", line)) + 2
    assume(drawn.held.peak.max() <= 9)
    for device, peak in enumerate(drawn.held.peak.tolist()):
        assert max(map(int, lines[first + 2 * device].replace(" ", "") or "0")) == peak


# --- several charts, and panels --------------------------------------------------------------------


@pytest.mark.parametrize("system", [None, "truecolor"])
def test_several_charts_share_one_axis(system):
    long, short = drawing("1f1b", 4, 8), drawing("zb1p", 4, 8)
    rows = ["".join(c.sign for c in row) for row in grid(Gantt(long, short), 140, system)]
    assert rows[0].startswith("1f1b: ")
    assert rows[7].startswith("zb1p: ")
    rate = rows[1].index("10") - rows[1].index("0")
    assert rows[8].index("10") - rows[8].index("0") == rate
    assert rows[8].rstrip().endswith("27▕")
    assert len(rows[8].rstrip()) == 2 + round(27 / 33 * (len(rows[1].rstrip()) - 2))
    assert "·" not in rows[9][len(rows[8].rstrip()) :]  # what is over is not idle
    assert " ".join(rows).count("costs: ") == 1


def test_charts_at_different_costs_name_theirs():
    lines = text(Gantt(drawing("1f1b", 4, 8), drawing("zb1p", 4, 8, F=2)), 120)
    assert [line.split(" costs")[0] for line in lines if "costs:" in line] == ["1f1b:", "zb1p:"]
    mine = replace(drawing("1f1b", 4, 8, F=2), title="mine.py:a: 4 devices")
    lines = text(Gantt(drawing("1f1b", 4, 8), mine), 120)
    assert [line.split(" costs")[0] for line in lines if "costs:" in line] == ["1f1b:", "mine.py:a:"]
    assert "dualpipe: upper case: down" in " ".join(text(Gantt(drawing("1f1b"), drawing()), 120))


@pytest.mark.parametrize("system", [None, "truecolor", "standard"])
@pytest.mark.parametrize("width", [40, 80])
def test_panels_show_every_number_and_all_of_the_time(width, system):
    drawn = drawing("dualpipe", 8, 20)
    rows = ["".join(c.sign for c in row) for row in grid(Gantt(drawn, wrap=True), width, system)]
    rulers = [line for line in rows if re.match(" +▏", line)]
    assert len(rulers) > 2
    assert rulers[-1].rstrip().endswith("66▕")
    assert not any("too narrow" in row for row in rows)
    lane = "".join(row[2:] for row in rows if row.startswith("5 "))
    numbers = [int(number) for number in re.findall(r"\d+", lane)]
    expected = drawn.label[drawn.lane == 5].tolist()
    assert len(numbers) >= len(expected)  # a cell that a panel cuts is told twice
    assert [k for k, _ in itertools.groupby(numbers)] == [k for k, _ in itertools.groupby(expected)]


def test_what_fits_is_not_folded():
    assert (
        text(Gantt(drawing("1f1b", 2, 2), wrap=True), 120)[:4] == text(Gantt(drawing("1f1b", 2, 2)), 120)[:4]
    )


def test_half_a_pair_at_the_edge_of_a_window():
    """Device 0 of DualPipe runs F7 with B13 from 17 to 20, which meet at 18."""
    before, after = (
        lanes(Gantt(drawing().window(*w, range(1)), ascii=True), 1)[0] for w in ((14, 18), (18, 23))
    )
    assert before.split()[-1].endswith("F7&")
    assert after.startswith("&b13")
    fills = grid(Gantt(drawing().window(14, 18, range(1))), 80)[2]
    assert fills[-1].underline


def test_letters_are_regular_where_the_scale_allows_it():
    """At 100 to 130 columns DualPipe keeps to one column per unit: all forwards are equally wide."""
    for width in (90, 100, 118, 130):
        assert all(
            set(lane) <= set(".FfBbIiWw& 0123456789")
            for lane in lanes(Gantt(drawing(), ascii=True), 8, width)
        )
        assert {len(lane.rstrip()) for lane in lanes(Gantt(drawing(), ascii=True), 8, width)} == {66}


@settings(max_examples=40, deadline=None)
@given(
    schedules(),
    st.integers(1, 200),
    st.sampled_from([None, *SYSTEMS]),
    st.sampled_from(["kind", "microbatch", "stage", "slack"]),
    st.booleans(),
    st.floats(0.05, 3),
)
def test_everything_at_once_fits_any_width(schedule, width, system, color_by, wrap, forward):
    timeline = simulate(schedule, CostModel.of(F=forward))
    drawn = annotate.with_critical_path(annotate.with_slack(chart(timeline), timeline), timeline)
    drawn = annotate.with_activations(drawn, timeline, 0.5, [2])
    rows = grid(
        Gantt(drawn, drawn.window(0, timeline.makespan / 2), color_by=color_by, wrap=wrap and width > 20),
        width,
        system,
    )
    assert max(cell_len("".join(c.sign for c in row)) for row in rows) <= width


# --- the scale -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "costs", "room", "rate"),
    [
        (("dualpipe", 8, 20), {}, 198, 3),
        (("dualpipe", 8, 20), {}, 78, 1),
        (("dualpipe", 8, 20), {}, 118, 118 / 66),
        (("1f1b", 4, 8), {"latency": 0.5}, 170, 4),  # half a unit is two columns
        (("1f1b", 4, 8), {"F": 29.7, "B": 59.4}, 78, 2 / 29.7),
        (("1f1b", 4, 8), {"F": 1 / 3, "B": 2 / 3, "W": 1 / 3}, 78, 6),
        (("1f1b", 1, 1), {}, 200, 12),
    ],
)
def test_whole_columns_where_they_lose_little(arguments, costs, room, rate):
    scale = fit([drawing(*arguments, **costs)], room)
    assert scale.rate == pytest.approx(rate, rel=1e-6)
    assert scale.columns <= room


def test_colored_lanes_give_up_the_space_for_whole_columns():
    """ZB1P takes 79 units: at 80 columns only one is left for the device number."""
    lines = grid(Gantt(drawing("zb1p", 8, 24)), 80)
    assert "".join(c.sign for c in lines[2])[:9] == "001234567"
    assert len(lines[2]) == 80


# --- nothing there ---------------------------------------------------------------------------------


@pytest.mark.parametrize("system", [None, "truecolor"])
def test_empty_windows(system):
    drawn = drawing("1f1b", 4, 8)
    for window in (drawn.window(40, 50), drawn.window(3, 3), drawn.window(0, 33, range(9, 10))):
        assert "1f1b" in text(Gantt(window), 80, system)[0]
    assert text(Gantt(drawing("1f1b", 2, 2, F=0, B=0, W=0)), 80, system)[1].strip() in ("▏0", "|0")


def test_bars_without_length_are_left_out():
    lines = lanes(Gantt(drawing("1f1b", 2, 2, F=0, B=2), ascii=True), 2)
    assert [re.findall(r"[A-Z]\d", line) for line in lines] == [["B0", "B1"], ["B0", "B1"]]


# --- breaks ----------------------------------------------------------------------------------------


def excerpted(*names, devices=8, microbatches=10**6, cap=None, **costs):
    """Charts that share their breaks, with activations."""
    sizes = [Size.of(find(name), devices, microbatches, None, {}) for name in names]
    found = [measure_unbuilt(size, CostModel.of(**costs)) for size in sizes]
    left_out = leave_out([each.timeline for each in found])
    return [
        excerpt(each.timeline, left_out, memory_of=Memory("w", each.report.memory.peak_activations, cap))
        for each in found
    ]


def bare(drawn):
    return Gantt(replace(drawn, held=None))


def test_a_break_is_a_zigzag_with_words_over_a_ruler_that_goes_on():
    lines = text(bare(excerpted("1f1b")[0]), 80)
    assert lines[1].strip() == "… 999,984 micro-batches, 2,999,952 F …"
    assert lines[2] == "  ▏0        ▏10       ▏20       ▏30        ▏2999990  ▏3000000     3000021▕"
    assert lines[3].startswith("0 FFFFFFFF··············B0FB1FB2FB3F ╱ B FB FB")  # noqa: RUF001
    column = lines[3].index("╱")  # noqa: RUF001
    assert [line[column - 1 : column + 2] for line in lines[3:11]] == [" ╱ ", " ╲ "] * 4  # noqa: RUF001
    assert abs(lines[1].index("micro") - column) < 12


def test_ticks_after_a_break_stand_at_their_times():
    drawn = excerpted("1f1b")[0].opened(3.0)
    scale = Scale(0.0, 75, 1.0)
    marks, _ = ticks(scale, drawn.pieces)
    for mark in marks:
        piece = next(piece for piece in drawn.pieces if piece.t0 <= mark.column <= piece.t1)
        assert mark.column + piece.shift == float(mark.text)
        assert mark.column + len(mark.text) <= mark.room or mark is marks[-1]


@pytest.mark.parametrize("system", [None, *SYSTEMS])
@pytest.mark.parametrize("wrap", [False, True])
def test_breaks_fit_any_width(system, wrap):
    for names, costs in ((["gpipe"], {}), (["1f1b", "dualpipe"], {"F": 1.1, "latency": 0.3})):
        charts = excerpted(*names, cap=[3], **costs)
        for width in (1, 2, 5, 20, 33, 47, 80, 120, 200):
            rows = grid(Gantt(*charts, wrap=wrap and width > 20), width, system)
            assert max(cell_len("".join(c.sign for c in row)) for row in rows) <= width
            if width >= 33:
                marks = [sum(c.sign in "╱╲" for c in row) for row in rows]  # noqa: RUF001
                assert sum(marks) >= 16


def test_no_pair_is_joined_across_a_break():
    """Device 0 of DualPipe runs F7 with b13 from 17 to 20, f14 with B0 from 23 to 26: halves are left of both."""
    drawn = cut(drawing(), [LeftOut(18.0, 24.0)])
    line = lanes(Gantt(drawn, ascii=True), 8, 200)[0]
    before, after = line.split(" / ")
    assert before.endswith("F7&")
    assert after.startswith("&B0")


def test_breaks_in_seven_bits():
    everything = "\n".join(text(Gantt(*excerpted("gpipe"), ascii=True)))
    assert everything.isascii()
    assert everything.count("...") >= 4


def test_what_all_say_is_said_once():
    charts = [
        replace(each, caption=(f"costs {n}", "the same")) for n, each in enumerate(excerpted("1f1b", "gpipe"))
    ]
    told = text(Gantt(*charts), 100)
    assert told[-3:] == ["1f1b: costs 0", "gpipe: costs 1", "the same"]


def test_folded_panels_end_at_whole_times_after_a_break_too():
    lines = text(Gantt(replace(excerpted("1f1b", devices=4)[0], held=None), wrap=True), 100)
    ends = [re.search(r"(\S+)▕", line)[1] for line in lines if "▕" in line]
    assert ends == ["14", "2999991", "3000005", "3000009"]
