"""Long work on a thread of its own, and those who wait for it.

A thread cannot be stopped from outside: between its steps the work asks here whether anybody still waits, and counts
what it has read.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event


@dataclass(slots=True)
class Work:
    """What one thread does for somebody: documents and bytes read so far, where the bytes are known."""

    abandoned: Event = field(default_factory=Event)
    documents: int = 0
    nbytes: int = 0


_work: ContextVar[Work | None] = ContextVar("work", default=None)


def begin(work: Work) -> None:
    """From now on this thread does that."""
    _work.set(work)


def is_abandoned() -> bool:
    """Whether the work of this thread was given up; false where nobody could."""
    work = _work.get()
    return work is not None and work.abandoned.is_set()


def count_read(documents: int, nbytes: int = 0) -> None:
    """So many more documents were read, which take so many bytes where that is known."""
    work = _work.get()
    if work is not None:
        work.documents += documents
        work.nbytes += nbytes
