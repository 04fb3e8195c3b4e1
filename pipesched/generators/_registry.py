"""The registry: what a schedule is called, where it comes from, what it needs, what it promises.

Everything else that lists schedules (command line, docs, tests) reads it from here.
"""

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar, cast

from pipesched.errors import ShapeError, UnknownOptionError, UnknownScheduleError
from pipesched.formula import Formula
from pipesched.placement import Placement
from pipesched.program import Pipeline, Program, build
from pipesched.schedule import Schedule
from pipesched.words import count, shortened

#: ``(pipeline, device) -> Program``, or ``(pipeline) -> Schedule``; keyword-only parameters are options.
Generator = Callable[..., Program | Schedule]
PlacementRule = Callable[[int, int], Placement]

#: The published schedules, a module of this package each, in the order of lists.
PUBLISHED = (
    "gpipe",
    "one_f_one_b",
    "interleaved_1f1b",
    "looped_bfs",
    "zb1p",
    "zb_h2",
    "interleaved_zb",
    "zbv",
    "v_half",
    "v_min",
    "one_f_one_b_v",
    "chimera",
    "hanayo",
    "bitpipe",
    "dualpipe",
    "dualpipev",
)

#: The largest number of devices or micro-batches that is taken for meant.
MOST = 2**24


class Constraint(NamedTuple):
    """A size that the schedule needs, as a sentence and as a test."""

    sentence: str  # completes "NAME needs ..."
    holds: Callable[[Pipeline], bool]
    about: str  # the field of Pipeline to change: "devices" or "microbatches"
    unless: str = ""  # an option that lifts it


def needs(
    sentence: str, holds: Callable[[Pipeline], bool], about: str = "microbatches", unless: str = ""
) -> Constraint:
    return Constraint(sentence, holds, about, unless)


@dataclass(frozen=True, eq=False)
class Recipe:
    """A registered schedule; :func:`schedule` makes one from a generator."""

    name: str
    title: str
    aliases: tuple[str, ...]
    source: str
    summary: str  # first line of the generator's docstring
    rule: str  # the rest of it
    placement: PlacementRule
    chunks: int
    any_chunks: bool  # whether another number than ``chunks`` may be asked for
    constraints: tuple[Constraint, ...]
    formula: Formula | None  # the published idle time of a device, makespan - busy
    general: tuple[Formula, ...]  # the same where the published one is not exact
    span: tuple[Formula, ...]  # the idle time within the longest span of a device
    peak: tuple[Formula, ...]  # the most activations of a device, freed at W
    options: dict[str, int | None]  # name -> default, beyond devices, micro-batches and chunks
    generator: Generator

    def generate(
        self, devices: int, microbatches: int | None = None, chunks: int | None = None, **options: int
    ) -> Schedule:
        """The schedule at this size; ``microbatches`` defaults to :meth:`default_microbatches`.

        Raises :class:`ShapeError`, with the nearest legal size, where the schedule cannot run.
        """
        pipeline = self.pipeline(devices, microbatches, chunks, **options)
        if len(inspect.signature(self.generator).parameters) - len(self.options) == 1:
            whole = self.generator(pipeline, **options)
            return whole.renamed(self.name) if isinstance(whole, Schedule) else cast("Schedule", whole)
        programs = [self.generator(pipeline, d, **options) for d in range(devices)]
        placement = self.placement(devices, pipeline.chunks)
        return build(self.name, pipeline, placement, cast("list[Program]", programs))

    def pipeline(
        self, devices: int, microbatches: int | None = None, chunks: int | None = None, **options: int
    ) -> Pipeline:
        """The size that is meant, with every constraint checked; raises as :meth:`generate` does."""
        self._check_positive("a number of devices", devices)
        if microbatches is None:
            microbatches = self.default_microbatches(devices)
        self._check_positive("a number of micro-batches", microbatches)
        pipeline = Pipeline(devices, microbatches, self._chunks(chunks))
        self._check_options(options)
        for constraint in self.constraints:
            if constraint.unless not in options and not constraint.holds(pipeline):
                raise ShapeError(self._refusal(constraint, pipeline))
        return pipeline

    def default_microbatches(self, devices: int) -> int:
        """2 x devices, or the least legal number if that is larger."""
        self._check_positive("a number of devices", devices)
        wanted = Pipeline(devices, 2 * devices, self.chunks)
        return self._nearest("microbatches", wanted) or wanted.microbatches

    def _chunks(self, asked: int | None) -> int:
        if asked is None or asked == self.chunks:
            return self.chunks
        if not self.any_chunks:
            waves = "waves" in self.options and asked > 0 and asked % self.chunks == 0
            way_out = f": give --waves {asked // self.chunks}" if waves else ""
            raise ShapeError(
                f"{self.name} runs {count(self.chunks, 'stage')} per device; got --chunks {asked}{way_out}"
            )
        self._check_positive("a number of chunks per device", asked)
        return asked

    def _check_options(self, options: dict[str, int]) -> None:
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(map(_flag, self.options)) or "none"
                message = f"{self.name} has no option {_flag(name)}; its options: {known}"
                raise UnknownOptionError(message, _flag(name))
            self._check_positive(_flag(name), value)

    def _check_positive(self, what: str, number: int) -> None:
        if not 1 <= number <= MOST:
            raise ShapeError(f"{self.name} needs {what} from 1 to {MOST}; got {number}")

    def _nearest(self, field: str, wanted: Pipeline) -> int | None:
        """The least legal value of one field that is not below the wanted one, if one is near."""
        about = [constraint for constraint in self.constraints if constraint.about == field]
        start: int = getattr(wanted, field)
        for value in range(start, start + 4 * wanted.devices + 2):
            if all(constraint.holds(wanted._replace(**{field: value})) for constraint in about):
                return value
        return None

    def _refusal(self, constraint: Constraint, wanted: Pipeline) -> str:
        field = constraint.about
        got = count(wanted.devices, "device")
        if field == "microbatches":
            got = f"{count(wanted.microbatches, 'micro-batch')} on {got}"
        nearest = self._nearest(field, wanted)
        flag = "--pp" if field == "devices" else "--mb"
        way_out = "" if nearest is None else f"; the next legal size is {flag} {nearest}"
        way_out += f", or give {_flag(constraint.unless)}" if constraint.unless in self.options else ""
        return f"{self.name} needs {constraint.sentence}; got {got}{way_out}"


