"""Saying how far work has come, to whoever listens; nobody does unless the command line asks for it.

Code that may take seconds wraps its loop in :func:`track`. What listens, and how it shows it, is not its
business: a library should print nothing by itself.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class Listener(Protocol):
    """Is told of every loop: ``what`` is done, ``done`` items of ``total``; ``done == total`` at its end."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """Must be quick."""


_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def track(items: Collection[_T], what: str) -> Iterator[_T]:
    """The items, one by one, while the listener hears which of them is at work."""
    listener = _listener.get()
    if listener is None:
        yield from items
        return
    total = len(items)
    for done, item in enumerate(items):
        listener(what, done, total)
        yield item
    listener(what, total, total)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have the listener told of all loops inside."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
