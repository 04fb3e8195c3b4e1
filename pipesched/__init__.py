"""pipesched draws, checks and measures pipeline-parallel training schedules.

The names of ``__all__`` are the public API (docs/api.md). Each is loaded when it is first used, so that
``import pipesched`` alone loads neither numpy nor anything else; ``__init__.pyi`` tells type checkers their
types.
"""

import importlib
import sys
from types import ModuleType

__version__ = "0.1.0"

__all__ = [
    "CostModel",
    "Kind",
    "Mode",
    "Op",
    "Pipeline",
    "Schedule",
    "Transport",
    "analyze",
    "compare",
    "diff",
    "errors",
    "explain",
    "figure",
    "generate",
    "load",
    "lower",
    "schedule",
    "simulate",
    "validate",
]

#: Where each is: ``module:name``, or a module.
_HOME = {
    "CostModel": "pipesched.costs:CostModel",
    "Kind": "pipesched.ops:Kind",
    "Mode": "pipesched.choices:Mode",
    "Op": "pipesched.ops:Op",
    "Pipeline": "pipesched.program:Pipeline",
    "Schedule": "pipesched.schedule:Schedule",
    "Transport": "pipesched.transport:Transport",
    "analyze": "pipesched.analysis:analyze",
    "compare": "pipesched.compare:compare",
    "diff": "pipesched.analysis.diff:diff",
    "errors": "pipesched.errors",
    "explain": "pipesched.analysis.ask:explain",
    "figure": "pipesched.render.figure:gantt",
    "load": "pipesched.formats:load",
    "lower": "pipesched.transfers:lower",
    "schedule": "pipesched.generators:schedule",
    "simulate": "pipesched.simulate:simulate",
    "validate": "pipesched.validate:validate",
}


def generate(
    name: str, pp: int, mb: int | None = None, chunks: int | None = None, **options: int
) -> "Schedule":  # noqa: F821  not loaded here
    """The registered schedule of this name or alias on ``pp`` devices with ``mb`` micro-batches.

    ``mb`` defaults to 2 x pp, or the least legal number if that is larger; ``chunks`` is stages per
    device, where the schedule lets you choose; ``options`` are the schedule's own (``group=4``).
    Raises :class:`errors.UnknownScheduleError` and :class:`errors.ShapeError`.

    >>> generate("1f1b", pp=4, mb=8).describe()
    '4 devices, 4 stages, 8 micro-batches'
    """
    from pipesched.generators import find  # noqa: PLC0415  loads numpy

    return find(name).generate(pp, mb, chunks, **options)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'pipesched' has no attribute {name!r}")
    module, _, attribute = _HOME[name].partition(":")
    home = importlib.import_module(module)
    value = globals()[name] = getattr(home, attribute) if attribute else home
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


class _Package(ModuleType):
    """This package, in which ``simulate`` is the function, even once the module of that name is imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and ":" in _HOME.get(name, "")):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
