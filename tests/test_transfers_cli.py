"""Transfers on the command line: export, validate, show and analyze with them, files of others."""

import json

import pytest
from conftest import DATA

from pipesched.cli.transport import numbers
from pipesched.errors import CostError
from pipesched.formats import load, loads
from pipesched.formats.torchtitan import verdict
from pipesched.generators import find
from pipesched.transfers import lower

FILES = DATA / "transfers"
FINE = str(FILES / "fine.csv")
LOCKED = str(FILES / "rendezvous_deadlock.csv")


def test_export_comms_writes_torchs_compute_and_communicate_format(cli):
    code, out, err = cli("export", "1f1b", "--pp", "2", "--mb", "2", "--comms", "-o", "-")
    assert (code, err) == (0, "")
    assert out == (FILES / "fine.csv").read_text()
    *_, (_, out, _) = (
        cli("export", FINE, "-o", "-", *extra) for extra in ([], ["--comms"], ["--format", "torch"])
    )
    assert out == (FILES / "fine.csv").read_text()  # a file's own transfers stay


@pytest.mark.parametrize("recv", ["early", "late", "paired"])
def test_export_places_receives_as_asked(cli, tmp_path, recv):
    for suffix in ("csv", "json"):
        path = tmp_path / f"x.{suffix}"
        assert (
            cli(
                "export",
                "zbv",
                "--pp",
                "4",
                "--mb",
                "8",
                "--comms",
                "--recv",
                recv,
                "--fsdp",
                "-o",
                str(path),
            )[0]
            == 0
        )
        assert load(path).actions == lower(find("zbv").generate(4, 8), recv, fsdp=True)


def test_export_format_torch_refuses_what_torch_cannot_run(cli, tmp_path):
    path = str(tmp_path / "d.csv")
    code, _, err = cli("export", "dualpipe", "--pp", "4", "--mb", "8", "--format", "torch", "-o", path)
    assert code == 2
    assert "stage 0 on devices 0 and 3; give --allow-replicas" in err
    assert "or write JSON" in err
    assert not list(tmp_path.iterdir())
    assert cli("export", "dualpipe", "--pp", "4", "--format", "torch", "--allow-replicas", "-o", path)[0] == 0
    code, _, err = cli("export", "dualpipe", "--pp", "4", "--allow-replicas", "--force", "-o", path)
    assert (code, err) == (0, f"wrote {path}\n")
    assert "torch cannot run this file" in cli("export", "dualpipe", "--pp", "4", "-o", "-")[2]
    code, _, err = cli("export", str(FILES / "swapped_recv.csv"), "--format", "torch", "-o", "-")
    assert code == 2
    assert "torch cannot run swapped_recv.csv: 1RECV_F1 (device 1, cell 1) takes what 0SEND_F0" in err
    opaque = tmp_path / "opaque.csv"
    opaque.write_text("0F0,0WAIT_SEND_F0,0B0\n")
    assert "it does not know 0WAIT_SEND_F0" in cli("export", str(opaque), "--format", "torch", "-o", "-")[2]


def test_export_by_format_whatever_the_suffix(cli, tmp_path):
    path = tmp_path / "schedule.txt"
    assert cli("export", "1f1b", "--pp", "2", "--format", "torch", "-o", str(path))[0] == 0
    assert load(path).schedule == find("1f1b").generate(2)
    assert json.loads(cli("export", "1f1b", "--pp", "2", "--format", "json", "-o", "-")[1])["name"] == "1f1b"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["1f1b"], "nothing to do: give --output FILE, or --check torchtitan"),
        (["1f1b", "-o", "x.csv", "--recv", "late"], "--recv says how transfers are put in; give --comms too"),
        (["1f1b", "-o", "x.csv", "--fsdp"], "--fsdp says how transfers are put in; give --comms too"),
        (["1f1b", "-o", "x.trace.json", "--comms"], "a .trace.json file holds none"),
        (
            ["1f1b", "-o", "x.svg", "--allow-replicas"],
            "--allow-replicas is for lists (.csv and .json): a .svg",
        ),
        (["1f1b", "-o", "x.svg", "--check", "torchtitan"], "--check is for lists"),
        (["1f1b", "-o", "x.csv", "--recv", "late", "--bytes", "2"], "--bytes says how transfers run"),
        (
            [FINE, "-o", "x.csv", "--comms", "--recv", "late"],
            "has transfers of its own, so --recv does not apply",
        ),
        ([FINE, "-o", "x.csv", "--comms", "--fsdp"], "has transfers of its own, so --fsdp does not apply"),
    ],
)
def test_export_says_what_does_not_go_together(cli, arguments, sentence):
    code, _, err = cli("export", *arguments)
    assert code == 2
    assert sentence in err


