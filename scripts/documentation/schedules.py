"""The schedules as Markdown, from the registry: a table, and a section with a small chart for each."""

from documentation import ROOT
from documentation.picture import DEVICES, gallery_file
from documentation.tables import table
from pipesched.generators import Recipe, recipes
from pipesched.render.text.catalogue import as_objects
from pipesched.simulate import simulate


def schedule_table() -> str:
    """A line for each schedule."""
    rows = [
        (f"[`{each['name']}`](#{each['name']})", each["title"], each["summary"])
        for each in as_objects(recipes())
    ]
    return table(("name", "title", "what"), rows)


def schedule_sections() -> str:
    """A section for each schedule; the charts are console blocks, still to be run."""
    return "\n".join(map(_section, recipes()))


def _section(recipe: Recipe) -> str:
    each = as_objects([recipe])[0]
    formula = f"`{each['formula']}`" if each["formula"] else "no closed formula"
    exact = ", ".join(f"`{condition}`" for condition in each["exact_if"])
    facts = [
        ("also called", ", ".join(f"`{alias}`" for alias in each["aliases"])),
        ("needs", "; ".join(each["needs"]) or "any number of devices and micro-batches"),
        ("options", ", ".join(_option(name, value) for name, value in _options(recipe).items())),
        (f"stages of device 0 | 1 | ... of {DEVICES}", f"`{each['placement']}`"),
        ("idle time of a device", formula + (f", exact on every device if {exact}" if exact else "")),
        ("the same in general", "; ".join(each["general"])),
        ("idle time within the longest span", "; ".join(each["span"])),
        ("peak activations of a device", "; ".join(each["peak"])),
        ("source", each["source"]),
    ]
    said = "\n\n".join(text for text in (each["summary"], each["rule"]) if text)
    return (
        f"## {each['name']}\n\n**{each['title']}.** {said}\n\n"
        f"{table(('', ''), [fact for fact in facts if fact[1]])}\n"
        f"![{each['title']} on {DEVICES} devices]({gallery_file(recipe.name).relative_to(ROOT / 'docs')})\n\n"
        f"```console\n$ {_show(recipe)}\n```\n"
    )


def _options(recipe: Recipe) -> dict[str, int | None]:
    chunks = {"chunks": recipe.chunks} if recipe.any_chunks else {}
    return {**chunks, **recipe.options}


def _option(name: str, default: int | None) -> str:
    return f"`--{name} N`" + ("" if default is None else f" (default {default})")


def _show(recipe: Recipe) -> str:
    """The command for a chart in which a unit of time is a whole number of characters."""
    smallest = recipe.generate(DEVICES)
    width = 2 * round(simulate(smallest).makespan) + len("0 ")
    wider = f" --width {width}" if width > 100 else ""
    return f"pipesched show {recipe.name} --pp {DEVICES} --mb {smallest.microbatches}{wider}"
