"""What takes no time is drawn where it stands: by every renderer, from one list of marks."""

import numpy as np
import pytest

from pipesched.cli.app import run
from pipesched.cli.compared import compared
from pipesched.cli.options import Moving, Problem
from pipesched.cli.source import Asked
from pipesched.errors import ShapeError
from pipesched.formats import loads
from pipesched.generators import find
from pipesched.render.chart import chart
from pipesched.render.figure import gantt
from pipesched.render.paper.look import Look
from pipesched.render.paper.page import Box
from pipesched.render.paper.sheet import figure
from pipesched.simulate import simulate
from pipesched.transport import Transport

TEXT = """0UNSHARD,0F0,0WAIT_SEND_F0,0F1,0B0,0B1,0RESHARD,0REDUCE_GRAD
1F0,1B0,1WAIT_RECV_F1,1F1,1B1,1REDUCE_GRAD,1WAIT_REDUCE_GRAD
"""
UNKNOWN = "ignore:.*of unknown type"


def drawn(text=TEXT, **options):
    return chart(simulate(loads(text).actions, **options))


@pytest.mark.filterwarnings(UNKNOWN)
def test_marks_stand_at_the_end_of_the_slot_before():
    found = drawn().marks
    assert list(zip(found.lane, found.time, found.opaque, found.text, strict=True)) == [
        (0, 0.0, False, "0UNSHARD"),
        (0, 1.0, True, "0WAIT_SEND_F0"),
        (0, 9.0, False, "0RESHARD"),
        (0, 9.0, False, "0REDUCE_GRAD"),
        (1, 4.0, True, "1WAIT_RECV_F1"),
        (1, 7.0, False, "1REDUCE_GRAD"),
        (1, 7.0, True, "1WAIT_REDUCE_GRAD"),
    ]
    assert found.by_place()[-1] == (1, 7.0, True, "1REDUCE_GRAD, 1WAIT_REDUCE_GRAD")


@pytest.mark.filterwarnings(UNKNOWN)
def test_the_caption_names_them():
    assert drawn().caption[1:] == (
        (
            "marked, of unknown type, taken to do nothing: 0WAIT_SEND_F0 (device 0, after 0F0), "
            "1WAIT_RECV_F1 (device 1, after 1B0), 1WAIT_REDUCE_GRAD (device 1, after 1B1)"
        ),
        "marked, taking no time: 1 UNSHARD, 1 RESHARD, 2 REDUCE_GRAD",
    )
    many = ",".join(["0F0", "0B0", *(f"0WAIT{'X' * n}0" for n in range(1, 8))])
    [_, line] = drawn(f"0WAIT_ALL,{many}\n").caption
    assert line.startswith(
        "marked, of unknown type, taken to do nothing: 0WAIT_ALL (device 0, first), 0WAITX0"
    )
    assert line.endswith(" and 4 more")


@pytest.mark.filterwarnings(UNKNOWN)
def test_a_window_keeps_its_own():
    whole = drawn()
    assert whole.window(3.0, 8.0).marks.text == ("1WAIT_RECV_F1", "1REDUCE_GRAD", "1WAIT_REDUCE_GRAD")
    below = whole.window(0.0, 9.0, range(1, 2))
    assert below.lanes == (1,)
    assert below.marks.lane.tolist() == [0, 0, 0]


@pytest.mark.filterwarnings(UNKNOWN)
def test_of_many_at_one_place_a_few_are_named():
    text = "0F0,0B0," + ",".join(f"0WAIT_ALL{n}" for n in range(1000))
    [(*_, words)] = drawn(text).marks.by_place()
    assert words.startswith("0WAIT_ALL0, 0WAIT_ALL1, ")
    assert words.endswith(", 0WAIT_ALL7 and 992 more")


def test_nothing_is_marked_where_there_is_only_compute():
    schedule = find("1f1b").generate(2, 4)
    for timeline in (simulate(schedule), simulate(schedule, transport=Transport())):
        assert chart(timeline).marks is None
        assert len(chart(timeline).caption) == 1


def test_transfers_are_told_unless_they_run(data):
    text = (data / "transfers" / "fine.csv").read_text()
    told = "not run: 2 SEND_F, 2 SEND_B, 2 RECV_F, 2 RECV_B; each result takes the latency instead"
    assert told in drawn(text).caption
    ran = drawn(text, transport=Transport())
    assert not [line for line in ran.caption if "not run" in line]
    assert ran.marks.text == ("0REDUCE_GRAD", "1REDUCE_GRAD")


@pytest.mark.filterwarnings(UNKNOWN)
@pytest.mark.parametrize("theme", ["screen", "dark"])
def test_figures_flag_them_with_their_text(theme):
    page = figure([drawn()], Look(theme=theme))
    flags = [shape for shape in page.shapes if isinstance(shape, Box) and "takes no time" in shape.hint]
    assert len(flags) == 5 + 3  # the unknown have a head
    assert any(flag.hint == "0WAIT_SEND_F0, device 0, at 1 F, takes no time" for flag in flags)
    assert all(0 <= flag.x <= page.width.points and 0 <= flag.y <= page.height for flag in flags)


@pytest.mark.filterwarnings(UNKNOWN)
def test_plotly_shows_their_text():
    trace = gantt(simulate(loads(TEXT).actions)).data[-1]
    assert trace.name == "takes no time"
    assert trace.text[1] == "0WAIT_SEND_F0"
    assert np.asarray(trace.x).tolist() == [0, 1, 9, 4, 7]


@pytest.mark.parametrize(("flags", "unknown", "known"), [([], "▴", "▵"), (["--ascii"], "?", "'")])
def test_show_has_a_sign_under_the_lane_and_names_them(tmp_path, capsys, flags, unknown, known):
    path = tmp_path / "mine.csv"
    path.write_text(TEXT)
    assert run(["show", str(path), "--width", "92", *flags]) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[3].rstrip() == f"  {known}{' ' * 9}{unknown}{' ' * 78}{known}"
    assert lines[5].rstrip() == f"{' ' * 42}{unknown}{' ' * 29}{unknown}"
    assert f"{unknown} action of unknown type   {known} action that takes no time" in out
    assert "0WAIT_SEND_F0 (device 0, after 0F0)" in out


@pytest.mark.parametrize("width", ["20", "40"])
def test_show_names_them_where_there_is_no_room(tmp_path, capsys, width):
    path = tmp_path / "mine.csv"
    path.write_text(TEXT)
    for flags in ([], ["--wrap"]):
        assert run(["show", str(path), "--width", width, *flags]) == 0
        out = capsys.readouterr().out
        assert max(map(len, out.splitlines())) <= int(width)
        assert "0WAIT_SEND_F0" in out
        assert "▴" in out


@pytest.mark.filterwarnings(UNKNOWN)
def test_comparisons_and_reports_have_them_in_their_timelines(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(TEXT)
    entries = compared(Asked([str(path), "1f1b"], Problem(pp=2, mb=2), Moving(), [])).entries
    assert chart(entries[0].timeline).marks.text[1] == "0WAIT_SEND_F0"
    assert chart(entries[1].timeline).marks is None


def test_comparisons_and_reports_read_a_file_in_the_dialect_that_is_given(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("0F0,0B0,0W0\n")
    dialect = "b-input"
    assert (
        compared(Asked([str(path)], Problem(pp=1, mb=1, csv_dialect=dialect), Moving(), [])).entries[0].report
    )
    with pytest.raises(ShapeError, match="the same backward twice"):
        compared(Asked([str(path)], Problem(pp=1, mb=1, csv_dialect="torch"), Moving(), []))
