"""Which of several choices are worth having: those that no other beats in everything."""

from collections.abc import Sequence


def pareto(points: Sequence[Sequence[float]]) -> list[int]:
    """Indices of the points that no other is at least as low as in every coordinate and lower in one.

    Equal points are all kept. Coordinates are costs: less is better.

    >>> pareto([(1, 4), (2, 2), (3, 3), (4, 1)])
    [0, 1, 3]
    """
    return [i for i, mine in enumerate(points) if not any(_beats(other, mine) for other in points)]


def _beats(one: Sequence[float], other: Sequence[float]) -> bool:
    pairs = list(zip(one, other, strict=True))
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)
