"""How fast pipesched is: every step, its growth, and whole commands. Run by ``python -m benchmarks``."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # steps are forked, and a fork takes no threads along
