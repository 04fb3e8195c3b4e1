"""Schedules in a user's own file: what they may return, and that every error shows the user's line."""

import json
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

from pipesched.cli.app import run
from pipesched.errors import PipeschedWarning, ShapeError, UserCodeError
from pipesched.generators import _registry, find, user
from pipesched.generators.user import load_recipe
from pipesched.simulate import simulate


@pytest.fixture(autouse=True)
def registry():
    """What user files register is forgotten after each test."""
    before = dict(_registry.published())
    yield
    _registry._RECIPES.clear()
    _registry._RECIPES.update(before)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def mine(here):
    """Write mine.py in the working directory; make a schedule of one of its functions."""

    def make(text, function="mine", pp=4, mb=8, chunks=None, **options):
        (here / "mine.py").write_text(textwrap.dedent(text))
        recipe = load_recipe("mine.py", function)
        return user.run("mine.py", lambda: recipe.generate(pp, mb, chunks, **options))

    return make


PROGRAM = """\
from pipesched.program import F, B
def mine(p, d):
    return p.microbatches * [F] + p.microbatches * [B]
"""


def test_a_program_for_each_device(mine):
    assert mine(PROGRAM) == find("gpipe").generate(4, 8)
    assert mine(PROGRAM).name == "mine.py:mine"
    assert simulate(mine(PROGRAM)).makespan == 33


def test_a_whole_schedule(mine):
    text = """
        from pipesched import Op, Kind, Schedule
        def mine(p):
            ops = lambda d: [Op(kind, d, m) for kind in (Kind.F, Kind.B) for m in range(p.microbatches)]
            return Schedule.from_rows("any", [ops(d) for d in range(p.devices)])
    """
    assert mine(text) == find("gpipe").generate(4, 8)


def test_a_generator_is_as_good_as_a_list(mine):
    text = """
        from pipesched.program import F, B
        def mine(p, d):
            for step in (F, B):
                for _ in range(p.microbatches):
                    yield step
    """
    assert mine(text) == find("gpipe").generate(4, 8)


def test_options_and_chunks_are_passed_on(mine):
    text = """
        from pipesched.program import Kind, step
        def mine(p, d, *, group=2):
            order = range(0, p.chunks) if group == 2 else reversed(range(p.chunks))
            forwards = [step(Kind.F, chunk) for chunk in order for _ in range(p.microbatches)]
            back = [step(Kind.B, chunk) for chunk in reversed(range(p.chunks)) for _ in range(p.microbatches)]
            return forwards + back
    """
    assert mine(text, chunks=3).stages == 12
    assert mine(text, chunks=3, group=2) == mine(text, chunks=3)
    assert next(mine(text, chunks=3, group=1).rows())[0] == "8F0"
    with pytest.raises(ShapeError, match=r"mine.py:mine has no option --size; its options: --group"):
        mine(text, size=3)


DECORATED = """\
from pipesched.generators import schedule
from pipesched.placement import v_shape
from pipesched.program import B0, B1, F0, F1
@schedule("my-v", title="My V", source="mine", placement=v_shape, chunks=2, aliases=("mv",))
def mine(p, d):
    "Down, up."
    return p.microbatches * [F0, F1] + p.microbatches * [B1, B0]
"""


def test_a_decorated_function_brings_its_placement(mine):
    made = mine(DECORATED)
    assert made.name == "my-v"
    assert made.placement.stages == ((0, 7), (1, 6), (2, 5), (3, 4))
    assert find("mv").title == "My V"
    assert mine(DECORATED) == made  # loading it twice is no clash
    with pytest.raises(ShapeError, match="my-v runs 2 stages per device; got --chunks 3"):
        mine(DECORATED, chunks=3)


