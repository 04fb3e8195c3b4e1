"""A schedule that is asked for and not yet made: how large it will be, and whether it fits in memory."""

import os
import warnings
from typing import NamedTuple

from pipesched.errors import PipeschedWarning, ShapeError
from pipesched.generators._registry import Recipe
from pipesched.program import Pipeline
from pipesched.schedule import Schedule
from pipesched.words import count

#: From so many ops on, lists are not built if they need not be.
MANY = 4_000_000
#: What an op takes in memory, in bytes, until its schedule is measured; and until it is only listed.
MEASURED, LISTED = 500, 250


class Size(NamedTuple):
    """A recipe and what it is asked for, checked to be legal."""

    recipe: Recipe
    pipeline: Pipeline
    options: dict[str, int]

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        devices: int,
        microbatches: int | None,
        chunks: int | None,
        options: dict[str, int],
    ) -> "Size":
        """Raises :class:`ShapeError` as :meth:`Recipe.generate` does."""
        return cls(recipe, recipe.pipeline(devices, microbatches, chunks, **options), options)

    @property
    def stages(self) -> int:
        """Number of stages, S."""
        return self.recipe.placement(self.pipeline.devices, self.pipeline.chunks).n_stages

    @property
    def least_ops(self) -> int:
        """A forward and a backward for every stage and micro-batch."""
        return 2 * self.stages * self.pipeline.microbatches

    def generate(self) -> Schedule:
        """The schedule."""
        p = self.pipeline
        return self.recipe.generate(p.devices, p.microbatches, p.chunks, **self.options)

    def with_microbatches(self, microbatches: int) -> Schedule:
        """The schedule of another size, without its warnings."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PipeschedWarning)
            return self._replace(pipeline=self.pipeline._replace(microbatches=microbatches)).generate()


def check_fits(size: Size, why: str, per_op: int = MEASURED) -> None:
    """Raise :class:`ShapeError` where the lists do not fit in memory; ``why`` says why they are needed.

    ``per_op`` is what is needed, in bytes.
    """
    fits = _fitting(size, per_op)
    if fits < size.pipeline.microbatches:
        raise ShapeError(
            f"{size.recipe.name} with {size.pipeline.microbatches} micro-batches on "
            f"{count(size.pipeline.devices, 'device')} does not fit in memory, and {why}; "
            f"the largest size that fits is --mb {fits}"
        )


def _fitting(size: Size, per_op: int) -> int:
    """So many micro-batches fit in the memory of this machine; a legal number."""
    most = max(int(_free() / per_op / (size.least_ops / size.pipeline.microbatches)), 1)
    for microbatches in range(most, max(most - 4 * size.pipeline.devices - 2, 0), -1):
        try:
            size.recipe.pipeline(size.pipeline.devices, microbatches, size.pipeline.chunks, **size.options)
        except ShapeError:
            continue
        return microbatches
    return most


def _free() -> int:
    """Memory that nothing uses, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") if hasattr(os, "sysconf") else 2**31
