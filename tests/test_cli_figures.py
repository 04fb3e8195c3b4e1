"""``pipesched export`` to figures: every option, and one sentence for what cannot be drawn."""

import subprocess
import sys
import warnings
from xml.etree import ElementTree as ET

import pytest

from pipesched.cli.app import run
from pipesched.generators import size
from pipesched.render.paper import FORMATS

SVG = "{http://www.w3.org/2000/svg}"
SIZE = ("--pp", "4", "--mb", "8")


@pytest.fixture
def export(capsys, tmp_path):
    """Run ``export``; returns (exit code, the last line of stderr, the file)."""

    def call(*arguments, suffix=".svg"):
        file = tmp_path / f"figure{suffix}"
        with warnings.catch_warnings():
            code = run(["export", *arguments, "-o", str(file), "--force"])
        return code, capsys.readouterr().err.strip().splitlines()[-1], file

    return call


@pytest.fixture
def words(export):
    """The texts of the SVG that these options give."""

    def call(*arguments, note=""):
        code, err, file = export(*arguments)
        assert code == 0
        assert note in err if note else err == f"wrote {file}"
        return [text.text for text in ET.parse(file).getroot().iter(f"{SVG}text")]  # noqa: S314  our own

    return call


@pytest.mark.parametrize("suffix", FORMATS)
def test_figures_of_one_or_several(export, suffix):
    code, err, file = export("dualpipe", "zb1p", *SIZE, "--width", "120mm", "--no-ruler", suffix=suffix)
    assert (code, err) == (0, f"wrote {file}")
    assert file.read_bytes()[:4] in (b"<svg", b"%PDF", b"\x89PNG")
    before = file.read_bytes()
    assert export("dualpipe", *SIZE, "--width", "3mm", suffix=suffix)[:2] == (
        2,
        "error: a figure is 35mm to 2117mm wide; got '3mm'",
    )
    assert file.read_bytes() == before


def test_suffixes_in_capitals_are_the_same(export):
    assert export("1f1b", *SIZE, suffix=".SVG")[0] == 0


def test_what_stands_around_the_lanes(words):
    everything = words("1f1b", *SIZE)
    assert everything[0] == "1f1b: 4 devices, 4 stages, 8 micro-batches"
    bare = words("1f1b", *SIZE, "--no-title", "--no-legend", "--no-caption", "--no-ruler")
    assert [word for word in bare if not word.isdigit()] == [*(f"Device {d}" for d in range(4)), "time"]
    assert words("1f1b", *SIZE, "--title", "1F1B <ours>")[0] == "1F1B <ours>"
    two = words("1f1b", "zb1p", *SIZE, "--title", "left", "--title", "right")
    assert two.index("left") < two.index("right")


def test_a_part_of_a_schedule(words):
    part = words("1f1b", *SIZE, "--from", "3", "--to", "9", "--devices", "1-2")
    assert [word for word in part if word.startswith("Device")] == ["Device 1", "Device 2"]
    assert "10" not in part


def test_memory_and_critical_path(words):
    assert "on the critical path" in words("zb1p", *SIZE, "--critical")
    assert "activations held (freed at I), full height = 4, the number is the peak" in words(
        "zb1p", *SIZE, "--memory", "--free-at", "i"
    )
    assert "cap of 3, and what is over it" in words("zb1p", *SIZE, "--memory-cap", "3")


def test_how_transfers_ran_stands_under_the_lanes(words):
    costs = ("--comm", "blocking", "--bytes", "2", "--bandwidth", "4")
    assert "transfers: blocking, buffered, a channel per direction; 2 bytes at 4 per F, latency 0" in words(
        "1f1b", "zb1p", *SIZE, *costs
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--title", "a", "--no-title"], "--title and --no-title exclude each other; give one of them"),
        (["--title", "a", "--title", "b"], "a figure of 1 schedule has as many titles, or none; got 2"),
        (["--theme", "pink"], "Invalid value for '--theme': 'pink' is not one of 'print', 'screen', 'dark'"),
        (["--width", "wide"], "a width is a number and mm, cm, in, pt or px, such as 180mm; got 'wide'"),
        (["--from", "50"], "nothing to show from 50 to 33: the schedule runs from 0 to 33"),
        (["--devices", "9"], "--devices must be like 0-3 or 2, within 0-3; got '9'"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_sentence(export, arguments, sentence):
    code, err, file = export("1f1b", *SIZE, *arguments)
    assert code == 2
    assert err.startswith(f"error: {sentence}")
    assert not file.exists()


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        (["--theme", "dark"], "--theme"),
        (["--no-legend"], "--no-legend"),
        (["--memory"], "--memory"),
        (["--title", "x"], "--title"),
        (["--to", "4"], "--to"),
        (["--excerpt"], "--excerpt"),
        (["--whole"], "--whole"),
    ],
)
def test_options_of_figures_are_refused_for_files_that_are_none(export, options, flag):
    code, err, _ = export("1f1b", *SIZE, *options, suffix=".csv")
    assert (code, err) == (2, f"error: {flag} is for figures (.svg, .pdf, .png), and a .csv file is none")