def test_modules_beside_it_can_be_imported_both_ways(mine, tmp_path):
    (tmp_path / "helper.py").write_text(
        "from pipesched.program import F, B\ndef bad(p):\n    return p.nothing\n"
    )
    for how in (
        "from helper import F, B",
        "from .helper import F, B",
        "from . import helper\nF, B = helper.F, helper.B",
    ):
        assert mine(PROGRAM.replace("from pipesched.program import F, B", how)) == find("gpipe").generate(
            4, 8
        )
    with pytest.raises(
        UserCodeError, match=r"^helper.py line 3, in bad: AttributeError: .* \(line: return p.nothing\)"
    ):
        mine("from .helper import bad\ndef mine(p, d):\n    return bad(p)\n")
    assert str(tmp_path) not in sys.path


def test_a_dataclass_with_names_of_types_in_quotes_loads(mine):
    mine(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass A:\n    x: int\n" + PROGRAM
    )


BROKEN = [
    (
        "def mine(p, d):\n    return 1 / 0",
        r"^mine.py line 2, in mine: ZeroDivisionError: division by zero \(line: return 1 / 0\)$",
    ),
    ("x = [\n1,\n2", r"^mine.py line 1: SyntaxError: '\[' was never closed \(line: x = \[\)$"),
    ("def mine(p, d):\nreturn 3", r"^mine.py line 2: IndentationError: .*\(line: return 3\)$"),
    (
        "import nothing_like_it",
        r"^mine.py line 1: ModuleNotFoundError: No module named 'nothing_like_it' \(line: import",
    ),
    ("raise SystemExit", r"^mine.py line 1: SystemExit \(line: raise SystemExit\)$"),
    ("import sys\ndef mine(p): sys.exit('no')", r"^mine.py line 2, in mine: SystemExit: no"),
    ("def mine(p): return mine(p)", r"^mine.py line 1, in mine: RecursionError: maximum"),
    (
        "from pipesched.program import F\ndef mine(p, d):\n    return [F & F]",
        r"^mine.py line 3, in mine: TypeError: a pair is",
    ),
    (
        "def mine(p, d):\n    raise ValueError('one\\ntwo ' + 'x' * 999)",
        r"^mine.py line 2, in mine: ValueError: one two x{100,192}\.\.\.",
    ),
    ("def mine(p, d):\n    yield 1 / 0", r"^mine.py line 2, in mine: ZeroDivisionError"),
    (
        "def mine(p, d): ...",
        r"^mine.py line 1: mine returned for device 0: NoneType; a schedule function returns a ",
    ),
    (
        "def mine(p): ...",
        r"^mine.py line 1: mine returned NoneType; a schedule .* or a list of steps$",
    ),
    (
        "def mine(p): return [[]]",
        r"returned list; .*; it takes the pipeline alone, .*: take \(pipeline, device\)",
    ),
    (
        "\ndef mine(p, d): return [1, 2]",
        r"^mine.py line 2: mine returned for device 0 a list whose item 0 is int '1', not a step",
    ),
    (
        "from pipesched.program import F\ndef mine(p, d): return [F, [F]]",
        r"a list whose item 1 is list '\[0\]', not a step such as F, B1",
    ),
    ("def mine(p, d): return 'FB'", r"returned for device 0: str;"),
    (
        "from pipesched import Kind, Op\ndef mine(p, d): return [Op(Kind.F, 0, 0)]",
        r"item 0 is Op '0F0', not a step .* \(a list of ops is for Schedule.from_rows\)",
    ),
    (
        "from pipesched import generate\ndef mine(p, d): return generate('1f1b', 4)",
        r"Schedule; .*: take \(pipeline\) alone",
    ),
    (
        "from pipesched import generate\ndef mine(p): return generate('1f1b', 3)",
        r"^mine.py line 2: mine returned a schedule of 3 devices; --pp is 4$",
    ),
    (
        "from itertools import cycle\nfrom pipesched.program import F\ndef mine(p, d): return cycle([F])",
        r"mine does not end: it gave more than 1536 steps for device 0",
    ),
    (
        "from pipesched.program import F1\ndef mine(p, d): return [F1]",
        r"mine.py:mine: device 0 has no chunk 1; it holds 1",
    ),
    (
        "def mine(a, b, c): ...",
        r"^mine.py line 1: mine takes 3 parameters; it must take \(pipeline\) or \(pipeline, device\)",
    ),
    ("def mine(): ...", r"mine takes 0 parameters"),
    ("def mine(*args): ...", r"mine takes 1 parameter;"),
    ("def mine(p, **options): ...", r"mine takes 2 parameters;"),
    ("def mine(p, *, group): ...", r"mine takes \(p, \*, group\)|its option group needs a default"),
    ("mine = 3\ndef min(p): ...", r"^mine.py has no function 'mine'; it has min; did you mean min\?$"),
    ("", r"has no function 'mine'; it has none$"),
    ("\0", r"^mine.py: (SyntaxError|ValueError): source code"),
    (DECORATED.replace("my-v", "gpipe"), r"^mine.py registers the name 'gpipe', which gpipe has already$"),
    (
        DECORATED.replace('"mv"', '"vpp"'),
        r"^mine.py registers the name 'vpp', which interleaved-1f1b has already$",
    ),
    (
        DECORATED.replace("placement=v_shape", "placement=lambda p, c: v_shape(3)"),
        r"mine has a placement that has stages of 3 devices and flows of 3 devices, for 4 devices",
    ),
    (
        DECORATED.replace("placement=v_shape", "placement=lambda p, c: [[0]]"),
        r"has a placement that returned list, not a Placement",
    ),
    (
        DECORATED.replace('title="My V", ', ""),
        r"^mine.py line 4: TypeError: .*missing 1 required keyword-only argument: 'title'",
    ),
]


