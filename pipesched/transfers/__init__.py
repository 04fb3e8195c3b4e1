"""Passes that turn a compute-only schedule into what devices really run: transfers, gathers, reductions."""

from pipesched.actions import Act, Actions
from pipesched.transfers.lower import RECV, lower

__all__ = ["RECV", "Act", "Actions", "lower"]
