"""The documentation is true: every block runs, every output and generated part is what the code gives now."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from documentation import command_line, links, pages, picture, rewrite  # noqa: E402
from documentation.blocks import blocks  # noqa: E402
from documentation.session import DocumentationError, executed  # noqa: E402

from pipesched.cli.app import COMMANDS, run  # noqa: E402
from pipesched.generators import recipes  # noqa: E402

PAGES = pages()
RUN = "run scripts/docs"


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def section(page, title):
    """A page's part from a heading to the next one of its level."""
    level = title.split(" ")[0]
    return re.split(rf"^#{{1,{len(level)}}} ", text_of(page).split(f"\n{title}\n")[1], flags=re.MULTILINE)[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_is_up_to_date(page):
    assert rewrite.up_to_date(page) == page.read_text(encoding="utf-8"), RUN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    assert list(links.broken_links(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_block_escapes_running(page):
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.language in ("console", "pycon", "python", "bash", "text") or block.title, block


def test_pictures_are_up_to_date():
    for file, svg in picture.pictures():
        assert file.read_text(encoding="utf-8") == svg, f"{file.name}: {RUN}"


@pytest.mark.parametrize("index", ["README.md", "docs/index.md"])
def test_every_page_can_be_reached(index):
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"{page.name})" in text_of(index)


def test_readme_starts_with_installing_and_testing_in_one_line_each():
    first, second = [block.body for block in blocks(text_of("README.md")) if block.language == "bash"]
    assert first.count("\n") == second.count("\n") == 1
    for line in (first, second):
        assert line.startswith("python3 -m venv .venv && ")
    assert first.endswith("pipesched show dualpipe --pp 8 --mb 20\n")
    assert second.endswith("scripts/check\n")


def test_every_schedule_and_alias_is_documented():
    for recipe in recipes():
        part = section("docs/schedules.md", f"## {recipe.name}")
        assert all(f"`{name}`" in part for name in recipe.aliases)
        assert f"$ pipesched show {recipe.name} " in part


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_and_option_is_documented_with_an_example(command, capsys):
    part = section("docs/cli.md", f"## {command}")
    run([command, "--help"])
    in_help = set(re.findall(r"(?<![\w'])--[a-z][a-z-]*", capsys.readouterr().out.split("Options")[-1]))
    shared = [f"## {title.capitalize()}" for title in command_line.SECTIONS.values()]
    told = part + "".join(section("docs/cli.md", title) for title in shared)
    documented = set(re.findall(r"`(--[a-z-]+)", told))
    assert in_help - {"--help"} <= documented
    assert f"$ pipesched {command} " in part or command in ("list", "watch")


def documented_keys(title):
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", section("docs/formats.md", title), re.MULTILINE)
    return {key: re.sub(r"\[(\w+)\]\(.*?\)", r"\1", type_text.strip()) for key, type_text in rows}


FORMULA = documented_keys("### A formula")


def leaves(value, path=""):
    """Every path of a JSON value, with what stands there; lists of objects are walked through."""
    if isinstance(value, dict) and not path.endswith("options") and set(value) != set(FORMULA):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from leaves(inner, f"{path}[]")
    else:
        yield path, value


SCALARS = {
    "text": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "formula": lambda value: (
        isinstance(value, dict) and all(is_of(value[key], FORMULA[key], 0) for key in FORMULA)
    ),
}


def is_of(value, type_text, devices):
    """Whether a value has one of the types that the page names."""
    for one in type_text.split(" or "):
        listed, entry = one.removeprefix("list of "), one.removesuffix(" per device")
        if listed != one:
            fits = isinstance(value, list) and all(map(SCALARS[listed], value))
        elif entry != one:
            fits = isinstance(value, list) and len(value) == devices and all(map(SCALARS[entry], value))
        else:
            fits = SCALARS[one](value)
        if fits:
            return True
    return False


def check_contract(documented, objects):
    seen = set()
    for each in objects:
        for path, value in leaves(each):
            if not value and any(key.startswith((f"{path}.", f"{path}[]")) for key in documented):
                continue  # an object that is null here, a list that is empty
            assert path in documented, path
            assert is_of(value, documented[path], each.get("devices")), (path, value)
            seen.add(path)
    assert seen == set(documented)


@pytest.fixture
def printed(capsys):
    def call(*arguments):
        run([*arguments, "--json"])
        found = json.loads(capsys.readouterr().out)
        return found if isinstance(found, list) else [found]

    return call


def test_keys_of_analyze(printed):
    samples = [
        *printed("analyze", "zb1p", "--pp", "4", "--mb", "8", "--latency", "0.5", "--memory-cap", "3"),
        *printed("analyze", "1f1b", "--pp", "2", "--mb", "4", "--f", "1,2", "--free-at", "0.5"),
        *printed("analyze", "1f1b", "--pp", "2", "--mb", "4", "--jitter", "5%", "--samples", "9"),
    ]
    assert {type(sample["costs"]["F"]) for sample in samples} == {float, list}
    check_contract(documented_keys("### analyze --json"), samples)


def test_keys_of_compare(printed):
    ran, refused = printed("compare", "1f1b", "dualpipe", "--pp", "3", "--mb", "6")
    contract = documented_keys("### compare --json")
    analyzed = documented_keys("### analyze --json")
    asked_for = ("over_memory_cap", "jitter")
    without = {key: value for key, value in analyzed.items() if not key.startswith(asked_for)}
    check_contract({**without, "equal": contract["equal"]}, [ran])
    check_contract(contract, [refused])


def test_keys_of_validate(printed, data):
    broken = data / "broken"
    samples = printed(
        "validate", "1f1b", *(str(broken / f"{name}.csv") for name in ("deadlock_cross_rank", "empty"))
    )
    contract = documented_keys("### validate --json")
    check_contract(contract, samples)


def test_keys_of_explain(printed):
    dualpipe = ("explain", "dualpipe", "--pp", "8", "--mb", "20")
    ops = [*printed(*dualpipe, "--op", "3F7"), *printed(*dualpipe, "--op", "0F0")]
    ops += printed(*dualpipe, "--op", "3F7", "--comm", "blocking")
    check_contract(documented_keys("### explain --op --json"), ops)
    times = [answer for at in ("2", "21") for answer in printed(*dualpipe, "--device", "0", "--at", at)]
    times += printed("explain", "1f1b", "--pp", "2", "--mb", "2", "--device", "1", "--at", "8.5")
    check_contract(documented_keys("### explain --device --at --json"), times)


def test_keys_of_diff(printed, tmp_path, data):
    short, other = tmp_path / "short.csv", tmp_path / "other.csv"
    short.write_text("0F0,0B0\n1F0,1B0,1F1\n")
    other.write_text("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n")
    samples = [
        *printed("diff", "gpipe", "1f1b", "--pp", "2", "--mb", "3"),
        *printed("diff", str(short), str(other)),
        *printed("diff", str(other), str(short)),
        *printed("diff", "dualpipe", "chimera", "--pp", "2", "--mb", "4"),
        *printed("diff", "chimera", "dualpipe", "--pp", "2", "--mb", "4"),
        *printed("diff", "1f1b", "zbv", "--pp", "2", "--mb", "4"),
        *printed("diff", "1f1b", "zb1p", "--pp", "3", "--mb", "4", "--comm", "async"),
        *printed("diff", str(data / "transfers" / "fine.csv"), str(data / "transfers" / "missing_send.csv")),
        *printed("diff", str(data / "transfers" / "missing_recv.csv"), str(data / "transfers" / "fine.csv")),
        *printed("diff", str(data / "transfers" / "fine.csv"), str(data / "transfers" / "swapped_recv.csv")),
    ]
    check_contract(documented_keys("### diff --json"), samples)


def test_keys_of_list(printed):
    check_contract(documented_keys("### list --json"), printed("list"))


def page(*lines):
    return "".join(f"{line}\n" for line in lines)


def test_outputs_are_replaced_by_true_ones():
    wrong = page("```console", "$ cat schedules/deadlock_4x4.csv | cat no", "nonsense", "```")
    with pytest.raises(DocumentationError, match="No such file"):
        executed(wrong, "page")
    wrong = page("```console", "$ pipesched validate 1f1b --pp 2 --mb 1; echo $?", "nonsense", "```")
    right = page(
        "```console",
        "$ pipesched validate 1f1b --pp 2 --mb 1; echo $?",
        "1f1b: valid (2 devices, 2 stages, 1 micro-batch, 4 ops)",
        "0",
        "```",
    )
    assert executed(wrong, "page") == right


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (page("```console", "$ rm -rf /tmp/nothing", "```"), "may run pipesched, cat and python"),
        (page("```console", "$ pipesched list; rm x", "```"), "only 'echo"),
        (page("```python", "assert 1 == 2", "```"), "page, block at line 2: AssertionError"),
        (page("```python", "print(1)", "```"), "make it a pycon block"),
    ],
)
def test_blocks_that_cannot_be_documentation(block, reason):
    with pytest.raises(DocumentationError, match=re.escape(reason)):
        executed(block, "page")


def test_pages_leave_nothing_behind():
    before = [recipe.name for recipe in recipes()], list(sys.path), Path.cwd()
    mine = page(
        '```python title="mine.py"',
        "def one(p, d):",
        "    return []",
        "```",
        "```python",
        "import mine",
        "```",
    )
    executed(mine + page("```console", "$ pipesched validate mine.py:one", "```"), "page")
    assert before == ([recipe.name for recipe in recipes()], list(sys.path), Path.cwd())
    assert "mine" not in sys.modules


def test_options_are_told_once():
    assert command_line.section_options("size and cost options").count("`--pp N`") == 1
    assert "--pp" not in command_line.options_of("show")
