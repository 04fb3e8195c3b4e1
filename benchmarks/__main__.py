"""Whole commands against the import of numpy, typer and rich, and against twice the micro-batches.

``python -m benchmarks`` runs every command in turn with its reference, so that both see the same machine,
and prints the median of the ratios. Ratios hold on a busy machine; single times do not.
"""

import statistics
import subprocess
import sys
import time

RUNS = 9
IMPORT = [sys.executable, "-c", "import numpy, typer, rich"]


def pipesched(*arguments: str) -> list[str]:
    """A whole process of the command line."""
    return [sys.executable, "-m", "pipesched", *arguments]


#: What, the command, what it is held against, and the ratio to stay under.
CASES = [
    ("show dualpipe 8/20 : import", pipesched("show", "dualpipe", "--pp", "8", "--mb", "20"), IMPORT, 2.0),
    (
        "analyze 1f1b 32/1024 : import",
        pipesched("analyze", "1f1b", "--pp", "32", "--mb", "1024"),
        IMPORT,
        3.0,
    ),
    (
        "analyze 1f1b 32/2048 : 32/1024",
        pipesched("analyze", "1f1b", "--pp", "32", "--mb", "2048"),
        pipesched("analyze", "1f1b", "--pp", "32", "--mb", "1024"),
        2.3,
    ),
    ("show 1f1b 32/1024 : import", pipesched("show", "1f1b", "--pp", "32", "--mb", "1024"), IMPORT, 6.0),
]


def seconds(command: list[str]) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Measure every case and print a table."""
    print(f"{'ratio':<34}{'median':>8}{'least':>8}{'most':>8}{'aim':>6}   median times")
    for title, command, reference, aim in CASES:
        seconds(command)
        pairs = [(seconds(command), seconds(reference)) for _ in range(RUNS)]
        ratios = sorted(a / b for a, b in pairs)
        times = [statistics.median(column) for column in zip(*pairs, strict=True)]
        middle = statistics.median(ratios)
        both = f"{times[0]:.3f} s : {times[1]:.3f} s"
        print(f"{title:<34}{middle:8.2f}{ratios[0]:8.2f}{ratios[-1]:8.2f}{aim:6.1f}   {both}")


if __name__ == "__main__":
    main()
