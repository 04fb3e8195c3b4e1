"""Costs on the command line: what a number is, and which file or flag is wrong."""

import json

import pytest

from pipesched.cli.app import run


@pytest.fixture
def told(capsys, tmp_path, monkeypatch):
    """What ``analyze 1f1b --pp 4`` says of these costs, with files written where it runs."""
    monkeypatch.chdir(tmp_path)

    def call(*flags, **files):
        for name, text in files.items():
            (tmp_path / name.replace("_", ".")).write_bytes(text.encode())
        code = run(["analyze", "1f1b", "--pp", "4", "--json", *flags])
        out, err = capsys.readouterr()
        return json.loads(out)["costs"] if code == 0 else err.removeprefix("error: ").removesuffix("\n")

    return call


@pytest.mark.parametrize("text", ["٣", "1_0", "0x1", "", "1,,2", "1 2", "½", "1e", "fast"])
def test_what_no_number_is(told, text):
    assert told("--f", text) == (
        "--f must be a number such as 1, 0.5 or 2e-3, or a comma list of one per stage; got " + repr(text)
    )


@pytest.mark.parametrize(
    ("text", "value"), [("+1", 1), (".5", 0.5), ("2E-3", 0.002), (" 3 ", 3), ("1,2, 3,4", [1, 2, 3, 4])]
)
def test_what_a_number_is(told, text, value):
    assert told("--f", text)["F"] == value


@pytest.mark.parametrize(
    ("flags", "files", "sentence"),
    [
        ("--latency -1", {}, "--latency must be a time of 0 or more; got -1"),
        ("--latency 1,2", {}, "--latency: latency must be one number: it is the same between any two devices"),
        ("--w 3", {}, "--w: W must not exceed B, the whole backward (B = I + W); got W = 3 > B = 2"),
        ("--w 1,2", {}, "W has 2 entries; one per stage needs 4, or give one number for all"),
        ("--costs c.toml", {"c_toml": "F = -1"}, "c.toml: F must be a time of 0 or more; got -1"),
        ("--costs c.toml --f 1", {"c_toml": "G = 1"}, "c.toml: unknown cost 'G'; known are F, B, I, W, FB, latency, unit"),
        ("--costs c.toml", {"c_toml": "unit = 3"}, "c.toml: unit must be text, such as ms; got 3"),
        ("--costs c.toml --b 1", {"c_toml": "W = 1.5"}, "c.toml and --b: W must not exceed B, the whole backward (B = I + W); got W = 1.5 > B = 1"),
        ("--costs c.toml", {"c_toml": ""}, 'c.toml is empty: costs are written like {"F": 1, "B": 2} (JSON) or F = 1 (TOML)'),
        ("--costs c.json", {"c_json": " \n"}, 'c.json is empty: costs are written like {"F": 1, "B": 2} (JSON) or F = 1 (TOML)'),
        ("--costs c.yaml", {"c_yaml": "F: 1"}, "cannot read costs from c.yaml: they are read from .json and .toml files"),
        ("--costs c.json", {"c_json": "[1]"}, 'c.json must hold one table of costs, such as {"F": 1, "B": 2}'),
        ("--costs c.json", {"c_json": '{"F" 1}'}, "cannot read costs from c.json: not JSON: expecting ':' delimiter: line 1 column 6 (char 5)"),
        ("--costs c.toml", {"c_toml": "F: 1"}, "cannot read costs from c.toml: not TOML: expected '=' after a key in a key/value pair (at line 1, column 2)"),
        ("--costs none.toml", {}, "cannot read none.toml: no such file or directory"),
    ],
)  # fmt: skip
def test_a_wrong_cost_names_its_file_or_flag(told, flags, files, sentence):
    assert told(*flags.split(), **files) == sentence


@pytest.mark.parametrize("name", ["c_json", "c"])
def test_json_with_a_bom_and_without_a_suffix(told, name):
    assert told("--costs", name.replace("_", "."), **{name: '\ufeff{"F": 2}'})["F"] == 2


@pytest.mark.parametrize("name", ["c_toml", "c"])
def test_toml_with_a_bom_and_without_a_suffix(told, name):
    assert told("--costs", name.replace("_", "."), **{name: "\ufeffF = 2\n"})["F"] == 2


@pytest.mark.parametrize(
    ("flags", "file", "unit"),
    [
        ("--f 2", None, "units"),
        ("--f 2 --unit ms", None, "ms"),
        ("--costs c.json", '{"F": 1, "unit": "F"}', "F"),
        ("--costs c.json --f 2", '{"F": 1, "unit": "F"}', "units"),
        ("--costs c.json --f 2", '{"F": 1, "unit": "ms"}', "ms"),
        ("--costs c.json --b 3", '{"F": 1, "unit": "F"}', "F"),
    ],
)
def test_another_forward_is_another_unit(cli, tmp_path, monkeypatch, flags, file, unit):
    monkeypatch.chdir(tmp_path)
    if file:
        (tmp_path / "c.json").write_text(file)
    code, out, _ = cli("show", "1f1b", "--pp", "2", "--mb", "2", *flags.split())
    assert code == 0
    assert out.splitlines()[0].endswith(f"time in {unit}")
