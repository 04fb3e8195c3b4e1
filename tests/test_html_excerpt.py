"""Pages of schedules too large to build: all that an excerpt says holds of the schedule built in full."""

import json
import re
import sys
import warnings
import zlib
from base64 import b64decode

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.cli.app import run
from pipesched.compare import Terms, run_all
from pipesched.costs import CostModel
from pipesched.errors import ShapeError
from pipesched.generators import find, recipes
from pipesched.generators.size import Size
from pipesched.render.excerpt import excerpt, leave_out
from pipesched.render.html.data import schedule_data
from pipesched.render.html.excerpt import excerpt_data, excerpts
from pipesched.simulate import simulate

NAMES = [recipe.name for recipe in recipes()]
COSTS = [CostModel(), CostModel(latency=0.5), CostModel(F=1.1, I=0.9, W=0.7, latency=0.5)]


def unbuilt(name, devices=4, microbatches=400, costs=COSTS[1], free_at="w"):
    return measure_unbuilt(Size.of(find(name), devices, microbatches, None, {}), costs, free_at)


def decoded(data):
    """The columns of a page by name, read as the viewer reads them."""
    content = zlib.decompress(zlib.decompress(b64decode(data["data"])))
    found = {}
    for name, code, offset, length, steps in data["layout"]:
        column = np.frombuffer(content, f"<{code}", length, offset).astype(np.float64)
        for a, b in zip(data["first"], data["first"][1:], strict=False):
            column[a:b] = np.cumsum(column[a:b])
        found[name] = column / (steps or 1)
    return found


