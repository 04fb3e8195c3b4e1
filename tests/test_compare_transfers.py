"""Transfers in ``compare``: each row is what ``analyze`` says of that schedule with the same options."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout

import pytest
from conftest import DATA
from hypothesis import given, settings
from hypothesis import strategies as st

from pipesched import Transport, compare, lower, simulate
from pipesched.cli.app import run
from pipesched.generators import find

FINE = str(DATA / "transfers" / "fine.csv")


def objects(command, *arguments):
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        assert run([command, *arguments, "--json"]) == 0, arguments
    return json.loads(out.getvalue())


@st.composite
def moving(draw):
    """Options about transfers, as they are written."""
    words = {
        "--comm": st.sampled_from(["async", "blocking"]),
        "--channels": st.sampled_from(["direction", "pair", "shared"]),
        "--recv": st.sampled_from(["early", "late", "paired"]),
        "--bytes": st.sampled_from(["1", "0.5", "3"]),
    }
    given_ = {flag: draw(values) for flag, values in words.items() if draw(st.booleans())}
    if "--bytes" in given_:
        given_["--bandwidth"] = draw(st.sampled_from(["1", "2", "1,2,1,4"]))
    return [word for option in given_.items() for word in option]


@settings(max_examples=30)
@given(options=moving(), latency=st.sampled_from(["0", "0.5"]))
def test_every_row_is_what_analyze_says(options, latency):
    names = ["1f1b", "zb1p", "dualpipe", "zbv"]
    size = ["--pp", "4", "--mb", "8", "--latency", latency, *options]
    for name, row in zip(names, objects("compare", *names, *size), strict=True):
        assert row.pop("equal") == "devices"
        halves = ["--f", "0.5", "--b", "1", "--w", "0.5", "--unit", "F"] if name == "zbv" else []
        alone = objects("analyze", name, *size, *halves)
        for each in (row, alone):
            del each["bubble"]["formula"]["text"]  # in terms of the model, or of a stage
        assert row == alone


@pytest.mark.parametrize("options", [[], ["--comm", "blocking", "--bytes", "2", "--bandwidth", "1"]])
def test_a_files_own_transfers_are_run_where_any_are(cli, options):
    [row, _] = objects("compare", FINE, "1f1b", *options)
    del row["equal"]
    assert row == objects("analyze", FINE, *options)
    err = cli("compare", FINE, "1f1b", *options)[2]
    assert ("--comm async runs its transfers too" in err) == (not options)
    assert "so --recv does not apply" in cli("compare", FINE, "1f1b", "--recv", "late")[2]


def test_show_equal_runs_them_too(cli):
    out = cli("show", "1f1b", "zbv", "--equal", "devices", "--pp", "2", "--bytes", "2", "--bandwidth", "1")[1]
    table = cli("compare", "1f1b", "zbv", "--pp", "2", "--mb", "8", "--bytes", "2", "--bandwidth", "1")[1]
    assert out.endswith(table)
    assert "transfers: async, buffered, a channel per direction; 2 bytes at 1 per F, latency 0" in table


def test_a_report_runs_them_and_says_how(cli, tmp_path):
    page = tmp_path / "r.html"
    slow = ["--pp", "2", "--mb", "2", "--bytes", "2", "--bandwidth", "1"]
    assert cli("report", "1f1b", *slow, "--no-summary", "-o", str(page))[0] == 0
    text = page.read_text()
    assert "makespan 13 F" in text
    assert "transfers: async, buffered, a channel per direction; 2 bytes at 1 per F, latency 0" in text


def test_from_python():
    slow = Transport(size=2.0, bandwidth=1.0)
    [late, own] = compare(["1f1b", lower(find("1f1b").generate(2, 2), "late")], pp=2, mb=2, transport=slow)
    assert late.report.makespan == simulate(find("1f1b").generate(2, 2), transport=slow).makespan == 13
    assert own.report.makespan == 13


def test_no_report_shows_millions_of_ops_with_transfers(cli, tmp_path):
    huge = ["1f1b", "--pp", "8", "--mb", "300000", "--comm", "async"]
    assert (
        "too many to draw, and with transfers every op is run"
        in cli("report", *huge, "-o", str(tmp_path / "x.html"))[2]
    )
