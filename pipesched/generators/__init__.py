"""The published schedules, one file each; :data:`pipesched.generators._registry.PUBLISHED` lists them."""

from pipesched.generators._choice import Choice, choose
from pipesched.generators._registry import Recipe, find, recipes, schedule

__all__ = ["Choice", "Recipe", "choose", "find", "recipes", "schedule"]
