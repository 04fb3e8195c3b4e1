"""The commands and their options as Markdown, from what the command line itself declares."""

from typing import Any

import typer.main

from documentation.tables import table
from pipesched.cli.app import make_app

#: Panels of the help that several commands share, so that the page tells them once: panel, section there.
SECTIONS = {
    "Size": "size and cost options",
    "Costs": "size and cost options",
    "Transfers": "transfer options",
    "Look": "look options",
}


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
    usage = " ".join(["pipesched", name, *(p.metavar or p.name.upper() for p in arguments), "[options]"])
    lists = table(
        ("argument or option", "what it says"),
        [(f"`{p.metavar or p.name.upper()}`", p.help) for p in arguments]
        + [_row(p) for p in options if _panel(p) not in SECTIONS],
    )
    sections = dict.fromkeys(SECTIONS[panel] for p in options if (panel := _panel(p)) in SECTIONS)
    links = [f"[{section}](#{section.replace(' ', '-')})" for section in sections]
    shared = f"It takes the {' and the '.join(links)}, too." if links else ""
    return f"{_sentence(command)}\n\n```text\n{usage}\n```\n\n{lists}\n{shared}"


def section_options(section: str) -> str:
    """The options of a section, from the first command that has them."""
    for command in commands().values():
        rows = [_row(p) for p in command.params if SECTIONS.get(_panel(p)) == section]
        if rows:
            return table(("option", "what it says"), rows)
    return ""


def _panel(parameter: Any) -> str:
    """The first word of its panel in the help."""
    return str(getattr(parameter, "rich_help_panel", None) or "").split(" ")[0]


def _sentence(command: Any) -> str:
    """The help without its example, which the page shows with its output."""
    paragraphs = [part.replace("\n", " ").strip() for part in command.help.split("\n\n")]
    return "\n\n".join(part for part in paragraphs if part and not part.startswith("Example:"))


def _row(option: Any) -> tuple[str, str]:
    flags = [*reversed(option.opts), *option.secondary_opts]
    names = ", ".join(f"`{flag}{_value(option)}`" for flag in flags)
    default = "on" if option.default is True else getattr(option.default, "value", option.default)
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
    "bytes": "BYTES",
    "bandwidth": "BYTES",
    "memory_cap": "N",
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
