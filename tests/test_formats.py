"""Reading what torch and people write, writing what torch writes, and exact round trips."""

import json
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import schedules

from pipesched.costs import CostModel
from pipesched.errors import FormatError, OutputError, PipeschedError
from pipesched.formats import json_file, load, loads, torch_csv
from pipesched.formats.output import write
from pipesched.generators import recipes
from pipesched.words import printable

ORDERS = sorted((DATA / "orders").glob("*/*.csv"))


def csv_text(schedule):
    return "".join(torch_csv.write(schedule))


@pytest.mark.parametrize("path", ORDERS, ids=lambda path: path.stem)
def test_torchs_files_are_written_back_byte_for_byte(path):
    assert csv_text(load(path).schedule).encode() == path.read_bytes().replace(b"\r\n", b"\n")


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("devices", [2, 4, 6])
def test_every_schedule_survives_both_files(recipe, devices):
    schedule = recipe.generate(devices)
    assert loads(csv_text(schedule)).schedule == schedule
    costs = CostModel.of(F=1.5, latency=0.1)
    again = loads("".join(json_file.write(schedule, costs)))
    assert again[:2] == (schedule, costs)
    assert again.schedule.name == schedule.name


@settings(max_examples=60, deadline=None)
@given(schedules())
def test_random_schedules_survive_both_files(schedule):
    assert loads(csv_text(schedule)).schedule == schedule
    assert loads("".join(json_file.write(schedule)))[:2] == (schedule, None)


@pytest.mark.parametrize(
    "text",
    [
        "0F0,0B0\n1F0,1B0",
        "\ufeff0F0,0B0\r\n1F0,1B0\r\n\r\n",
        ' 0F0 ,\t0B0\n"1F0","1B0"\n',
        "0F0,,0B0,,\n1F0,1B0\n,\n  \n",
        "0F0,0B0\r1F0,1B0\r",
    ],
)
def test_untidy_files_are_read(text):
    assert list(loads(text).schedule.rows()) == [["0F0", "0B0"], ["1F0", "1B0"]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0F0,0B0\n1F0,1X0\n", r"x row 2, cell 2: '1X0' is not an action; actions read like 0F1"),
        ("0F0,,0Q0\n", r"x row 1, cell 3: '0Q0'"),
        ("# hello\n0F0\n", r"x row 1, cell 1: '# hello' is not an action"),
        ("rank,0\n0F0,0B0\n", r"x row 1, cell 1: 'rank' is not an action \(and 1 more wrong cell\)"),
        ("0F0,None\n", r"cell 2: 'None' is not an action"),
        ("0F0,0F1000000000000000000\n", r"'0F1000000000000000000' is not an action"),
        ("0F0," + "x" * 100_000, r"'x{37}\.\.\.' is not an action"),
        ("\n\n", "no rows"),
        (",,,\n", "no rows"),
        ("(0F1;0B0)OVERLAP_B_F", "is not an action"),
    ],
)
def test_nonsense_in_csv_is_pointed_at(text, sentence):
    with pytest.raises(FormatError, match=sentence):
        loads(text, "x")


def test_all_wrong_cells_are_listed_for_programs():
    with pytest.raises(FormatError) as error:
        loads("0F0,0X0\n1Y1,1F0\n")
    assert [(row, cell) for row, cell, _ in error.value.problems] == [(1, 2), (2, 1)]


GOOD = {"format": "pipesched", "version": 1, "name": "mine", "ops": [["0F0", "0B0"], ["1F0", "1B0"]]}


