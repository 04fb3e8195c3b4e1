"""Options in groups: a command that takes a named tuple of options gets all of them, put together."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Expand every parameter that is annotated with a NamedTuple into that tuple's fields, for typer to read.

    The command gets the tuples; their fields stand after its own options, group after group.
    """
    own = inspect.signature(command, eval_str=True)
    groups = {name: p.annotation for name, p in own.parameters.items() if hasattr(p.annotation, "_fields")}
    parameters = [
        *(p for name, p in own.parameters.items() if name not in groups),
        *(p for group in groups.values() for p in _parameters(group)),
    ]

    @wraps(command)
    def with_options(**given: Any) -> None:
        made = {
            name: group(**{field: given.pop(field) for field in group._fields})
            for name, group in groups.items()
        }
        command(**given, **made)

    named = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    with_options.__signature__ = own.replace(parameters=named)  # type: ignore[attr-defined]
    with_options.__annotations__ = {each.name: each.annotation for each in named}
    return with_options


def given_flags(*groups: NamedTuple) -> list[str]:
    """The flags whose values are not the default, in order; of ``--yes/--no`` the one that says so."""
    return [
        _flag(each, value)
        for group in groups
        for each, value in zip(_parameters(type(group)), group, strict=True)
        if value != each.default
    ]


def _parameters(group: type[NamedTuple]) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=group._field_defaults[name], annotation=hints[name]
        )
        for name in group._fields
    ]


def _flag(parameter: inspect.Parameter, value: object) -> str:
    spelled: str = parameter.annotation.__metadata__[0].default  # where typer keeps the first flag
    return spelled.split("/")[-1 if value is False else 0]