NOTE = (
    "note: an excerpt: of what repeats only some is drawn; --from and --to show any time, --whole all {} ops"
)


def test_what_is_too_large_to_build_is_drawn_in_part(export):
    code, err, file = export("1f1b", "zb1p", "--pp", "8", "--mb", "10000000", "--memory")
    assert (code, err) == (0, NOTE.format("400,000,000"))
    told = [text.text for text in ET.parse(file).getroot().iter(f"{SVG}text")]  # noqa: S314  our own
    assert told.count("… 9,999,982 micro-batches, 29,999,946 F …") == 1
    assert "30,000,000" in told
    assert not [word for word in told if "--whole" in word]  # readers of papers have no command line
    assert len(file.read_bytes()) < 300_000


def test_any_size_is_drawn_in_part_if_asked(export):
    assert export("1f1b", "--pp", "4", "--mb", "100", "--excerpt")[1] == NOTE.format("800")
    one_model = ("1f1b", "zb1p", "--pp", "4", "--mb", "100", "--equal", "devices", "--excerpt")
    assert export(*one_model)[1] == NOTE.format("2,000")
    code, err, file = export("1f1b", "--pp", "4", "--mb", "100", "--whole")
    assert (code, err) == (0, f"wrote {file}")
    told = export("1f1b", *SIZE, "--excerpt")[1]
    assert told == "note: 1f1b: no repetition is proven at this size, so everything is drawn"


def test_a_window_shows_what_the_excerpt_leaves_out(words):
    times = ("--from", "1500000", "--to", "1500012", "--devices", "0")
    part = words("1f1b", "--pp", "4", "--mb", "1000000", *times)
    assert {"1,500,000", "1,500,010", "Device 0"} <= set(part)
    assert "…" not in "".join(part)


def test_what_needs_every_op_says_so(export):
    code, err, file = export("1f1b", "--pp", "8", "--mb", "1000000", "--critical")
    assert code == 2
    assert err.startswith("error: --critical needs every op of 1f1b, and its 16,000,000 were not built")
    assert not file.exists()


@pytest.mark.parametrize(
    ("suffix", "options", "fits"),
    [(".csv", [], 33554), (".json", [], 33554), (".trace.json", [], 16777), (".svg", ["--whole"], 16777)],
)
def test_lists_that_do_not_fit_are_refused_before_they_are_built(export, monkeypatch, suffix, options, fits):
    monkeypatch.setattr(size, "_free", lambda: 2**27)
    code, err, file = export("1f1b", "--pp", "8", "--mb", "1000000", *options, suffix=suffix)
    assert code == 2
    assert err.startswith("error: 1f1b with 1000000 micro-batches on 8 devices does not fit in memory, ")
    assert err.endswith(f"; the largest size that fits is --mb {fits}")
    assert not file.exists()


def test_of_very_many_devices_some_are_drawn(words):
    told = words("1f1b", "--pp", "600", "--mb", "1", "--no-legend", note="one in 3 is drawn")
    assert "of 600 devices one in 3 is drawn" in told
    named = [int(word.split()[1]) for word in told if word.startswith("Device ")]
    assert len(named) > 30
    assert {device % 3 for device in named} == {0}


def test_only_figures_hold_several_schedules(export):
    code, err, _ = export("1f1b", "zb1p", *SIZE, suffix=".csv")
    assert (code, err) == (2, "error: only figures (.svg, .pdf, .png) hold several schedules; got 2")


def test_no_schedule_is_left_out_in_silence(export):
    code, err, file = export("1f1b", "dualpipe", "--pp", "7", "--mb", "14", "--equal", "devices")
    assert code == 2
    assert err == "error: 1 of 2 schedules cannot run here; 'pipesched compare' of the same says why"
    assert not file.exists()


@pytest.mark.parametrize(
    ("suffix", "unwanted"),
    [
        (".csv", ["pipesched.render.paper", "PIL", "plotly"]),
        (".svg", ["PIL", "plotly"]),
        (".pdf", ["PIL", "plotly"]),
    ],
)
def test_a_file_loads_only_what_writes_it(tmp_path, suffix, unwanted):
    line = ["export", "1f1b", *SIZE, "-o", str(tmp_path / f"file{suffix}")]
    code = (
        f"import sys; from pipesched.cli.app import run; run({line!r})\n"
        f"print([name for name in {unwanted!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n"


def test_schedules_of_different_stages_are_noted(capsys, tmp_path):
    with warnings.catch_warnings():
        assert run(["export", "1f1b", "zbv", *SIZE, "-o", str(tmp_path / "two.svg")]) == 0
    assert (
        "costs are per stage, and the schedules have different numbers of stages" in capsys.readouterr().err
    )