def test_json_needs_only_ops():
    loaded = loads(json.dumps(GOOD))
    assert loaded.schedule.name == "mine"
    assert loaded.schedule.placement.stages == ((0,), (1,))
    assert loaded.costs is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"format": "other"},
            'x is not a schedule of ours: its "format" must be "pipesched", and it is "other"',
        ),
        ({"version": 2}, 'x: its "version" must be 1, which this program reads; got 2'),
        ({"version": 1.0}, r'its "version" must be 1, .* got 1\.0'),
        ({"version": True}, 'its "version" must be 1, .* got true'),
        ({"name": 3}, 'x: its "name" must be text; got 3'),
        ({"ops": []}, 'x: its "ops" must be a list of rows, one per device; got a list that is empty'),
        ({"ops": "0F0"}, 'one per device; got "0F0"'),
        ({"ops": [["0F0"], "0F0"]}, 'x row 2 of its "ops" must be a list of actions; got "0F0"'),
        ({"ops": [["0F0", 3]]}, "x row 1, cell 2: 3 is not an action, which is text"),
        ({"ops": [["0F0,0B0"]]}, "x row 1, cell 1: '0F0,0B0' is not an action"),
        ({"ops": [["0F0", "0X0"]]}, "x row 1, cell 2: '0X0' is not an action"),
        ({"extra": 1}, 'x: unknown key "extra"; known are format, version, name, placement, costs, ops'),
        ({"placement": 3}, 'x: its "placement" must be an object or null; got 3'),
        ({"placement": {"stage": []}}, 'x: unknown key "stage" in its placement; known are stages, flows'),
        ({"placement": {}}, "x: its placement's stages must be a list of whole numbers per device; got null"),
        ({"placement": {"stages": [[0], [1.0]]}}, "must be a list of whole numbers per device; got a list"),
        (
            {"placement": {"stages": [[0], [-1]]}},
            "x: its placement has an id of -1: stages and flows are numbered 0, 1, ...",
        ),
        (
            {"placement": {"stages": [[0]]}},
            "x: its placement has stages of 1 device and flows of 1 device, for 2 devices",
        ),
        (
            {"placement": {"stages": [[0], [0]]}},
            "x: device 1 runs stage 1, which its placement does not give it",
        ),
        (
            {"placement": {"stages": [[1, 0], [1]]}},
            "x: its placement has stages 1, 0 on device 0: they must ascend, each once",
        ),
        (
            {"placement": {"stages": [[0], [1]], "flows": [[0], [0, 1]]}},
            "has stages of 2 devices and flows of 2 devices",
        ),
        ({"costs": []}, 'x: its "costs" must be an object or null; got a list that is empty'),
        ({"costs": {"Z": 1}}, "x: unknown cost 'Z'"),
        ({"costs": {"F": "fast"}}, "x: F must be a number"),
        ({"costs": {"W": 9}}, "x: W must not exceed B"),
    ],
)
def test_nonsense_in_json_is_pointed_at(change, sentence):
    with pytest.raises(PipeschedError, match=sentence):
        loads(json.dumps({**GOOD, **change}), "x")


def test_every_row_of_json_is_a_device():
    assert loads(json.dumps({**GOOD, "ops": [["0F0", "0B0"], []]})).schedule.devices == 2
    with pytest.raises(FormatError, match="no rows"):
        loads("\n\n")


@pytest.mark.parametrize("name", ["a\nb", "\x1b[31mred", "\0", "half \ud83d", "\u202egnp", "µs 前"])
def test_names_from_json_can_be_printed(name, tmp_path):
    schedule = loads(json.dumps({**GOOD, "name": name}), "x.json").schedule
    assert schedule.name == printable(name)
    write(tmp_path / "again.json", json_file.write(schedule))
    assert load(tmp_path / "again.json").schedule.name == schedule.name
    assert schedule.called == f"x.json ({schedule.name})"


@pytest.mark.parametrize("end", ["\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\u3000", "\xa0"])
def test_only_line_feeds_and_carriage_returns_end_rows(end):
    for text in (f"0F0,0B0{end}\n1F0,1B0\n", f"0F0,0B0{end}1F0,1B0\n"):
        with pytest.raises(FormatError, match=r"^x row 1, cell 2: '0B0\\.* is not an action"):
            loads(text, "x")
    with pytest.raises(FormatError, match=r"^x row 1, cell 2: '0B0\\.* is not an action"):
        loads(json.dumps({**GOOD, "ops": [["0F0", f"0B0{end}"]]}), "x")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"format"', "x is not JSON: line 1, column"),
        ("[" * 100_000, "nested too deep"),
        ("[1]", "x is not a schedule of ours: it holds a list, not one object"),
        ("{}", 'x is not a schedule of ours: its "format" must be "pipesched", and there is none'),
        (
            '{"format": "pipesched", "version": 1, "name": "x"}',
            'x: it has no "ops"; it needs format, version, ',
        ),
        ("1" * 5000, "thousands of digits"),
        ('{"format": NaN}', "x is not a schedule of ours: .* and it is NaN"),
    ],
)
def test_broken_json(text, sentence):
    with pytest.raises(FormatError, match=sentence):
        loads(text, "x", json_file=True)


