from pipesched import errors
from pipesched.analysis import analyze
from pipesched.analysis.ask import explain
from pipesched.analysis.diff import diff
from pipesched.choices import Mode
from pipesched.compare import compare
from pipesched.costs import CostModel
from pipesched.formats.load import load
from pipesched.generators import schedule
from pipesched.ops import Kind, Op
from pipesched.program import Pipeline
from pipesched.render.figure import gantt as figure
from pipesched.schedule import Schedule
from pipesched.simulate import simulate
from pipesched.transfers import lower
from pipesched.transport import Transport
from pipesched.validate import validate

__version__: str

__all__ = [
    "CostModel",
    "Kind",
    "Mode",
    "Op",
    "Pipeline",
    "Schedule",
    "Transport",
    "analyze",
    "compare",
    "diff",
    "errors",
    "explain",
    "figure",
    "generate",
    "load",
    "lower",
    "schedule",
    "simulate",
    "validate",
]

def generate(
    name: str, pp: int, mb: int | None = None, chunks: int | None = None, **options: int
) -> Schedule: ...
