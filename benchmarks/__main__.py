"""``python -m benchmarks [STEP...]``: measure, print, and with ``--write`` put the tables into the docs."""

import argparse
from collections.abc import Iterator, Sequence

from benchmarks import commands, every_step, growth
from benchmarks.cases import SCHEDULES, SIZES
from benchmarks.steps import STEPS
from benchmarks.tables import Table, write
from pipesched.generators import recipes

_KINDS = ("steps", "growth", "commands")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, everything by default."""
    asked = _parser().parse_args(arguments)
    measured = []
    for table in _tables(asked):
        print(f"\n{table.title}\n\n{table.markdown()}", flush=True)
        measured.append(table)
    if asked.write:
        write(measured)


def _tables(asked: argparse.Namespace) -> Iterator[Table]:
    steps = asked.steps or list(STEPS)
    kinds = asked.tables or (_KINDS[:1] if asked.steps else _KINDS)
    if "steps" in kinds:
        yield from every_step.tables(steps, asked.schedules or list(SCHEDULES), asked.ops)
    if "growth" in kinds:
        yield from growth.tables(steps, asked.schedules or [recipe.name for recipe in recipes()])
    if "commands" in kinds:
        yield from commands.tables()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="How fast every step is, how it grows, and whole commands; each beside a reference.",
    )
    add = parser.add_argument
    add("steps", nargs="*", type=_step, metavar="STEP", help=f"default all: {', '.join(STEPS)}")
    add(
        "--tables",
        nargs="+",
        choices=_KINDS,
        help="what to measure; all, or of named steps no more than these",
    )
    add("--ops", nargs="+", type=lambda text: int(float(text)), default=SIZES, help="such as 1e4 1e5")
    add("--schedules", nargs="+", metavar="NAME", help="as in 'pipesched list'")
    add("--write", action="store_true", help="put the tables into docs/performance.md")
    return parser


def _step(name: str) -> str:
    if name not in STEPS:
        raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(STEPS)}")
    return name


if __name__ == "__main__":
    main()
