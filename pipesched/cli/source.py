"""What SCHEDULE means: a registered name, a file, standard input, or a user's function."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pipesched.actions import Actions
from pipesched.choices import Equal
from pipesched.cli.costs import cost_model
from pipesched.cli.options import Moving, Problem
from pipesched.costs import CostModel
from pipesched.errors import FormatError, ShapeError, UnknownOptionError
from pipesched.schedule import Schedule
from pipesched.words import shortened

if TYPE_CHECKING:
    from pipesched.generators.size import Size

#: How many devices a schedule has where nothing is said.
DEVICES = 8
_SUFFIXES = (".csv", ".json", ".txt")


class Asked(NamedTuple):
    """SCHEDULEs, and all that the command line says of them; ``options`` are the schedules' own."""

    names: list[str]
    problem: Problem
    moving: Moving
    options: list[str]
    equal: Equal | None = None

    @classmethod
    def of(cls, words: list[str], problem: Problem, moving: Moving, equal: Equal | None = None) -> "Asked":
        """From all words that are no option of the command: names, and options with their values."""
        names, options = split(words)
        return cls(names, problem, moving, options, equal)


class Source(NamedTuple):
    """A schedule and the costs to run it with; the whole lists where it came from a file."""

    schedule: Schedule
    costs: CostModel
    actions: Actions | None = None

    @property
    def plan(self) -> Schedule | Actions:
        """The whole lists where they hold more than the schedule."""
        return self.schedule if self.actions is None or self.actions.only_compute else self.actions


def resolve(
    text: str, problem: Problem, extra: list[str] | None = None, *, per_op: int | None = None
) -> Source:
    """Find or make the schedule; ``extra`` are arguments left over, the schedule's own options.

    :class:`ShapeError` where it is not going to fit in memory; ``per_op`` are the bytes that each op will
    take, by default what it takes to run and measure them.
    """
    options = schedule_options(extra or [])
    if is_file(text):
        from pipesched.formats import load

        loaded = load(text, dialect=problem.csv_dialect)
        _refuse_size(loaded.schedule, text, problem, options)
        return Source(loaded.schedule, cost_model(problem, loaded.costs), loaded.actions)
    return Source(_generated(text, problem, options, per_op), cost_model(problem))


def is_file(text: str) -> bool:
    """Whether SCHEDULE names a file rather than a schedule."""
    suffix = Path(text).suffix.lower()
    there = os.path.exists(text) and not os.path.isdir(text)  # noqa: PTH110, PTH112  no error for odd names
    return text == "-" or suffix in _SUFFIXES or (there and suffix != ".py")


def _generated(text: str, problem: Problem, options: dict[str, int], per_op: int | None) -> Schedule:
    file, colon, function = text.rpartition(":")
    if text.endswith(".py"):
        raise FormatError(f"name the function in {text} that makes the schedule: {text}:function")
    if colon and file.endswith(".py"):
        from pipesched.generators import user

        recipe, devices = user.load_recipe(file, function), DEVICES if problem.pp is None else problem.pp
        return user.run(file, lambda: recipe.generate(devices, problem.mb, problem.chunks, **options))
    if "/" in text:
        is_directory = os.path.isdir(text)  # noqa: PTH112
        raise FormatError(f"cannot read {text}: {'is a directory' if is_directory else 'no such file'}")
    from pipesched.generators.size import MANY, MEASURED, check_fits

    size = size_of(text, problem, options)
    if size.least_ops >= MANY:
        why = "its lists are to be built ('pipesched show' and 'analyze' do without)"
        check_fits(size, why, per_op or MEASURED)
    return size.generate()


def size_of(name: str, problem: Problem, options: dict[str, int]) -> "Size":
    """What is asked of a registered schedule; raises where it cannot have that size."""
    from pipesched.generators import choose
    from pipesched.generators.size import Size

    choice = choose(name)
    chunks = problem.chunks if choice.chunks is None else choice.chunks
    devices = DEVICES if problem.pp is None else problem.pp
    return Size.of(choice.recipe, devices, problem.mb, chunks, {**options, **dict(choice.options)})


def is_registered(text: str) -> bool:
    """Whether SCHEDULE can be nothing but a registered name."""
    return not (is_file(text) or ":" in text or "/" in text or text.endswith(".py"))


def _refuse_size(schedule: Schedule, text: str, problem: Problem, options: dict[str, int]) -> None:
    """A file has its size; asking for another is a mistake to point out."""
    has = {"--pp": schedule.devices, "--mb": schedule.microbatches}
    for flag, wanted in (("--pp", problem.pp), ("--mb", problem.mb)):
        if wanted is not None and wanted != has[flag]:
            raise ShapeError(f"{text} is a schedule of {flag} {has[flag]}; got {flag} {wanted}")
    if problem.chunks is not None or options:
        raise ShapeError(
            f"{text} is a file: its order is fixed, so --chunks and schedule options do not apply"
        )


def split(words: list[str]) -> tuple[list[str], list[str]]:
    """SCHEDULEs, and a schedule's own options with their values: ``--group 4``, ``--group=4``."""
    names, options = [], []
    rest = iter(words)
    for word in rest:
        if word.startswith("-") and word != "-":
            options += [word] if "=" in word else [word, *([value] if (value := next(rest, "")) else [])]
        else:
            names.append(word)
    schedule_options(options)  # first of all: what follows an option of no command is no SCHEDULE
    if not names:
        raise ShapeError("give a SCHEDULE; see 'pipesched list'")
    return names, options


def _refused(name: str, value: str) -> ShapeError:
    """What to say of an option that is not one of the command, or has no value that a schedule could take."""
    from pipesched.generators import recipes

    got = f"got {shortened(value)!r}" if value else "got none"
    if any(name == f"--{option}".replace("_", "-") for recipe in recipes() for option in recipe.options):
        return ShapeError(f"{name} takes a whole number; {got}")
    own = "a schedule's own options take a whole number"
    return UnknownOptionError(
        f"{shortened(name)} is no option of this command, and {own}; {got}; see --help", name
    )


def schedule_options(extra: list[str]) -> dict[str, int]:
    """``["--group", "4"]`` as ``{"group": 4}``."""
    options: dict[str, int] = {}
    rest = list(extra)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if not name.startswith("-"):
            raise ShapeError(f"unexpected argument {word!r}; see --help")
        if not equals:
            value = rest.pop(0) if rest else ""
        if not (re.fullmatch(r"--[a-z][a-z0-9-]*", name) and re.fullmatch(r"-?[0-9]{1,9}", value)):
            raise _refused(name, value)
        options[name.removeprefix("--").replace("-", "_")] = int(value)
    return options
