"""The report as one HTML document: ``page(timelines, reports, table, command=...)``."""

from pipesched.render.html.page import page

__all__ = ["page"]
