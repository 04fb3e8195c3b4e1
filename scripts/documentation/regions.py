"""The parts of pages that are made from the code: ``<!-- begin NAME -->`` to ``<!-- end NAME -->``."""

import ast
import inspect
import re
import tomllib
from collections.abc import Callable
from functools import partial

import pipesched
from documentation import ROOT
from documentation.command_line import SECTIONS, command_table, options_of, section_options
from documentation.schedules import schedule_sections, schedule_table
from documentation.tables import table
from pipesched import errors
from pipesched.cli.app import COMMANDS
from pipesched.validate import rules

_REGION = re.compile(r"^<!-- begin ([^\n]+) -->\n(?:.*?\n)??<!-- end \1 -->$", re.MULTILINE | re.DOTALL)


def filled(text: str) -> str:
    """The page with its generated parts as the code has them now; KeyError for an unknown part."""

    def rewrite(match: re.Match[str]) -> str:
        return f"<!-- begin {match[1]} -->\n{_PARTS[match[1]]().rstrip()}\n<!-- end {match[1]} -->"

    return _REGION.sub(rewrite, text)


def _layers() -> str:
    """Who may import whom, from the contract that the linter checks, top layer first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = project["tool"]["importlinter"]["contracts"][0]["layers"]
    modules = [[name.strip() for name in layer.split("|")] for layer in layers]
    rows = [(f"{at}", f"`{name}`", _summary(name)) for at, layer in enumerate(modules, 1) for name in layer]
    return table(("layer", "module", "what it is"), rows)


def _summary(module: str) -> str:
    """First sentence of a module's docstring, read without importing it."""
    base = ROOT / "pipesched" / module
    file = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    return _markdown(ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))))


def _rules() -> str:
    """Every code, under the rule that gives it."""
    rows = []
    for rule in rules():
        for code, wrong in rule.codes.items():
            rows.append((f"`{code}`", wrong, rule.demand if code == rule.code else "the same"))
    return table(("code", "what is wrong", "what is demanded"), rows)


def _errors() -> str:
    tree = (inspect.getdoc(errors) or "").split("\n\n")[1]
    return f"```text\n{tree}\n```"


def _api() -> str:
    rows = []
    for name in pipesched.__all__:
        value = getattr(pipesched, name)
        home = value.__name__ if inspect.ismodule(value) else value.__module__
        rows.append((f"`{name}`", _markdown(inspect.getdoc(value)), f"`{home}`"))
    return table(("name", "what it is", "where it lives"), rows)


def _markdown(docstring: str | None) -> str:
    """The first paragraph of a docstring, on one line, as Markdown."""
    summary = (docstring or "").split("\n\n")[0].replace("\n", " ")
    return re.sub(r":\w+:`([^`]+)`", r"`\1`", summary).replace("``", "`")


_PARTS: dict[str, Callable[[], str]] = {
    "commands": command_table,
    **{name: partial(section_options, name) for name in dict.fromkeys(SECTIONS.values())},
    **{f"options of {name}": partial(options_of, name) for name in COMMANDS},
    "schedule table": schedule_table,
    "schedules": schedule_sections,
    "layers": _layers,
    "rules": _rules,
    "errors": _errors,
    "api": _api,
}
