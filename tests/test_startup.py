"""What each command loads: whoever adds to it finds out here, and not by a slow start."""

import json
import subprocess
import sys

import pytest

#: Modules that take milliseconds to load, ours and others'; what is not among them may be loaded by all.
SLOW = {
    "typer",
    "numpy",
    "numpy.ma",
    "rich.console",
    "rich.table",
    "rich.progress",
    "plotly",
    "textual",
    "PIL",
    "pipesched.channels",
    "pipesched.compare",
    "pipesched.formats.json_file",
    "pipesched.generators.zbv",  # that is, all schedules
    "pipesched.render.chart",
    "pipesched.transfers",
}

NUMBERS = {"typer", "numpy"}
PRINTED = NUMBERS | {"rich.console"}
ALL = {"pipesched.generators.zbv"}  # 1f1b is not the name of a module, so every schedule is looked at

MOVED = {"pipesched.channels", "pipesched.transfers"}
WRITTEN = NUMBERS | MOVED | {"pipesched.formats.json_file"}
FIGURE = {"pipesched.render.chart", "numpy.ma"}  # np.quantile loads it
REPORT = NUMBERS | MOVED | {"pipesched.compare", "pipesched.render.chart", "plotly", "PIL", "numpy.ma"}

COMMANDS = {
    "--version": set(),
    "--help": {"typer", "rich.console", "rich.table"},
    "show --help": {"typer", "rich.console", "rich.table"},
    "list": PRINTED | ALL,
    "show dualpipe --pp 8 --mb 20": PRINTED | {"pipesched.render.chart"},
    "show zb1p dualpipe": PRINTED | {"pipesched.render.chart"},
    "analyze dualpipe": PRINTED,
    "analyze dualpipe --json": NUMBERS,
    "analyze dualpipe --comm async": PRINTED | {"pipesched.channels", "pipesched.transfers"},
    "analyze 1f1b --pp 32 --mb 1024": PRINTED | ALL,
    "analyze 1f1b --pp 64 --mb 1000000": PRINTED | ALL,
    "validate dualpipe": NUMBERS,
    "validate a_file.csv": NUMBERS,
    "explain dualpipe --op 3F7": PRINTED | MOVED,
    "diff dualpipe zb1p": PRINTED,
    "compare dualpipe zb1p": PRINTED | {"pipesched.compare"},
    "export dualpipe -o out.csv": WRITTEN,
    "export dualpipe -o out.json": WRITTEN,
    "export dualpipe -o out.trace.json": WRITTEN,
    "export dualpipe -o out.svg": WRITTEN | FIGURE,
    "export dualpipe -o out.pdf": WRITTEN | FIGURE,
    "export dualpipe -o out.png": WRITTEN | FIGURE | {"PIL"},
    "report dualpipe -o out.html": REPORT,
}

_RUN = """
import json, sys
from pipesched.__main__ import command_line
code = command_line()
assert code in (0, 1), code
sys.stderr.write(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_loads_only_what_it_needs(command, tmp_path):
    (tmp_path / "a_file.csv").write_text("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n")
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *command.split()],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert loaded & SLOW == COMMANDS[command]
