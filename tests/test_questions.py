"""What people ask in public threads, each answered by one command, with the right value.

The comment above a test names the thread.
"""

import json
import warnings

import pytest

from pipesched.cli.app import run


@pytest.fixture
def ask(capsys, monkeypatch):
    """Run a command line; its stdout, parsed if it is JSON."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(line, code=0):
        with warnings.catch_warnings():
            assert run(line.split()) == code
        out, err = capsys.readouterr()
        return json.loads(out) if "--json" in line else out + err

    return call


def by_name(entries):
    return {entry["schedule"]: entry for entry in entries}


# deepseek-ai/DeepSeek-V3#211
def test_does_the_dualpipe_bubble_differ_by_device_when_pairs_are_shorter(ask):
    report = ask("analyze dualpipe --pp 8 --mb 20 --fb 2.5 --json")
    assert report["bubble"]["idle"] == [3.5, 4, 4.5, 4.5, 4.5, 4.5, 4, 3.5]
    assert report["makespan"] == 59
    assert report["bubble"]["formula"]["value"] == 4.5 == max(report["bubble"]["idle"])
    causes = report["bubble"]["causes"]
    assert [
        a + b + c for a, b, c in zip(causes["startup"], causes["inside"], causes["drain"], strict=True)
    ] == report["bubble"]["idle"]


# deepseek-ai/DualPipe#23
def test_why_pp_plus_1_activations(ask):
    memory = ask("analyze dualpipe --pp 8 --mb 20 --json")["memory"]
    assert memory["peak_activations"] == [9] * 8
    assert memory["formula"] == {"text": "PP+1", "value": 9, "exact": True, "why": None}


# deepseek-ai/DualPipe#17
def test_why_has_dualpipev_2x_parameters(ask):
    assert "2x" in ask("compare dualpipev --pp 8 --mb 20 --equal stages --csv").splitlines()[1]
    fair = by_name(ask("compare --pp 8 --mb 20 --json"))
    assert (fair["dualpipev"]["memory"]["model_copies"], fair["dualpipe"]["memory"]["model_copies"]) == (1, 2)


# deepseek-ai/DualPipe#15, #8
def test_interleaving_against_dualpipe(ask):
    """8 devices, 20 micro-batches, F = 1, B = 2 per eighth of the model: 21/v against 6."""
    names = (
        "interleaved,chunks=2,group=20 interleaved,chunks=3,group=20 interleaved,chunks=4,group=20 dualpipe"
    )
    entries = ask(f"compare 1f1b {names} --pp 8 --mb 20 --json")
    assert [max(entry["bubble"]["idle"]) for entry in entries] == [21, 10.5, 7, 5.25, 6]


# deepseek-ai/DualPipe#21
def test_why_does_this_op_wait_for_that_one(ask):
    answer = ask("explain dualpipe --pp 8 --mb 20 --op 6F14 --json")
    assert answer["needs"][0]["op"] == "5F14"
    assert "5F14" in ask("explain dualpipe --pp 8 --mb 20 --op 6F14")


# sail-sg/zero-bubble-pipeline-parallelism#8, #63
def test_a_memory_cap_names_device_time_and_op(ask):
    text = ask("validate 1f1b --pp 4 --mb 8 --memory-cap 3", code=1)
    assert "device 0 holds 4 activations at 3 F, when 0F3 starts: over its cap of 3" in text
    ask("validate 1f1b --pp 4 --mb 8 --memory-cap 4,3,2,1")


# deepseek-ai/DeepSeek-V3#734
def test_which_direction_does_a_cell_belong_to(ask):
    text = ask("show dualpipe --pp 8 --mb 20 --width 200")
    assert "upper case: down, lower case: up" in text
    device_0 = next(line for line in text.splitlines() if line.startswith("0 "))
    before_the_first_pair = device_0.split("&")[0]
    assert [cell in before_the_first_pair for cell in ("f10", "f11", "f12", "F0", "F6")] == [True] * 5
    assert ask("analyze dualpipe --pp 8 --mb 20 --json")["memory"]["stages"][0] == [0, 7]


# deepseek-ai/DeepSeek-V3#724
def test_is_f_plus_b_minus_2w_a_typo(ask):
    assert "(PP-1)(F+B-2W)" in ask("list")
    other = ask("list --dialect zero-bubble")
    assert "(PP-1)(F+B-W)" in other
    assert "B backward for the input only" in other


# Victarry/PP-Schedule-Visualization#1
def test_the_cost_model_is_always_printed(ask):
    for command in ("show dualpipe --mb 20", "analyze dualpipe --mb 20", "compare --mb 20"):
        assert "F=1 B=2 I=1 W=1 F&B=3 latency=0" in ask(command)


# sail-sg/zero-bubble-pipeline-parallelism#21
def test_interleaving_against_zero_bubble_at_equal_devices(ask):
    """8 devices, 32 micro-batches, F = I = W = 1 per eighth of the model."""
    entries = ask("compare vpp,chunks=2 vpp,chunks=4 zb1p zbv --pp 8 --mb 32 --json")
    assert [max(entry["bubble"]["idle"]) for entry in entries] == [10.5, 5.25, 7, 3.5]


# sail-sg/zero-bubble-pipeline-parallelism#36
def test_zbv_has_embedding_and_head_on_one_device(ask):
    assert ask("analyze zbv --pp 4 --mb 8 --json")["memory"]["stages"] == [[0, 7], [1, 6], [2, 5], [3, 4]]


# NVIDIA/Megatron-LM#169, #675
def test_the_interleaved_warm_up(ask):
    rows = ask("export interleaved-1f1b --pp 4 --mb 8 --chunks 2 -o -").splitlines()
    # All forwards before the first backward; the last of them belongs to the first pair.
    warmups = [next(i for i, cell in enumerate(row.split(",")) if "B" in cell) - 1 for row in rows]
    assert warmups == [10, 8, 6, 4]


# NVIDIA/Megatron-LM#1829
@pytest.mark.parametrize(("group", "idle"), [(3, 59), (4, 9), (5, 19), (6, 9), (13, 11)])
def test_a_group_below_pp_is_slow(ask, group, idle):
    report = f"analyze interleaved-1f1b --pp 4 --mb 16 --chunks 2 --group {group} --json"
    assert max(ask(report)["bubble"]["idle"]) == idle


def test_a_group_far_below_pp_deadlocks(ask):
    for group in (1, 2):
        text = ask(f"analyze interleaved-1f1b --pp 4 --mb 16 --chunks 2 --group {group}", code=2)
        assert "deadlocks" in text
        assert "legal sizes" in text


# NVIDIA/Megatron-LM#750
def test_may_there_be_2_devices_with_interleaving(ask):
    report = ask("analyze interleaved-1f1b --pp 2 --mb 8 --chunks 2 --json")
    assert (report["makespan"], report["bubble"]["idle"]) == (51, [3, 3])


# NVIDIA/Megatron-LM#465, #466, #4385
@pytest.mark.parametrize(("latency", "makespan"), [(0.1, 34.6), (0.5, 41), (1, 49)])
def test_what_do_transfers_cost_1f1b(ask, latency, makespan):
    report = ask(f"analyze 1f1b --pp 4 --mb 8 --latency {latency} --json")
    assert report["makespan"] == makespan
    assert report["bubble"]["general"]["exact"]
    assert sum(report["bubble"]["causes"]["transfer"]) > 0


# pytorch/torchtitan#775, pytorch/pytorch#144702
@pytest.mark.parametrize(("microbatches", "makespan"), [(1, 12), (2, 15), (3, 18)])
def test_fewer_microbatches_than_devices(ask, microbatches, makespan):
    assert ask(f"analyze 1f1b --pp 4 --mb {microbatches} --json")["makespan"] == makespan


# zxypro1/algolocal#95
def test_1f1b_has_no_smaller_bubble_than_gpipe(ask):
    entries = by_name(ask("compare gpipe 1f1b --pp 8 --mb 32 --f 1 --b 1 --w 0.5 --json"))
    assert [entry["makespan"] for entry in entries.values()] == [78, 78]
    assert [round(entry["bubble"]["rate"], 4) for entry in entries.values()] == [0.1795, 0.1795]
    assert round(entries["1f1b"]["bubble"]["span_average"], 4) == 0.0986


# rohitg00/ai-engineering-from-scratch#66; pytorch/pytorch#130210, #130752
def test_every_bubble_has_its_name(ask):
    text = ask("analyze zbv --pp 4 --mb 8")
    for name in ("of all device time", "of ideal time", "of the longest span", "of all spans"):
        assert name in text
    report = ask("analyze zb-h2 --pp 4 --mb 8 --json")["bubble"]
    assert (report["span_rate"], report["idle"]) == (0, [3, 3, 3, 3])  # "zero bubble" is not zero


# pytorch/pytorch#160474, #150333
def test_a_chart_on_a_time_axis_shows_the_dependencies(ask):
    assert ask("analyze dualpipev --pp 4 --mb 10 --json")["makespan"] == 66
    lanes = [
        line
        for line in ask("show dualpipev --pp 4 --mb 10 --width 68").splitlines()
        if line[:2] in ("0 ", "3 ")
    ]
    assert all(len(lane.rstrip()) <= 68 for lane in lanes)
    assert lanes[1][2:5].strip(" ·") == ""  # device 3 waits for the first forward to come down


# DeepSpeed#2800, marin#6532
@pytest.mark.parametrize("microbatches", [4, 8, 100])
def test_activations_of_1f1b_do_not_grow(ask, microbatches):
    assert ask(f"analyze 1f1b --pp 4 --mb {microbatches} --json")["memory"]["peak_activations"] == [
        4,
        3,
        2,
        1,
    ]


# ai-dynamo/aiconfigurator#1459
def test_the_slowest_stage_sets_the_pace(ask):
    report = ask("analyze 1f1b --pp 4 --mb 8 --f 1,1,1,2 --b 2 --json")
    assert (report["makespan"], report["bubble"]["idle"]) == (41, [17, 17, 17, 9])


# pytorch/torchtitan#1552
def test_one_thing_many_names(ask):
    exports = {
        ask(f"export {name} --pp 2 --mb 4 -o -")
        for name in ("vpp", "interleaved", "looped", "Interleaved1F1B")
    }
    assert len(exports) == 1


# pytorch/torchtitan#774
def test_the_right_placement_of_zbv(ask, tmp_path):
    assert ask("list zbv --json")[0]["placement"] == "0,7 | 1,6 | 2,5 | 3,4"
    loop = tmp_path / "loop.csv"
    ask(f"export vpp --pp 4 --mb 8 -o {loop}")
    assert "stage 4" in ask(f"validate {loop} --style ZBVZeroBubble", code=1)