@pytest.mark.filterwarnings("ignore::pipesched.errors.PipeschedWarning")  # the notes on odd files
@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('0123456789FBIWOVERLAP_();,"\n\r {}[]:X\ufeff'), max_size=60))
def test_no_text_raises_anything_but_our_errors(text):
    for json_format in (False, True):
        try:
            loads(text, json_file=json_format)
        except PipeschedError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"\x80\x02", "is not text: byte 1 is not UTF-8"),
        (b"0F0\x00", "is not text: byte 4 is a NUL"),
        ("0F0".encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
    ],
)
def test_files_that_are_no_text(tmp_path, content, sentence):
    path = tmp_path / "f.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=sentence):
        load(path)


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(FormatError, match="cannot read .*no such file"):
        load(tmp_path / "none.csv")
    with pytest.raises(FormatError, match="cannot read .*is a directory"):
        load(tmp_path)
    with pytest.raises(FormatError, match="cannot read"):
        load("a\0b")


def test_output_is_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.csv"
    write(path, ["a", b"b"])
    assert path.read_text() == "ab"
    with pytest.raises(OutputError, match="exists already; give --force"):
        write(path, ["c"])

    def failing():
        yield "half"
        raise ValueError

    with pytest.raises(ValueError, match="^$"):
        write(path, failing(), force=True)
    assert path.read_text() == "ab"  # what was there stays
    assert [each.name for each in tmp_path.iterdir()] == ["out.csv"]  # and nothing half-written beside it
    path.chmod(0o640)
    write(path, ["d"], force=True)
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("d", 0o640)


def test_output_that_cannot_be_written(tmp_path):
    with pytest.raises(OutputError, match="there is no directory"):
        write(tmp_path / "no" / "x.csv", ["a"])
    with pytest.raises(OutputError, match="it is a directory"):
        write(tmp_path, ["a"], force=True)
    link = tmp_path / "link.csv"
    (tmp_path / "real.csv").write_text("old")
    link.symlink_to(tmp_path / "real.csv")
    write(link, ["new"], force=True)
    assert link.is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


ODD_PLACES = [
    ("x" * 300 + ".csv", "file name too long"),
    ("é" * 130 + ".csv", "file name too long"),
    ("loop.csv", "too many levels of symbolic links"),
    ("file.csv/x.csv", "not a directory"),
    ("lost.csv", "no such file or directory"),
    ("none/x.csv", "there is no directory .*none|no such file or directory"),
    ("nul\0.csv", "embedded null byte"),
]


@pytest.fixture
def odd_places(tmp_path):
    (tmp_path / "file.csv").write_text("0F0,0B0\n")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "lost.csv").symlink_to("nowhere/at_all.csv")
    return tmp_path


@pytest.mark.parametrize(("name", "told"), ODD_PLACES)
def test_odd_places_get_a_sentence(odd_places, name, told):
    before = sorted(odd_places.iterdir())
    with pytest.raises(OutputError, match=f"^cannot write .*: ({told})[^\\n]*$"):
        write(odd_places / name, ["0F0"], force=True)
    with pytest.raises(FormatError, match=f"^cannot read .*: ({told})$"):
        load(odd_places / name)
    assert sorted(odd_places.iterdir()) == before


def test_a_full_device_gets_a_sentence(tmp_path):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "full.csv").symlink_to("/dev/full")
    with pytest.raises(OutputError, match=r"^cannot write .*full.csv: no space left on device$"):
        write(tmp_path / "full.csv", ["0F0"])


def test_halves_of_surrogate_pairs_are_written_as_escapes(tmp_path):
    write(tmp_path / "x.csv", ["caf\udce9 µ"])
    assert (tmp_path / "x.csv").read_text(encoding="utf-8") == "caf\\udce9 µ"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_half_written(tmp_path, number):
    code = (
        "import pathlib, sys, time; from pipesched.formats.output import write\n"
        "def parts():\n    yield 'half'; print(flush=True); time.sleep(30)\n"
        "write(pathlib.Path(sys.argv[1]), parts())"
    )
    line = [sys.executable, "-c", code, str(tmp_path / "x.csv")]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.read(1) == b"\n"
        assert len(list(tmp_path.iterdir())) == 1
        process.send_signal(number)
        assert process.wait(timeout=20) == -number
        assert process.stderr.read() == b""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ['{"displayTimeUnit":"ms","traceEvents":[]}', '[{"ph":"X","ts":1}]'])
def test_a_trace_is_told_from_a_schedule(text, tmp_path):
    path = tmp_path / "x.trace.json"
    path.write_text(text)
    with pytest.raises(
        FormatError, match=r"^x.trace.json is a trace, .* it is no schedule: give the .csv or"
    ):
        load(path)
    path.with_suffix(".json.gz").write_bytes(b"\x1f\x8b" + b"\0" * 20)
    with pytest.raises(FormatError, match=r"gz is compressed: unpack it with gzip -d, and a trace is no sch"):
        load(path.with_suffix(".json.gz"))
