"""The command line as a user runs it: output, exit codes, one sentence for bad input, nothing half-written."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import DATA

from pipesched import __version__
from pipesched.cli.app import COMMANDS, make_app, run
from pipesched.formats import load
from pipesched.generators import recipes


@pytest.fixture
def cli(capsys, monkeypatch):
    """Run in this process; returns (exit code, stdout, stderr)."""
    import warnings

    def call(*arguments):
        with warnings.catch_warnings():
            code = run(list(arguments))
        out, err = capsys.readouterr()
        return code, out, err

    monkeypatch.setenv("COLUMNS", "120")
    return call


def spawn(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "pipesched", *arguments], capture_output=True, text=True, timeout=60, **options
    )


def test_version_and_help():
    assert spawn("--version").stdout == f"pipesched {__version__}\n"
    top = spawn("--help", env={**os.environ, "COLUMNS": "100"}).stdout
    assert all(command in top for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(cli, command):
    code, out, _ = cli(command, "--help")
    assert code == 0
    assert f"Example: pipesched {command}" in out


def test_examples_in_help_run(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "1f1b.csv").write_text("0F0,0B0\n1F0,1B0\n")
    for command in make_app().registered_commands:
        text = command.callback.__doc__.replace("\n    ", " ")
        example = text.split("Example: pipesched ")[1].split("  ")[0].split()
        code, _, err = cli(*example)
        assert code == 0, (example, err)
    assert (tmp_path / "report.html").exists()
    assert (tmp_path / "zb1p.csv").exists()


def test_list_shows_every_schedule(cli):
    code, out, _ = cli("list")
    assert code == 0
    assert all(recipe.name in out and recipe.source.split(",")[0] in out for recipe in recipes())
    listed = json.loads(cli("list", "--json")[1])
    assert [each["name"] for each in listed] == [recipe.name for recipe in recipes()]


def test_analyze_in_json_is_alone_on_stdout(cli):
    code, out, err = cli("analyze", "dualpipe", "--pp", "8", "--mb", "20", "--fb", "2.5", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["bubble"]["idle"] == [3.5, 4, 4.5, 4.5, 4.5, 4.5, 4, 3.5]


def test_analyze_says_it_in_words(cli):
    code, out, _ = cli("analyze", "1f1b", "--pp", "4", "--mb", "8", "--latency", "0.5", "--unit", "ms")
    assert code == 0
    assert "makespan     41 ms" in out
    assert "(PP-1)(F+B) = 9, not exact here: exact only if latency = 0; here latency = 0.5 > 0" in out
    assert "device 0 waited 9 ms for 1B0 on device 1 (from 4 to 13, of which 0.5 transfer)" in out
    assert "transfer" in out


def test_show_draws_lanes_and_numbers(cli):
    code, out, _ = cli("show", "dualpipe", "--pp", "8", "--mb", "20", "--width", "200")
    assert code == 0
    assert "costs: F=1 B=2 I=1 W=1 F&B=3 latency=0" in out
    assert "(PP/2-1)(F&B+B-3W) = 6, exact on every device" in out
    assert "2x the model" in out
    assert "peak 9 on every device" in out
    assert max(map(len, out.splitlines())) <= 200


@pytest.mark.parametrize(
    "extra", [["--from", "10", "--to", "20"], ["--devices", "1-2"], ["--ascii"], ["--color-by", "microbatch"]]
)
def test_show_looks_closer(cli, extra):
    code, out, err = cli("show", "1f1b", "--pp", "4", "--mb", "8", *extra)
    assert (code, err) == (0, "")
    assert "bubble" in out


def test_validate_reports_and_exits_with_1(cli):
    bad, good = str(DATA / "broken" / "deadlock_cross_rank.csv"), str(DATA / "broken" / "untidy_but_fine.csv")
    code, out, err = cli("validate", bad, good, "zb1p")
    assert (code, err) == (1, "")
    assert "deadlock: 1F1 (device 1) waits for 0F1, which device 0 runs after 0B0" in out
    assert f"{good}: valid (2 devices, 2 stages, 2 micro-batches, 8 ops)" in out
    assert "zb1p: valid" in out
    assert cli("validate", good)[0] == 0


def test_validate_in_json(cli):
    code, out, _ = cli("validate", "--json", str(DATA / "broken" / "missing_backward.csv"))
    verdict = json.loads(out)
    assert (code, verdict["valid"]) == (1, False)
    assert verdict["violations"] == [
        {
            "code": "missing",
            "op": "0B1",
            "device": 0,
            "position": 1,
            "message": "0B1 missing: stage 0, micro-batch 1 has a forward and no backward (device 0, cell 2)",
        }
    ]
    code, out, err = cli("validate", "--json", str(DATA / "broken" / "unknown_action.csv"))
    assert code == 2
    assert json.loads(out)["violations"][0] | {"message": ""} == {
        "code": "format", "op": None, "device": 1, "position": 2, "message": "",
    }  # fmt: skip
    assert "row 2, cell 3: '1X1' is not an action" in err


def test_compare_prints_one_table_three_ways(cli):
    code, out, _ = cli("compare", "--mb", "20")
    assert code == 0
    assert "66 *" in out
    assert "costs per 1/PP of the model" in out
    rows = list(csv.DictReader(io.StringIO(cli("compare", "--mb", "20", "--csv")[1])))
    assert [row["makespan"] for row in rows] == ["81", "81", "67", "66", "67"]
    assert cli("compare", "--markdown")[1].startswith("| schedule |")
    objects = json.loads(cli("compare", "--json", "--equal", "stages", "--pp", "7")[1])
    assert [each["equal"] for each in objects] == ["stages"] * 5
    assert "even number of devices" in objects[3]["error"]


def test_compare_all_is_every_registered_schedule_once(cli):
    names = [recipe.name for recipe in recipes()]
    asked = ["zbv", "all", "vpp,chunks=4", "--mb", "20"]
    objects = json.loads(cli("compare", *asked, "--json")[1])
    found = [each["schedule"] for each in objects]
    assert found == ["zbv", *(name for name in names if name != "zbv"), "interleaved-1f1b"]
    refused = [each["schedule"] for each in objects if "error" in each]
    assert refused == ["chimera", "hanayo", "bitpipe"]
    out = " ".join(cli("compare", *asked)[1].split())
    noted = cli("compare", *asked, "--csv")[2]
    assert all(f"{name} cannot run here: {name} needs" in text for name in refused for text in (out, noted))


def test_compare_says_what_is_over_a_memory_cap_as_analyze_does(cli):
    size = ["--pp", "4", "--mb", "8", "--memory-cap", "3"]
    [row] = json.loads(cli("compare", "1f1b", *size, "--json")[1])
    [alone] = json.loads(cli("analyze", "1f1b", *size, "--json")[1])["over_memory_cap"]
    [over] = row["over_memory_cap"]
    assert over.pop("message").replace(" of 1/4 of the model", "") == alone.pop("message")
    assert over == alone
    assert "over_memory_cap" not in cli("compare", "1f1b", "--json")[1]
    out = cli("compare", "1f1b", "gpipe", *size)[1]
    assert "1f1b does not fit: device 0 holds 4 activations of 1/4 of the model at 3" in out
    assert "gpipe does not fit: device 0 holds 4 activations of 1/4 of the model at 3" in out
    assert "(its peak is 8), as on 3 more devices" in " ".join(out.split())
    assert "fits: no device holds more than the memory cap of 3, in 1/PP of the model" in out
    assert cli("compare", "1f1b", *size, "--csv")[1].splitlines()[1].endswith(",no")
    assert "the memory cap has 2 entries" in cli("compare", "1f1b", "--memory-cap", "4,4")[2]
    assert "--memory-cap must be a number" in cli("compare", "1f1b", "--memory-cap", "lots")[2]


def test_export_and_load_again(cli, tmp_path):
    for suffix in (".csv", ".json"):
        path = tmp_path / f"out{suffix}"
        code, out, err = cli("export", "zb1p", "--pp", "4", "--mb", "8", "--f", "1.5", "-o", str(path))
        assert (code, out, err) == (0, "", f"wrote {path}\n")
        assert load(path).schedule.n_ops == 4 * 8 * 3
    assert json.loads(cli("analyze", str(path), "--json")[1])["costs"]["F"] == 1.5  # the file's own costs
    assert json.loads(cli("analyze", str(path), "--b", "4", "--json")[1])["costs"]["I"] == 3  # B - W, anew
    code, out, err = cli("export", "zb1p", "-o", str(path))
    assert code == 2
    assert "exists already; give --force" in err
    assert cli("export", "zb1p", "-o", str(path), "--force")[0] == 0
    assert cli("export", "gpipe", "--pp", "2", "--mb", "1", "-o", "-")[1] == "0F0,0B0\n1F0,1B0\n"


def test_export_notes_what_torch_cannot_run(cli, tmp_path):
    code, _, err = cli("export", "dualpipe", "-o", str(tmp_path / "d.csv"))
    assert code == 0
    assert "torch cannot run this file" in err
    assert "dualpipe has stage 0 on devices 0 and 7" in err


def test_standard_input():
    done = spawn("validate", "-", input="0F0,0B0\n1F0,1B0\n")
    assert (done.returncode, done.stdout) == (0, "-: valid (2 devices, 2 stages, 1 micro-batch, 4 ops)\n")
    assert spawn("validate", "-", input="").returncode == 2


def test_a_pipe_is_a_file_too():
    line = f"{sys.executable} -m pipesched validate <(printf '0F0,0B0\\n1F0,1B0\\n')"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert "valid (2 devices, 2 stages, 1 micro-batch, 4 ops)" in done.stdout


def test_costs_from_files(cli, tmp_path):
    toml, js = tmp_path / "costs.toml", tmp_path / "costs.json"
    toml.write_text('F = [1, 1, 1, 2]\nB = 2\nunit = "ms"\n')
    js.write_text('{"F": 2, "I": 2, "W": 2}')
    assert (
        json.loads(cli("analyze", "1f1b", "--pp", "4", "--mb", "8", "--costs", str(toml), "--json")[1])[
            "makespan"
        ]
        == 41
    )
    report = json.loads(cli("analyze", "1f1b", "--pp", "4", "--costs", str(js), "--f", "1", "--json")[1])
    assert (report["costs"]["F"], report["costs"]["B"]) == (1, 4)


def test_a_users_schedule(cli, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from pipesched.program import F, B\n"
        "def mine(p, d):\n    return p.microbatches * [F] + p.microbatches * [B]\n"
        "def with_underscores(p, d):\n    return mine(p, d)\n"
        "def broken(p, d):\n    return 1 / 0\n"
        "def wrong(p):\n    return 3\n"
        "def three(a, b, c): ...\n"
    )
    assert json.loads(cli("analyze", f"{path}:mine", "--pp", "4", "--mb", "8", "--json")[1])["makespan"] == 33
    assert cli("show", f"{path}:with_underscores", "--pp", "4")[0] == 0
    for function, sentence in (
        ("broken", "mine.py line 7, in broken: ZeroDivisionError: division by zero"),
        ("wrong", "returned int; a schedule function returns a Schedule or a list of steps"),
        ("three", "takes 3 parameters"),
        ("none", "has no function 'none'; it has mine, with_underscores, broken, wrong, three"),
    ):
        code, _, err = cli("show", f"{path}:{function}")
        assert code == 2
        assert sentence in err


BAD = [
    (["show", "dualpip"], "no schedule is called 'dualpip'; did you mean dualpipe"),
    (["show", "dualpipe", "--pp", "7"], "dualpipe needs an even number of devices; got 7 devices; the next legal size is --pp 8"),
    (["show", "1f1b", "--mb", "0"], "got 0"),
    (["analyze", "1f1b", "--mb", "-3"], "got -3"),
    (["analyze", "1f1b", "--mb", "many"], "Invalid value for '--mb': 'many' is not a whole number; see"),
    (["analyze", "1f1b", "--mb", "1_0"], "Invalid value for '--mb': '1_0' is not a whole number; see"),
    (["analyze", "1f1b", "--pp", "٣"], "Invalid value for '--pp': '٣' is not a whole number; see"),
    (["show", "1f1b", "--from", "٣"], "Invalid value for '--from': '٣' is not a number such as 1, 0.5 or 2e-3; see"),
    (["explain", "1f1b", "--device", "0", "--at", "1_0"], "Invalid value for '--at': '1_0' is not a number such"),
    (["show", "1f1b", "--devices", "٣"], "--devices must be like 0-3 or 2, within 0-7; got '٣'"),
    (["analyze", "1f1b", "--f", "-1"], "--f must be a time of 0 or more; got -1"),
    (["analyze", "1f1b", "--f", "nan"], "got nan"),
    (["analyze", "1f1b", "--latency", "inf"], "got inf"),
    (["analyze", "1f1b", "--f", "fast"], "--f must be a number such as 1, 0.5 or 2e-3, or a comma list of one per stage; got 'fast'"),
    (["analyze", "1f1b", "--w", "3"], "--w: W must not exceed B"),
    (["analyze", "1f1b", "--f", "1,2"], "F has 2 entries; one per stage needs 8, or give one number for all"),
    (["analyze", "1f1b", "--free-at", "x"], "free-at must be w, i or a fraction"),
    (["analyze", "1f1b", "--group", "2"], "1f1b has no option --group"),
    (["analyze", "1f1b", "--wdith", "80"], "no option is called --wdith; did you mean --width? ('pipesched an"),
    (["report", "1f1b", "--titel", "X", "-o", "x.html"], "no option is called --titel; did you mean --title?"),
    (["report", "--no-sumary", "1f1b", "-o", "x.html"], "--no-sumary; did you mean --no-summary or --summary?"),
    (["explain", "1f1b", "--opp", "0F0"], "did you mean --pp or --op? ('pipesched explain --help' shows all)"),
    (["list", "--jsno"], "no option is called --jsno; did you mean --json? ('pipesched list --help'"),
    (["--verison"], "did you mean --version? ('pipesched --help' shows all)"),
    (["report", "-o", "x.html", "--xyz"], "--xyz is no option of this command, and a schedule's own"),
    (["show", "1f1b", "-x", "3"], "-x is no option of this command"),
    (["compare", "interleaved-1f1b", "--group", "x"], "--group takes a whole number; got 'x'"),
    (["show", "interleaved-1f1b", "--group"], "--group takes a whole number; got none"),
    (["show", "interleaved-1f1b", "--grop", "2"], "has no option --grop; its options: --group"),
    (["analyze", "1f1b", "extra"], "unexpected argument 'extra'"),
    (["analyze", "nope.csv"], "cannot read nope.csv: no such file or directory"),
    (["analyze", "some/where"], "no such file"),
    (["analyze", "mine.py"], "mine.py:function"),
    (["analyze", "nope.py:f"], "cannot read nope.py: no such file"),
    (["analyze"], "Missing argument"),
    (["nonsense"], "No such command 'nonsense'"),
    (["show", "1f1b", "--from", "50", "--to", "40"], "nothing to show from 50 to 40"),
    (["show", "1f1b", "--devices", "9"], "--devices must be like 0-3 or 2, within 0-7; got '9'"),
    (["compare", "nope"], "no schedule is called 'nope'"),
    (["compare", "--json", "--csv"], "exclude each other"),
    (["compare", "--mb", "0"], "got 0"),
    (["report", "-o", "/no/where/x.html"], "there is no directory /no/where"),
    (["export", "1f1b", "-o", "x.foo"], "its suffix must be one of .csv, .json"),
    (["validate", "nope.csv"], "cannot read nope.csv"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_gets_one_sentence_and_exit_code_2(cli, arguments, sentence):
    code, _, err = cli(*arguments)
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert err.startswith("error: ")


def test_a_file_has_its_own_size(cli):
    path = str(DATA / "broken" / "untidy_but_fine.csv")
    for extra, sentence in (
        (["--pp", "4"], "is a schedule of --pp 2; got --pp 4"),
        (["--chunks", "2"], "its order is fixed"),
    ):
        code, _, err = cli("analyze", path, *extra)
        assert code == 2
        assert sentence in err
    assert cli("analyze", path, "--pp", "2")[0] == 0


def test_an_invalid_file_is_refused_by_what_needs_a_valid_one(cli):
    for command in ("show", "analyze"):
        code, _, err = cli(command, str(DATA / "broken" / "deadlock_cross_rank.csv"))
        assert code == 2
        assert "deadlock_cross_rank.csv cannot run: deadlock: 1F1 (device 1) waits for 0F1" in err


def test_strange_but_legal_costs_are_a_note(cli):
    code, _, err = cli("analyze", "dualpipe", "--fb", "1.5")
    assert code == 0
    assert err.startswith("note: FB = 1.5 is outside")


def test_a_closed_pipe_ends_quietly():
    command = f"{sys.executable} -m pipesched analyze gpipe --pp 64 --mb 512 --json | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ('{"schedule', "")


@pytest.mark.parametrize(
    "command",
    ["show vpp --pp 8", "compare", "analyze 1f1b", "list", "explain 1f1b --op 0F0", "--help", "show --help"],
)
def test_a_reader_that_stops_reading_is_no_error(command):
    line = f"{sys.executable} -m pipesched {command} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command", ["show 1f1b", "analyze gpipe --json", "compare --csv", "list", "export 1f1b -o -"]
)
def test_a_full_or_closed_standard_output(command):
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    for to, code, told in (
        (">/dev/full", 2, "cannot write to standard output: no space left"),
        (">&-", 0, ""),
    ):
        line = f"{sys.executable} -m pipesched {command} {to}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
        assert (done.returncode, told in done.stderr, done.stderr.count("\n")) == (code, True, code // 2), (
            done
        )


def test_ctrl_c_exits_with_130():
    with subprocess.Popen(
        [sys.executable, "-m", "pipesched", "validate", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err


def test_nothing_half_written_when_the_comparison_fails(cli, tmp_path):
    code, _, err = cli("report", "--mb", "0", "-o", str(tmp_path / "r.html"))
    assert code == 2
    assert "got 0" in err
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_place_is_told(cli, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    tmp_path.chmod(0o500)
    code, _, err = cli("export", "gpipe", "-o", str(tmp_path / "x.csv"))
    assert code == 2
    assert "cannot write" in err


def test_completion_is_offered():
    done = spawn(
        "--show-completion", "bash", env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    )
    assert done.returncode == 0
    assert "complete" in done.stdout