@pytest.mark.parametrize(
    ("name", "chunks", "told"),
    [
        ("gpipe", None, "GPipe"), ("1f1b", None, "1F1B"), ("zb1p", None, "1F1B"),
        ("interleaved-1f1b", 2, "Interleaved1F1B"), ("interleaved-zb", 3, "InterleavedZeroBubble"),
        ("looped-bfs", 2, "LoopedBFS"), ("zbv", None, "ZBVZeroBubble"), ("dualpipev", None, "DualPipeV"),
        ("v-half", None, "ZBVZeroBubble"), ("dualpipe", None, None), ("chimera", None, None),
    ],
)  # fmt: skip
def test_which_name_torchtitan_needs(name, chunks, told):
    found = verdict(find(name).generate(4, 8, chunks))
    assert found.name == told
    assert ("layers_per_stage" in found.why) == (chunks == 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "0F0,1F0,1B0,0B0\n2F0,3F0,3B0,2B0\n",
            "rank 0 has stages 0, 1, and it puts stages in a loop, or in a V",
        ),
        ("1F0,1B0\n0F0,0B0\n", "rank 0 has stages 1, and it puts stages in a loop"),
        ("0F0,2F0,2B0,0B0\n1F0,1B0\n", "ranks have 1 to 2 stages, and it gives every rank as many"),
        ("0F0,0B0\n0F1,0B1\n", "it wants each stage on one rank, and x has stage 0 on devices 0 and 1"),
        ("0F0,0B0,0REDUCE_GRAD\n", "it reads compute-only files, and this one has 0REDUCE_GRAD"),
        ("0F0,0F1,0B0\n", "0B1 missing"),
    ],
)
def test_why_torchtitan_cannot_run_it(text, why):
    found = verdict(loads(text, "x").actions)
    assert found.name is None
    assert why in found.why


def test_export_check_prints_the_verdict(cli):
    code, out, _ = cli("export", "zbv", "--pp", "4", "--mb", "8", "--check", "torchtitan")
    assert code == 0
    assert out.startswith(
        "torchtitan runs it as ZBVZeroBubble (4 ranks, 8 stages, 8 micro-batches): --parallelism"
    )
    code, out, _ = cli("export", "dualpipe", "--pp", "4", "--check", "torchtitan")
    assert code == 1
    assert out.startswith("torchtitan cannot run dualpipe: it wants each stage on one rank")


def test_validate_looks_at_transfers_and_at_how_they_run(cli):
    code, out, err = cli("validate", LOCKED)
    assert (code, "valid" in out) == (0, True)
    assert (
        "runs where sends wait for nobody; else there is a deadlock: 0RECV_B0 (device 0) waits behind" in err
    )
    code, out, _ = cli("validate", LOCKED, "--comm", "blocking", "--send", "rendezvous")
    assert code == 1
    assert "deadlock: 0SEND_F1 (device 0) waits for 1RECV_F1" in out
    late = ["zbv", "--pp", "4", "--mb", "8", "--send", "rendezvous", "--channels", "pair", "--recv"]
    assert [cli("validate", *late, recv)[0] for recv in ("early", "late", "paired")] == [0, 1, 0]
    code, out, _ = cli("validate", str(FILES / "swapped_recv.csv"), "--json")
    assert code == 1
    assert [(v["code"], v["op"]) for v in json.loads(out)["violations"]] == [
        ("wrong-match", "1RECV_F1"),
        ("wrong-match", "1RECV_F0"),
    ]