def _flag(option: str) -> str:
    """``--group``, as the command line has it."""
    return f"--{option.replace('_', '-')}"


_RECIPES: dict[str, Recipe] = {}
_Generator = TypeVar("_Generator", bound=Callable[..., Any])


def schedule(
    name: str,
    *,
    title: str,
    source: str,
    placement: PlacementRule,
    aliases: tuple[str, ...] = (),
    chunks: int = 1,
    any_chunks: bool = False,
    constraints: tuple[Constraint, ...] = (),
    formula: Formula | None = None,
    general: tuple[Formula, ...] = (),
    span: tuple[Formula, ...] = (),
    peak: tuple[Formula, ...] = (),
) -> Callable[[_Generator], _Generator]:
    """Register a generator.

    The generator is ``(pipeline, device) -> Program``, numbered by :func:`pipesched.program.build`,
    or ``(pipeline) -> Schedule`` for one that places its ops itself. Keyword-only parameters are
    options of the schedule (``--group 4``). Of several formulas the first whose conditions hold counts.
    Its docstring is the documentation: the first line in
    lists, all of it in docs/schedules.md.
    """

    def register(generator: _Generator) -> _Generator:
        if not generator.__module__.startswith(__package__ + "."):
            published()  # first, so that what is registered later counts, whenever it is asked for
        summary, _, rule = (inspect.getdoc(generator) or "").partition("\n")
        parameters = inspect.signature(generator).parameters.values()
        options = {each.name: each.default for each in parameters if each.kind is each.KEYWORD_ONLY}
        recipe = Recipe(
            name,
            title,
            aliases,
            source,
            summary,
            rule.strip(),
            placement,
            chunks,
            any_chunks,
            constraints,
            formula,
            general,
            span,
            peak,
            options,
            generator,
        )
        _RECIPES.update((_key(each), recipe) for each in (name, *aliases))
        return generator

    return register


def published() -> dict[str, Recipe]:
    """Everything registered, by key, once all modules are imported."""
    for module in PUBLISHED:
        importlib.import_module(f"{__package__}.{module}")
    return _RECIPES


def recipes() -> list[Recipe]:
    """Every registered schedule, the published ones first, in their order."""
    order = {f"{__package__}.{module}": place for place, module in enumerate(PUBLISHED)}
    found = dict.fromkeys(published().values())
    return sorted(found, key=lambda recipe: order.get(recipe.generator.__module__, len(order)))


def _registered(key: str) -> Recipe | None:
    """The schedule of this key; one asked for by the name of its module is imported alone, to start fast."""
    module = key.replace("-", "_")
    if module not in PUBLISHED:
        return published().get(key)
    importlib.import_module(f"{__package__}.{module}")
    return _RECIPES.get(key)


def _key(name: str) -> str:
    """How names are compared: in any case, with - for _ and spaces."""
    return name.strip().lower().replace("_", "-").replace(" ", "-")


def find(name: str) -> Recipe:
    """The schedule of this name or alias, in any case; UnknownScheduleError with the nearest names.

    torch's class names work too: ``ScheduleDualPipeV``.
    """
    key = _key(name)
    recipe = _registered(key) or _registered(key.removeprefix("schedule"))
    if recipe:
        return recipe
    import difflib  # noqa: PLC0415  for a mistake only

    near = dict.fromkeys(_RECIPES[k].name for k in difflib.get_close_matches(key, _RECIPES, n=5, cutoff=0.5))
    hint = (
        f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(r.name for r in recipes())}"
    )
    raise UnknownScheduleError(
        f"no schedule is called {shortened(name)!r}; {hint} ('pipesched list' shows all)"
    )