def names(columns):
    """Kind, stage and micro-batch of every op."""
    keys = (columns["kind_tone"] // 2, columns["stage"], columns["microbatch"])
    return list(zip(*(key.astype(int).tolist() for key in keys), strict=True))


def told(columns, column):
    """The names of the ops that are as far away as a column says, None for nowhere."""
    called, away = names(columns), columns[column].astype(int).tolist()
    return [called[op + far] if far else None for op, far in enumerate(away)]


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(COSTS), st.sampled_from(["w", "i", 0.25]), st.integers(0, 9))
def test_whatever_an_excerpt_says_is_true_of_the_whole(name, costs, free_at, more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = unbuilt(name, 4, 120 + 4 * more, costs, free_at)
            full = decoded(schedule_data(simulate(find(name).generate(4, 120 + 4 * more), costs), free_at))
        except ShapeError:
            return
        if found is None:
            return
    (drawn,) = excerpts([found.timeline])
    data = excerpt_data(found.timeline, drawn, free_at, 1.0, None)
    part = decoded(data)
    place = {op: at for at, op in enumerate(names(full))}
    here = [place[op] for op in names(part)]
    assert data["total"] == found.timeline.makespan
    for column in ("device", "during", "after"):
        assert part[column] == pytest.approx(full[column][here], abs=1e-6)
    second = full["half"] == 2
    slot_start = np.where(second, np.roll(full["start"], 1), full["start"])
    slot_end = np.where(full["half"] == 1, np.roll(full["end"], -1), full["end"])
    assert part["since"] == pytest.approx(slot_start[here], abs=1e-6)
    assert part["until"] == pytest.approx(slot_end[here], abs=1e-6)
    for column in ("cause", "sender", "own", "own_user"):
        said, true = told(part, column), [told(full, column)[at] for at in here]
        assert all(each in {None, whole} for each, whole in zip(said, true, strict=True)), column
    waited = part["cause"] != 0
    assert part["transfer"][waited] == pytest.approx(full["transfer"][here][waited], abs=1e-6)
    shift = np.array([each.shift for each in drawn.pieces])[
        np.searchsorted([each.at for each in drawn.breaks], part["start"])
    ]
    sent = part["sender"] != 0
    for column in ("departs", "arrives"):
        assert (part[column] + shift)[sent] == pytest.approx(full[column][here][sent], abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_its_bars_are_those_of_the_chart(name):
    found = unbuilt(name)
    if found is None:
        pytest.skip("not proved at this size")
    (drawn,) = excerpts([found.timeline])
    plain = excerpt(found.timeline, leave_out([found.timeline]))
    assert len(drawn.breaks) == len(plain.breaks)
    part = decoded(excerpt_data(found.timeline, drawn, "w", 1.0, None))
    assert names(part) == list(
        zip(drawn.kind.tolist(), drawn.stage.tolist(), drawn.label.tolist(), strict=True)
    )
    for column in ("start", "end"):
        assert part[column] == pytest.approx(getattr(drawn, column), abs=1e-6)
    pieces = zip(drawn.pieces, plain.pieces, strict=True)
    for wide, narrow in pieces:
        assert (wide.t0 + wide.shift, wide.t1 + wide.shift) == pytest.approx(
            (narrow.t0 + narrow.shift, narrow.t1 + narrow.shift)
        )


def test_what_waits_within_a_piece_is_told():
    found = unbuilt("1f1b")
    (drawn,) = excerpts([found.timeline])
    part = decoded(excerpt_data(found.timeline, drawn, "w", 1.0, None))
    right = part["start"] > drawn.breaks[-1].at
    assert (part["cause"][right] != 0).sum() > 10
    assert (part["sender"][right] != 0).sum() > 20


def test_before_the_first_op_after_a_break_a_device_holds_what_it_does():
    found = unbuilt("1f1b")
    (drawn,) = excerpts([found.timeline])
    data = excerpt_data(found.timeline, drawn, "w", 1.0, None)
    for stretches in data["between"]:
        for (at, opens, unknown), (begins, _, level) in zip(stretches[::2], stretches[1::2], strict=True):
            assert unknown < 0
            assert begins == opens > at
            assert 0 <= level <= 4


def timelines_data(path):
    source = path.read_text(encoding="utf-8")
    found = re.search(
        r'<script type="application/json" id="timelines-data">(.*?)</script>', source, re.DOTALL
    )
    return source, json.loads(found[1])


def test_report_of_what_cannot_be_built(tmp_path):
    path = tmp_path / "report.html"
    assert run(["report", "1f1b", "dualpipe", "--pp", "16", "--mb", "1000000", "-o", str(path)]) == 0
    source, data = timelines_data(path)
    one, other = data["schedules"]
    assert [each["at"] for each in one["breaks"]][: len(other["breaks"])] == [
        each["at"] for each in other["breaks"]
    ]
    assert one["ruler"] == other["ruler"]
    assert 'id="tradeoff"' in source
    assert 'id="memory-0"' not in source
    assert "Activation memory over time is not drawn here for 1f1b, dualpipe" in source
    assert "an excerpt: of what repeats only some is drawn; left out: " in source
    assert "slack not known" in source
    assert path.stat().st_size < 3_000_000


def test_what_is_not_proved_to_repeat_is_refused_before_it_is_built(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.modules["pipesched.compare.run"], "simulate", lambda *_: pytest.fail("built"))
    output = ["-o", str(tmp_path / "x.html")]
    asked = ["zbv", "--pp", "8", "--mb", "400000", "--f", "0.3333333337", "--latency", "0.1234567891"]
    monkeypatch.setattr("os.sysconf", lambda _: 2**20)  # of memory there is enough
    assert run(["report", *asked, *output]) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert "zbv has 12,800,000 ops at least, too many to draw" in error
    monkeypatch.setattr("os.sysconf", lambda _: 2**13)
    for command in (["report", *asked, *output], ["compare", *asked]):
        assert run(command) == 2
        assert "does not fit in memory" in " ".join(capsys.readouterr().err.split())


def test_where_too_little_repeats_in_all_of_them_a_page_is_refused(monkeypatch):
    found = unbuilt("1f1b").timeline
    monkeypatch.setattr(sys.modules["pipesched.render.html.excerpt"], "MANY", 50)
    with pytest.raises(ShapeError, match="1f1b: a report cannot show 3,200 ops"):
        excerpts([found])
    assert excerpts([simulate(find("1f1b").generate(4, 8))]) == [None]


def test_beside_a_long_one_the_others_are_not_built_either():
    entries = run_all(["interleaved-1f1b", "1f1b"], Terms(4, 300_000), timelines=False, drawn=True)
    assert [entry.report.ops for entry in entries] == [4_800_000, 2_400_000]
    assert all(entry.unbuilt for entry in entries)