MISTYPED = [
    ('formula="x"', "formula = 'x', which is not a Formula"),
    ("general=(1,)", r"general = \(1,\), which is not a tuple, each a Formula"),
    ("span=3", "span = 3, which is not a tuple, each a Formula"),
    ('aliases="ab"', "aliases = 'ab', which is not a tuple, each text"),
    ("constraints=(3,)", r"constraints = \(3,\), which is not a tuple, each a Constraint, as needs"),
    ("title=3", "title = 3, which is not text"),
    ("chunks=0", "chunks = 0, which is not 1 or more"),
    ("chunks='2'", "chunks = '2', which is not a whole number"),
    ("placement=3", "placement = 3, which is not a function"),
]


@pytest.mark.parametrize(("argument", "told"), MISTYPED)
def test_arguments_of_the_decorator_are_checked(mine, argument, told):
    text = DECORATED.replace(
        'title="My V", source="mine", placement=v_shape, chunks=2, aliases=("mv",)', "{}"
    )
    given = {"title": '"My V"', "source": '"mine"', "placement": "v_shape", "chunks": "2"}
    key, _, value = argument.partition("=")
    line = ", ".join(f"{name}={each}" for name, each in {**given, key: value}.items())
    with pytest.raises(UserCodeError, match=f"^mine.py line 4: mine is registered with {told}"):
        mine(text.format(line))


@pytest.mark.parametrize("stage", ["0.5", "'a'", "-1", "9"])
def test_a_placement_of_no_stages_is_refused(mine, stage):
    text = DECORATED.replace(
        "placement=v_shape", f"placement=lambda p, c: Placement((({stage},),) * p, ((0,),) * p)"
    )
    text = text.replace("import v_shape", "import Placement").replace(", chunks=2", "")
    with pytest.raises(
        UserCodeError, match=f"mine has a placement that has an id of {stage}: stages and flows"
    ):
        mine(text)


RAISED = {
    "raise GeneratorExit": "GeneratorExit",
    "raise SystemExit(3)": "SystemExit: 3",
    "raise asyncio.CancelledError": "CancelledError",
    "raise Odd": "Odd",
    "raise StopIteration": "StopIteration",
    "raise Mute": "Mute: its message cannot be had: ZeroDivisionError",
    "raise SyntaxError(1, (2, 3, 4, 5))": "SyntaxError: 1",
    "raise MemoryError": "MemoryError",
    "raise pipesched.errors.PipeschedError": "PipeschedError",
    "raise Mine('x')": "Mine: x",
    "raise ValueError(chr(27) + '[31m')": "ValueError: \\\\x1b\\[31m",
    "warnings.warn('x', PipeschedWarning)": None,
}
RAISING = """\
import asyncio, warnings, pipesched
from pipesched.errors import PipeschedWarning
class Odd(BaseException): ...
class Mine(pipesched.errors.PipeschedError): ...
class Mute(Exception):
    def __str__(self): return 1 / 0
def mine(p, d):
    {}
"""


