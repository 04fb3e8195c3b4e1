"""The registered schedules as plain data and as text."""

from collections.abc import Sequence
from typing import Any

from pipesched.choices import Dialect
from pipesched.formula import Formula, legend
from pipesched.generators import Recipe
from pipesched.placement import Placement


def placement_text(placement: Placement) -> str:
    """What every device holds: ``0,7 | 1,6 | 2,5 | 3,4``."""
    return " | ".join(",".join(map(str, held)) for held in placement.stages)


def as_objects(recipes: Sequence[Recipe], dialect: Dialect = "deepseek") -> list[dict[str, Any]]:
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
            "formula": recipe.formula.text(dialect) if recipe.formula else None,
            "exact_if": recipe.formula.conditions(dialect) if recipe.formula else [],
            "general": [formula_text(each, dialect) for each in recipe.general],
            "span": [formula_text(each, dialect) for each in recipe.span],
            "peak": [formula_text(each, dialect) for each in recipe.peak],
        }
        for recipe in recipes
    ]


def formula_text(formula: Formula, dialect: Dialect = "deepseek") -> str:
    """``(PP-1)(F+B), exact if latency = 0``."""
    conditions = formula.conditions(dialect)
    return formula.text(dialect) + (f", exact if {' and '.join(conditions)}" if conditions else "")


def as_lines(recipes: Sequence[Recipe], dialect: Dialect = "deepseek") -> list[str]:
    """For the terminal: a paragraph per schedule, ``label  text``."""
    lines: list[str] = []
    for recipe, each in zip(recipes, as_objects(recipes, dialect), strict=True):
        also = f" (also {', '.join(each['aliases'])})" if each["aliases"] else ""
        options = "".join(f"; --{option} N" for option in each["options"])
        known = formula_text(recipe.formula, dialect) if recipe.formula else "no published formula"
        lines += [
            f"{each['name']}{also}",
            f"  what       {each['summary']}",
            f"  needs      {'; '.join(each['needs']) or 'any size'}{options}",
            f"  stages     {each['placement']} (on 4 devices)",
            f"  idle       {known}",
            *(f"  or         {text}" for text in each["general"]),
            *(f"  span idle  {text}" for text in each["span"]),
            *(f"  peak       {text}" for text in each["peak"]),
            f"  source     {each['source']}",
            "",
        ]
    return [
        *lines,
        "idle: of each device; span idle: within the longest span; peak: most activations, freed at W",
        legend(dialect),
    ]
