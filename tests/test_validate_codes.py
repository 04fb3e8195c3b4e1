"""Every code that validate can give: known to a rule, told in the docs, and in a file of tests/data."""

import re
from pathlib import Path

from conftest import DATA

import pipesched
from pipesched.analysis.cap import over_cap
from pipesched.choices import Mode
from pipesched.errors import FormatError
from pipesched.formats import load
from pipesched.simulate import simulate
from pipesched.validate import rules, validate
from pipesched.validate.style import off_style

SOURCE = Path(pipesched.__file__).parent
BEYOND_RULES = {"wrong-style", "memory-cap", "format"}
_SAID = re.compile(r'(?:\bat\(\s*(?:schedule,\s*)?|Violation\()\s*"([a-z-]+)"|"code": "([a-z-]+)"')


def known():
    return {code for rule in rules() for code in rule.codes} | BEYOND_RULES


def test_every_code_in_the_source_is_one_of_a_rule():
    text = "\n".join(path.read_text() for path in SOURCE.rglob("*.py"))
    assert {a or b for a, b in _SAID.findall(text)} == known()


def test_every_code_is_documented():
    page = (Path(__file__).parents[1] / "docs" / "formats.md").read_text()
    part = page.split("\n## Rules that validate checks\n")[1].split("\n## ")[0]
    assert set(re.findall(r"`([a-z][a-z-]+)`", part)) == known()


def codes_of(path):
    try:
        actions = load(path).actions
    except FormatError:
        return {"format"}
    found = {v.code for v in validate(actions, mode=Mode("blocking", "rendezvous"))}
    if path.stem == "zbv_in_a_loop":
        found |= {v.code for v in off_style(actions.schedule, "ZBVZeroBubble")}
    if path.stem == "lone_rank_fine":
        found |= {v.code for v in over_cap(simulate(actions), (0.5,), "w")}
    return found


def test_every_code_has_a_file():
    files = [path for part in ("broken", "transfers") for path in (DATA / part).glob("*.csv")]
    assert set().union(*map(codes_of, files)) == known()