@pytest.mark.parametrize(("line", "told"), RAISED.items())
def test_whatever_is_raised_is_told(mine, line, told):
    text = RAISING.format(line)
    if told is None:
        with pytest.warns(PipeschedWarning, match="^x$"), pytest.raises(UserCodeError, match="NoneType"):
            mine(text)
        return
    with pytest.raises(UserCodeError, match=f"^mine.py line 8, in mine: {told} \\(line: raise ") as error:
        mine(text)
    assert str(error.value).isprintable()


def test_ctrl_c_in_a_users_code_is_ctrl_c(mine):
    with pytest.raises(KeyboardInterrupt):
        mine("def mine(p, d): raise KeyboardInterrupt")


WHOLE = """\
import numpy as np
from dataclasses import replace
from pipesched import generate, Schedule
from pipesched.placement import Placement
def made(p): return generate("dualpipe", p.devices, p.microbatches)
def mine(p): return {}
"""
MALFORMED = [
    ("replace(made(p), kind=made(p).kind[1:])", "whose stage is not an array of 73 integers"),
    ("replace(made(p), kind=[0])", "whose kind is not an array of 1 integers"),
    ("replace(made(p), stage=made(p).stage * 1.5)", "whose stage is not an array of 74 integers"),
    ("replace(made(p), stage=made(p).stage - 1)", r"with a stage outside 0\.\.2147483646"),
    ("replace(made(p), kind=made(p).kind + 1)", r"with a kind outside 0\.\.3"),
    ("replace(made(p), microbatch=made(p).microbatch - 9)", r"with a microbatch outside 0\.\."),
    ("replace(made(p), first=made(p).first[::-1])", "whose first does not ascend from 0 to its 74 ops"),
    ("replace(made(p), slot=made(p).slot * 2)", "whose slots are not numbered 0, 1, ..."),
    ("replace(made(p), slot=made(p).slot * 0)", "with a slot that is neither one op nor a forward and a "),
    ("replace(made(p), placement=None)", "whose placement is NoneType, not a Placement"),
    (
        "replace(made(p), placement=Placement(((0,),), ((0,),)))",
        "whose placement has stages of 1 device and ",
    ),
    (
        "replace(made(p), placement=generate('1f1b', p.devices).placement)",
        "whose device 0 runs stage 3, which",
    ),
]


@pytest.mark.parametrize(("expression", "told"), MALFORMED)
def test_a_schedule_whose_columns_do_not_fit_is_refused(mine, expression, told):
    with pytest.raises(UserCodeError, match=f"^mine.py line 6: mine returned a schedule {told}"):
        mine(WHOLE.format(expression))


def test_a_sized_thing_need_not_end(mine):
    text = """
        from pipesched.program import F
        class Endless:
            def __len__(self): return 3
            def __iter__(self):
                while True: yield F
        def mine(p, d): return Endless()
    """
    with pytest.raises(UserCodeError, match="does not end: it gave more than 1536 steps for device 0"):
        mine(text)


def test_everything_is_left_as_it_was(mine, here):
    text = """
        import os, sys, warnings
        import numpy as np
        os.chdir("/"); warnings.simplefilter("error"); np.seterr(all="raise"); sys.setrecursionlimit(5000)
        sys.stdout.close(); sys.stderr.close()
    """
    before = (sys.getrecursionlimit(), np.geterr(), list(warnings.filters), list(sys.path))
    assert mine(textwrap.dedent(text) + PROGRAM) == find("gpipe").generate(4, 8)
    assert Path.cwd() == here
    assert (sys.getrecursionlimit(), np.geterr(), list(warnings.filters), list(sys.path)) == before
    assert not sys.stdout.closed
    assert not sys.stderr.closed


