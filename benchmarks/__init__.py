"""How fast pipesched is, as ratios measured in one run: see ``python -m benchmarks``."""
