"""A schedule as it is asked for: its name, with some of its choices made."""

from typing import NamedTuple

from pipesched.errors import ShapeError
from pipesched.generators._registry import Recipe, find
from pipesched.schedule import Schedule


class Choice(NamedTuple):
    """A registered schedule with some of its choices made: ``interleaved-1f1b,chunks=4,group=8``."""

    recipe: Recipe
    chunks: int | None = None
    options: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """The name with the choices, as it may be given again."""
        made = [("chunks", self.chunks)] if self.chunks is not None else []
        return ",".join([self.recipe.name, *(f"{key}={value}" for key, value in [*made, *self.options])])

    def with_defaults(self, chunks: int | None, options: dict[str, int]) -> "Choice":
        """What is asked of all schedules, where this one has that choice and has not made it."""
        mine = dict(self.options)
        new = {key: value for key, value in options.items() if key in self.recipe.options and key not in mine}
        free = self.recipe.any_chunks and self.chunks is None
        return Choice(self.recipe, chunks if free else self.chunks, tuple({**mine, **new}.items()))

    def generate(self, devices: int, microbatches: int | None = None) -> Schedule:
        """See :meth:`Recipe.generate`."""
        return self.recipe.generate(devices, microbatches, self.chunks, **dict(self.options))


def choose(text: str) -> Choice:
    """The schedule that a text names, with its choices; ShapeError for one that is no ``key=number``."""
    name, *made = text.split(",")
    recipe, chunks, options = find(name), None, {}
    for each in made:
        key, equals, value = (part.strip() for part in each.partition("="))
        if not equals or not value.isascii() or not value.isdigit() or len(value) > 9:
            raise ShapeError(f"{text!r}: write the choices of a schedule as {recipe.name},chunks=4")
        if key == "chunks":
            chunks = int(value)
        else:
            options[key.replace("-", "_")] = int(value)
    return Choice(recipe, chunks, tuple(options.items()))
