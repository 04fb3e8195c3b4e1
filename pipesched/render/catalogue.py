"""The registered schedules as plain data and as text."""

from collections.abc import Sequence
from typing import Any

from pipesched.generators import Recipe
from pipesched.placement import Placement


def placement_text(placement: Placement) -> str:
    """What every device holds: ``0,7 | 1,6 | 2,5 | 3,4``."""
    return " | ".join(",".join(map(str, held)) for held in placement.stages)


def as_objects(recipes: Sequence[Recipe]) -> list[dict[str, Any]]:
    """One object per schedule, for ``list --json`` and the docs; the placement is that of 4 devices."""
    return [
        {
            "name": recipe.name,
            "title": recipe.title,
            "aliases": list(recipe.aliases),
            "summary": recipe.summary,
            "rule": recipe.rule,
            "source": recipe.source,
            "placement": placement_text(recipe.placement(4, recipe.chunks)),
            "chunks": recipe.chunks,
            "needs": [constraint.sentence for constraint in recipe.constraints],
            "options": recipe.options,
            "formula": str(recipe.formula.idle) if recipe.formula else None,
            "exact_if": [str(condition) for condition in recipe.formula.exact_if] if recipe.formula else [],
        }
        for recipe in recipes
    ]


def as_lines(recipes: Sequence[Recipe]) -> list[str]:
    """For the terminal: a paragraph per schedule, ``label  text``."""
    lines: list[str] = []
    for each in as_objects(recipes):
        also = f" (also {', '.join(each['aliases'])})" if each["aliases"] else ""
        options = "".join(f"; --{option} N" for option in each["options"])
        exact = f", exact if {' and '.join(each['exact_if'])}" if each["exact_if"] else ""
        lines += [
            f"{each['name']}{also}",
            f"  what       {each['summary']}",
            f"  needs      {'; '.join(each['needs']) or 'any size'}{options}",
            f"  stages     {each['placement']} (on 4 devices)",
            f"  idle       {each['formula'] or 'no closed formula'}{exact}",
            f"  source     {each['source']}",
            "",
        ]
    symbols = (
        "PP devices, MB micro-batches; F, B, I, W, F&B times of one stage; B is the whole backward, I + W"
    )
    return [*lines, f"idle: of each device, {symbols}"]
