"""The public names of the package: all there, loaded late, and the same to type checkers."""

import ast
import doctest
import json
import subprocess
import sys
from pathlib import Path

import pytest

import pipesched


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_import_alone_loads_nothing():
    loaded = json.loads(python("import json, sys, pipesched; print(json.dumps(list(sys.modules)))"))
    assert [name for name in loaded if name.startswith("pipesched")] == ["pipesched"]
    assert not {"numpy", "rich", "typer", "plotly", "pydantic", "typing"} & set(loaded)


def test_a_schedule_needs_no_plotting():
    loaded = json.loads(
        python(
            "import json, sys, pipesched; pipesched.analyze(pipesched.generate('dualpipe', 2));"
            "print(json.dumps(list(sys.modules)))"
        )
    )
    assert not {"rich", "typer", "plotly", "pydantic"} & set(loaded)


@pytest.mark.parametrize("name", pipesched.__all__)
def test_every_name_is_there_and_documented(name):
    assert getattr(pipesched, name).__doc__
    assert name in dir(pipesched)


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="module 'pipesched' has no attribute 'gantt'"):
        _ = pipesched.gantt


@pytest.mark.parametrize("order", ["", "import pipesched.simulate, pipesched.compare, pipesched.schedule; "])
def test_functions_go_before_modules_of_the_same_name(order):
    code = (
        f"{order}import pipesched; from pipesched import simulate, schedule, validate;"
        "print(pipesched.simulate(pipesched.generate('1f1b', 2, 2)).makespan);"
        "print(callable(schedule), callable(validate), callable(pipesched.compare), callable(simulate))"
    )
    assert python(code).split() == ["9.0", "True", "True", "True", "True"]


def test_type_checkers_see_the_same_names():
    stub = ast.parse(Path(pipesched.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported | {"generate"} == set(pipesched.__all__)
    listed = next(node.value for node in stub.body if isinstance(node, ast.Assign))
    assert ast.literal_eval(listed) == pipesched.__all__
    defined = next(node for node in stub.body if isinstance(node, ast.FunctionDef))
    source = ast.parse(Path(pipesched.__file__).read_text(encoding="utf-8"))
    real = next(node for node in source.body if isinstance(node, ast.FunctionDef))
    assert ast.unparse(defined.args) == ast.unparse(real.args)


def test_where_each_name_is_agrees_with_the_stub():
    stub = ast.parse(Path(pipesched.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    for node in stub.body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            module = __import__(node.module, fromlist=[alias.name])
            assert getattr(module, alias.name) is getattr(pipesched, alias.asname or alias.name)


def test_examples_in_docstrings():
    assert doctest.testmod(pipesched).failed == 0


WITH_TRANSFERS = "0F0,0SEND_F0,0RECV_B0,0B0,0REDUCE_GRAD\n1RECV_F0,1F0,1B0,1SEND_B0,1REDUCE_GRAD\n"
OURS = '{"format": "pipesched", "version": 1, "name": "x", "costs": {"F": 2}, "ops": [["0F0", "0B0"], ["1F0", "1B0"]]}'


def test_what_load_gives_is_taken_for_a_schedule(tmp_path):
    (tmp_path / "x.csv").write_text(WITH_TRANSFERS)
    (tmp_path / "x.json").write_text(OURS)
    file, ours = (pipesched.load(tmp_path / name) for name in ("x.csv", "x.json"))
    assert pipesched.validate(file) == []
    assert pipesched.analyze(file).makespan == 6
    assert pipesched.simulate(file).listed == file.actions
    assert pipesched.analyze(ours).makespan == 8  # with the costs of the file
    assert pipesched.analyze(ours, pipesched.CostModel()).makespan == 6
    assert pipesched.lower(ours).has_transfers
    assert pipesched.diff(ours, pipesched.generate("1f1b", 2, 1)).a.makespan == 8
    [entry, _] = pipesched.compare([file, "1f1b"], pp=2, mb=1)
    assert (entry.name, entry.report.makespan) == ("x.csv", 6)


@pytest.mark.parametrize("function", ["analyze", "simulate", "validate", "lower"])
def test_what_is_no_schedule_is_told(function):
    with pytest.raises(TypeError, match="^expected a Schedule, Actions, or what load gives; got str$"):
        getattr(pipesched, function)("1f1b")


def test_each_big_thing_is_told_in_one_line(tmp_path):
    schedule = pipesched.generate("1f1b", 64, 512)
    lowered = pipesched.lower(schedule)
    (tmp_path / "x.csv").write_text(WITH_TRANSFERS)
    size = "'1f1b': 64 devices, 64 stages, 512 micro-batches"
    assert repr(schedule) == f"<Schedule {size}, 65,536 ops>"
    assert repr(lowered) == f"<Actions {size}, 65,536 ops and 129,088 other actions>"
    assert repr(pipesched.simulate(schedule)) == f"<Timeline {size}, makespan 1725 F>"
    run = pipesched.simulate(pipesched.generate("1f1b", 2, 2), transport=pipesched.Transport())
    assert repr(run).startswith("<TransferTimeline '1f1b': 2 devices, ")
    assert repr(pipesched.analyze(schedule)) == f"<Report {size}, makespan 1725 F, bubble rate 10.96%>"
    assert len(repr(pipesched.load(tmp_path / "x.csv"))) < 300
