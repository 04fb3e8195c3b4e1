"""The commands and their options as Markdown, from what the command line itself declares."""

from typing import Any

import typer.main

from documentation.tables import table
from pipesched.cli.app import make_app

#: Panels of the help that all commands share, so that they are told once; and the one who has them all.
_SHARED = ("Size", "Costs")
_TYPICAL = "analyze"


def commands() -> dict[str, Any]:
    """Every command by name, as click has it."""
    group: Any = typer.main.get_command(make_app())
    return dict(group.commands)


def command_table() -> str:
    """A line for each command."""
    rows = [
        (f"[`{name}`](#{name})", _sentence(command).split("\n\n")[0]) for name, command in commands().items()
    ]
    return table(("command", "what it does"), rows)


def options_of(name: str) -> str:
    """What the command does, how it is called, and the options that are its own."""
    command = commands()[name]
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    own = [p for p in options if not _is_shared(p)]
    usage = " ".join(["pipesched", name, *(p.metavar or p.name.upper() for p in arguments), "[options]"])
    shared = f"Takes the {_SHARED_LINK}, too." if len(own) < len(options) else ""
    lists = table(
        ("argument or option", "what it says"),
        [(f"`{p.metavar or p.name.upper()}`", p.help) for p in arguments] + [_row(p) for p in own],
    )
    return f"{_sentence(command)}\n\n```text\n{usage}\n```\n\n{lists}\n{shared}"


_SHARED_LINK = "[size and cost options](#size-and-costs)"


def shared_options() -> str:
    """The options of size and costs."""
    shared = [p for p in commands()[_TYPICAL].params if _is_shared(p)]
    return table(("option", "what it says"), [_row(p) for p in shared])


def _is_shared(parameter: Any) -> bool:
    return str(getattr(parameter, "rich_help_panel", None) or "").startswith(_SHARED)


def _sentence(command: Any) -> str:
    """The help without its example, which the page shows with its output."""
    paragraphs = [part.replace("\n", " ").strip() for part in command.help.split("\n\n")]
    return "\n\n".join(part for part in paragraphs if part and not part.startswith("Example:"))


def _row(option: Any) -> tuple[str, str]:
    names = ", ".join(f"`{name}{_value(option)}`" for name in reversed(option.opts))
    default = getattr(option.default, "value", option.default)
    told = f" Default {default}." if default not in (None, False) else " Required." if option.required else ""
    return names, option.help + told


def _value(option: Any) -> str:
    """What follows the flag: `` N``, `` kind|microbatch``, or nothing."""
    choices = getattr(option.type, "choices", None)
    if choices:
        return " " + "|".join(map(str, choices))
    word = option.metavar or _WORDS.get(option.name) or _WORDS.get(option.type.name, "TEXT")
    return f" {word}" if word else ""


#: What an option takes, by its name or else by its type.
_WORDS = {
    **dict.fromkeys(("f", "b", "w", "i", "fb"), "TIMES"),
    "latency": "TIME",
    "costs": "FILE",
    "unit": "NAME",
    "free_at": "w|i|FRACTION",
    "devices": "0-3",
    "boolean": "",
    "int": "N",
    "int range": "N",
    "float": "TIME",
    "path": "FILE",
}
