"""Whether anybody still waits for what this thread does.

A thread cannot be stopped from outside. Work that goes on for long asks here between its steps.
"""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event

_abandoned: ContextVar[Event | None] = ContextVar("abandoned", default=None)


def is_abandoned() -> bool:
    """Whether the work of this thread was given up; false where nobody could."""
    event = _abandoned.get()
    return event is not None and event.is_set()


def abandon_with(event: Event) -> None:
    """The work of this thread is given up when that event is set."""
    _abandoned.set(event)
