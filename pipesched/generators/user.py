"""Schedules in a user's own Python file: ``mine.py:function``.

The function takes a :class:`Pipeline` and returns a Schedule, or a Pipeline and a device and returns
that device's Program. Decorated with :func:`pipesched.generators.schedule` it brings its own placement,
constraints and formula; undecorated, stage s stands on device s % devices.
"""

import difflib
import inspect
import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import wraps
from itertools import islice
from types import ModuleType
from typing import Any

from pipesched.errors import PipeschedWarning, UserCodeError
from pipesched.generators._registry import _RECIPES, Recipe, _key, published, recipes, schedule
from pipesched.generators._returned import broken, mistyped
from pipesched.generators._user_file import UserFile
from pipesched.ops import Op
from pipesched.placement import Placement, linear
from pipesched.program import Pipeline, Program, Step
from pipesched.schedule import Schedule
from pipesched.words import count

_WANTS = "a schedule function returns a Schedule or a list of steps"


def load_recipe(path: str, function: str) -> Recipe:
    """The recipe of a function in a Python file; UserCodeError where it cannot be had."""
    file = UserFile(path)
    known = dict(published())
    module = file.load()
    _keep_ours(file, known)
    with file.guarded():  # asking a module for its names, or a function for its parameters, may run code
        made = getattr(module, function, None)
        if not callable(made):
            raise UserCodeError(f"{path} has no function {function!r}; {_choice(module, function)}")
        recipe = next((each for each in recipes() if each.generator is made), None)
        user = _Function(file, function, made)
        user.check_parameters()
        if recipe and (wrong := mistyped(recipe)):
            raise user.wrong(f"is registered with {wrong}")
        return user.guard(recipe or _undecorated(f"{file.name}:{function}", path, made))


def run(path: str, make: Callable[[], Any]) -> Schedule:
    """Call a user's recipe; whatever goes wrong in it is told with the user's own line."""
    with UserFile(path).guarded():
        made = make()
    if not isinstance(made, Schedule):
        raise UserCodeError(f"{path} returned {type(made).__name__}; {_WANTS}")
    return made


def _keep_ours(file: UserFile, known: dict[str, Recipe]) -> None:
    """Refuse a file that registers one of our names: every later use of the name would mean the file's."""
    for name, recipe in known.items():
        if _RECIPES[name] is not recipe and recipe.generator.__module__.startswith("pipesched."):
            _RECIPES.clear()
            _RECIPES.update(known)
            raise UserCodeError(f"{file.name} registers the name {name!r}, which {recipe.name} has already")


def _choice(module: ModuleType, wanted: str) -> str:
    names = [
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__
    ]
    near = difflib.get_close_matches(wanted, names, n=1)
    return f"it has {', '.join(names) or 'none'}" + (f"; did you mean {near[0]}?" if near else "")


def _undecorated(name: str, path: str, made: Callable[..., Any]) -> Recipe:
    """A recipe that is not kept in the registry: its name says where it is."""
    schedule(name, title=name, source=path, placement=linear, any_chunks=True)(made)
    return _RECIPES.pop(_key(name))


class _Function:
    """A user's function, what it may take and return, and where it stands."""

    def __init__(self, file: UserFile, name: str, made: Callable[..., Any]) -> None:
        self.file, self.name, self.made = file, name, made
        code = getattr(inspect.unwrap(made), "__code__", None)
        line = f" line {code.co_firstlineno}" if code else ""
        self.place = f"{file.name}{line}: {name}"

    def wrong(self, sentence: str) -> UserCodeError:
        return UserCodeError(f"{self.place} {sentence}")

    def check_parameters(self) -> None:
        """(pipeline) or (pipeline, device), and options with defaults."""
        try:
            parameters = inspect.signature(self.made).parameters.values()
        except (TypeError, ValueError):
            raise self.wrong("is not a function that can be called with (pipeline, device)") from None
        positional = [each for each in parameters if each.kind is not each.KEYWORD_ONLY]
        takes = f"takes ({', '.join(map(str, parameters))})"
        if len(positional) not in (1, 2) or any(
            each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in positional
        ):
            raise self.wrong(
                f"takes {count(len(positional), 'parameter')}; "
                "it must take (pipeline) or (pipeline, device), and options after *"
            )
        for each in parameters:
            if each.kind is each.KEYWORD_ONLY and each.default is each.empty:
                raise self.wrong(f"{takes}; its option {each.name} needs a default")

    def guard(self, recipe: Recipe) -> Recipe:
        """The same recipe with everything checked that the user's functions return."""

        @wraps(self.made)
        def generator(pipeline: Pipeline, *device: int, **options: int) -> Program | Schedule:
            with self.file.guarded():
                made = self.made(pipeline, *device, **options)
                if device:
                    return self._program(made, pipeline, device[0])
                return self._whole(made, pipeline)

        def placement(devices: int, chunks: int) -> Placement:
            with self.file.guarded():
                where = recipe.placement(devices, chunks)
            if not isinstance(where, Placement):
                raise self.wrong(f"has a placement that returned {type(where).__name__}, not a Placement")
            with self.file.guarded():
                problem = where.problem(devices)
            if problem:
                raise self.wrong(f"has a placement that {problem}")
            return where

        return replace(recipe, generator=generator, placement=placement)

    def _whole(self, made: Any, pipeline: Pipeline) -> Schedule:
        if not isinstance(made, Schedule):
            hint = (
                "; it takes the pipeline alone, so it must be a Schedule: "
                "take (pipeline, device) to return one device's list"
            )
            raise self.wrong(
                f"returned {type(made).__name__}; {_WANTS}{hint if isinstance(made, Iterable) else ''}"
            )
        if problem := broken(made):
            raise self.wrong(f"returned a schedule {problem}")
        if made.devices != pipeline.devices:
            raise self.wrong(
                f"returned a schedule of {count(made.devices, 'device')}; --pp is {pipeline.devices}"
            )
        if made.microbatches != pipeline.microbatches:
            warnings.warn(
                f"{self.place} returned a schedule of {count(made.microbatches, 'micro-batch')}; "
                f"--mb is {pipeline.microbatches}",
                PipeschedWarning,
                stacklevel=2,
            )
        return made

    def _program(self, made: Any, pipeline: Pipeline, device: int) -> Program:
        """A device's list; a generator is as good, if it ends."""
        returned = f"returned for device {device}"
        if isinstance(made, str | bytes | dict | Schedule) or not isinstance(made, Iterable):
            hint = ": take (pipeline) alone to return a Schedule" if isinstance(made, Schedule) else ""
            raise self.wrong(f"{returned}: {type(made).__name__}; {_WANTS}{hint}")
        most = 1024 + 64 * pipeline.microbatches * pipeline.chunks
        steps = list(made if isinstance(made, list | tuple) else islice(made, most + 1))
        if len(steps) > most and not isinstance(made, list | tuple):
            raise self.wrong(f"does not end: it gave more than {most} steps for device {device}")
        for at, each in enumerate(steps):
            if not isinstance(each, Step):
                hint = " (a list of ops is for Schedule.from_rows)" if isinstance(each, Op) else ""
                raise self.wrong(
                    f"{returned} a list whose item {at} is {type(each).__name__} {str(each)[:40]!r}, "
                    f"not a step such as F, B1 or F0 & B1{hint}"
                )
        return steps