@pytest.mark.parametrize(("text", "sentence"), BROKEN)
def test_what_goes_wrong_is_told_with_the_users_line(mine, text, sentence):
    with pytest.raises((UserCodeError, ShapeError), match=sentence) as error:
        mine(text)
    assert "\n" not in str(error.value)
    assert find("gpipe").generate(4, 8)  # ours are as they were
    assert find("vpp").name == "interleaved-1f1b"


def test_another_number_of_micro_batches_is_a_note(mine):
    text = "from pipesched import generate\ndef mine(p): return generate('1f1b', p.devices, 3)"
    with pytest.warns(PipeschedWarning, match=r"mine returned a schedule of 3 micro-batches; --mb is 8"):
        assert mine(text).microbatches == 3


@pytest.mark.parametrize("path", ["none.py", "."])
def test_what_is_no_file(path):
    with pytest.raises(UserCodeError, match=r"^cannot read .*: (no such file|is a directory)$"):
        load_recipe(path, "mine")


def test_other_encodings_are_read(here):
    (here / "latin.py").write_bytes(b"# coding: latin-1\n# \xe9\n" + PROGRAM.encode())
    assert load_recipe("latin.py", "mine").generate(2, 2) == find("gpipe").generate(2, 2)
    (here / "utf8.py").write_bytes(b"x = '\xe9'\n" + PROGRAM.encode())
    with pytest.raises(UserCodeError, match=r"utf8.py.*SyntaxError"):
        load_recipe("utf8.py", "mine")


def test_a_file_called_like_a_module_of_python_shadows_nothing(here):
    (here / "json.py").write_text(PROGRAM)
    assert load_recipe("json.py", "mine").generate(2, 2) == find("gpipe").generate(2, 2)
    assert json.loads("1") == 1
    assert not hasattr(sys.modules["json"], "mine")


def test_nothing_is_left_beside_it(mine, tmp_path):
    mine(PROGRAM)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


LOUD = f"""\
import os, subprocess, sys
print("at import")
{PROGRAM}
def loud(p, d):
    print("device", d)
    sys.__stdout__.write("underneath\\n")
    os.write(1, b"deeper\\n")
    subprocess.run(["echo", "beside"])
    return mine(p, d)
"""


def test_prints_do_not_get_into_json(tmp_path):
    (tmp_path / "mine.py").write_text(LOUD)
    command = [sys.executable, "-m", "pipesched", "analyze", "mine.py:loud", "--pp", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=True)
    assert json.loads(done.stdout)["schedule"] == "mine.py:loud"
    assert sorted(set(done.stderr.split("\n"))) == sorted(
        {"", "at import", "device 0", "device 1", "underneath", "deeper", "beside"}
    )


@pytest.mark.parametrize("what", ["sys.stdout.close()", "sys.stderr.close()", "sys.__stdout__.close()", "sys.__stderr__.close()",
                                  "os.close(1)", "os.close(2)", "sys.stdout = None", "sys.stdin.close()"])  # fmt: skip
def test_closed_streams_cost_no_traceback(tmp_path, what):
    (tmp_path / "mine.py").write_text(f"import os, sys\n{what}\n{PROGRAM}")
    command = [sys.executable, "-m", "pipesched", "analyze", "mine.py:mine", "--pp", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert "Traceback" not in done.stderr
    if what == "sys.__stdout__.close()":
        assert (done.returncode, done.stderr) == (2, "error: cannot write to standard output: it is closed\n")
    else:
        assert json.loads(done.stdout)["schedule"] == "mine.py:mine"


def test_the_command_line_says_it_in_one_sentence(here, capsys):
    (here / "mine.py").write_text("def mine(p, d):\n    return 1 / 0\n")
    with warnings.catch_warnings():
        code = run(["validate", "mine.py:mine"])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err == "error: mine.py line 2, in mine: ZeroDivisionError: division by zero (line: return 1 / 0)\n"
