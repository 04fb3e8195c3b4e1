"""What a timeline costs: bubble, memory, critical path; and all of it as one report."""

from pipesched.analysis.report import Report, analyze, report

__all__ = ["Report", "analyze", "report"]
