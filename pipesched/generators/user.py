"""Schedules in a user's own Python file: ``mine.py:function``.

The function takes a :class:`Pipeline` and returns a Schedule, or a Pipeline and a device and returns
that device's Program. Decorated with :func:`pipesched.generators.schedule` it brings its own placement,
constraints and formula; undecorated, stage s stands on device s % devices.
"""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipesched.errors import PipeschedError, UserCodeError
from pipesched.generators._registry import Recipe, recipes, schedule
from pipesched.placement import linear
from pipesched.schedule import Schedule


def load_recipe(path: str, function: str) -> Recipe:
    """The recipe of a function in a Python file; UserCodeError where it cannot be had."""
    file = Path(path)
    if not file.is_file():
        raise UserCodeError(f"cannot read {path}: no such file")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    if spec is None or spec.loader is None:
        raise UserCodeError(f"{path} is not a Python file; a user's schedule is named mine.py:function")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserCodeError(_told(file, error)) from error
    made = getattr(module, function, None)
    if not callable(made):
        names = [
            name
            for name, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
        raise UserCodeError(f"{path} has no function {function!r}; it has {', '.join(names) or 'none'}")
    for recipe in recipes():
        if recipe.generator is made:
            return recipe
    count = len([p for p in inspect.signature(made).parameters.values() if p.kind is not p.KEYWORD_ONLY])
    if count not in (1, 2):
        raise UserCodeError(
            f"{path}:{function} takes {count} parameters; it must take (pipeline) or (pipeline, device)"
        )
    name = f"{file.name}:{function}"
    schedule(name, title=name, source=str(path), placement=linear, any_chunks=True)(made)
    return next(recipe for recipe in recipes() if recipe.name == name)


def run(path: str, make: Callable[[], Any]) -> Schedule:
    """Call a user's generator; whatever goes wrong in it is told with the user's own line."""
    try:
        made = make()
    except PipeschedError:
        raise
    except Exception as error:
        raise UserCodeError(_told(Path(path), error)) from error
    if not isinstance(made, Schedule):
        wants = "a schedule function returns a Schedule or a list of steps"
        raise UserCodeError(f"{path} returned {type(made).__name__}; {wants}")
    return made


def _told(file: Path, error: Exception) -> str:
    """``mine.py line 12, in my_schedule: ZeroDivisionError: division by zero``."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{file.name} line {error.lineno}: {type(error).__name__}: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    if not frames:
        return f"{file.name}: {what}"
    return f"{file.name} line {frames[-1].lineno}, in {frames[-1].name}: {what}"