def test_validate_style_and_memory_cap(cli):
    code, out, _ = cli("validate", str(FILES / "zbv_in_a_loop.csv"), "--style", "ZBVZeroBubble")
    assert code == 1
    assert "wrong-style: stage 2 stands on device 0 (row 1), but ZBVZeroBubble puts it on device 1" in out
    assert cli("validate", str(FILES / "zbv_in_a_loop.csv"), "--style", "nope")[0] == 2
    size = ["1f1b", "--pp", "4", "--mb", "8"]
    assert cli("validate", *size, "--memory-cap", "4")[0] == 0
    assert cli("validate", *size, "--memory-cap", "4,3,2,1")[0] == 0
    code, out, _ = cli("validate", *size, "--memory-cap", "4,3,1,1")
    assert code == 1
    told = "device 2 holds 2 activations at 3 F, when 2F1 starts: over its cap of 1 (its peak is 2)"
    assert f"memory-cap: {told}" in out
    assert cli("validate", *size, "--memory-cap", "4,3")[2].startswith("error: the memory cap has 2 entries")
    assert cli("validate", *size, "--memory-cap", "-1")[2].startswith("error: a memory cap must be 0 or more")
    code, out, _ = cli("analyze", *size, "--memory-cap", "3")
    assert code == 0
    assert "memory cap   device 0 holds 4 activations at 3 F, when 0F3 starts: over its cap of 3" in out
    [over] = json.loads(cli("analyze", *size, "--memory-cap", "3", "--json")[1])["over_memory_cap"]
    assert (over["op"], over["device"], over["position"]) == ("0F3", 0, 3)


def test_analyze_with_transfers(cli):
    size = ["1f1b", "--pp", "2", "--mb", "2", "--json"]
    plain = json.loads(cli("analyze", *size)[1])
    free = json.loads(cli("analyze", *size, "--comm", "async")[1])
    assert free == plain
    slow = json.loads(cli("analyze", *size, "--comm", "async", "--bytes", "4M", "--bandwidth", "2M")[1])
    assert slow["makespan"] == 13
    path = slow["critical_path"]
    assert path["transfer"] == 4
    out = cli("analyze", *size[:-1], "--send", "rendezvous", "--bytes", "4M", "--bandwidth", "2M")[1]
    assert (
        "transfers    async, rendezvous, a channel per direction; 4e+06 bytes at 2e+06 per F, latency 0"
        in out
    )


def test_a_file_with_transfers_is_run_without_them_unless_asked(cli):
    assert (
        "fine.csv: its compute is run, with latency; --comm async runs its transfers"
        in cli("analyze", FINE)[2]
    )
    assert cli("analyze", FINE, "--comm", "blocking")[2] == ""
    assert cli("analyze", str(FILES / "missing_send.csv"), "--comm", "async")[2].startswith(
        "error: missing_send.csv cannot run: 0SEND_F1 missing"
    )


def test_blocked_time_counts_as_transfer(cli):
    found = json.loads(cli("analyze", FINE, "--comm", "blocking", "--send", "rendezvous", "--bytes", "2",
                           "--bandwidth", "1", "--json")[1])  # fmt: skip
    path, work = found["critical_path"], {"F": 1.0, "B": 2.0}
    assert sum(work[op[1]] for op in path["ops"]) + path["transfer"] == found["makespan"]


def test_the_dialect_of_a_file(cli, tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("0F0,0B0,0W0\n")
    code, _, err = cli("validate", str(path))
    assert code == 0
    assert "B is read as the backward for the input" in err
    assert cli("validate", str(path), "--csv-dialect", "b-input")[2] == ""
    assert cli("validate", str(path), "--csv-dialect", "torch")[0] == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("4e6", 4e6),
        ("4M", 4e6),
        ("4MB", 4e6),
        ("1.5Gi", 1.5 * 2**30),
        ("1k,2k", (1e3, 2e3)),
        ("2 T", 2e12),
    ],
)
def test_numbers_with_units(text, value):
    assert numbers("bytes", text) == value


@pytest.mark.parametrize("text", ["", "fast", "4X", "M", "1,,2", "1MM"])
def test_numbers_that_are_none(text):
    with pytest.raises(CostError, match="bytes must be a number such as"):
        numbers("bytes", text)


def test_bytes_need_a_bandwidth(cli):
    assert "--bytes needs --bandwidth" in cli("analyze", "1f1b", "--bytes", "4M")[2]


def test_show_runs_transfers_when_asked(cli):
    plain = cli("show", FINE, "--ascii")
    assert "--comm async runs its transfers too" in plain[2]
    slow = cli("show", FINE, "--ascii", "--comm", "async", "--bytes", "2", "--bandwidth", "1")
    assert slow[2] == ""
    assert "transfers    async, buffered, a channel per direction; 2 bytes at 1 per F, latency 0" in slow[1]
    assert "13 F" in slow[1]
    assert "9 F" in plain[1]


def test_show_of_several_says_how_transfers_ran(cli):
    slow = ["--pp", "2", "--mb", "2", "--bytes", "2", "--bandwidth", "1"]
    told = "transfers: async, buffered, a channel per direction; 2 bytes at 1 per F, latency 0"
    assert told in cli("show", "1f1b", "gpipe", *slow, "--ascii")[1]
