"""Long work on a thread of its own, and those who wait for it.

A thread cannot be stopped from outside: between its steps the work asks here whether anybody still waits, and counts
what it has read. What runs elsewhere for it, such as a command of a database, it notes, so that it can be ended there.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import TypeVar

Result = TypeVar("Result")

AT_ONCE = 4


@dataclass(eq=False, slots=True)
class Errand:
    """Something that runs elsewhere for a work: its name there, and whether the work is done with it."""

    name: object
    ended: Event = field(default_factory=Event)


EndErrands = Callable[[Sequence[Errand]], object]


WithheldNames = dict[str, None]
"""Names of the settings by which something was left out of what was read, each once."""


@dataclass(slots=True)
class Work:
    """What is done for somebody: documents and bytes read so far, where the bytes are known."""

    abandoned: Event = field(default_factory=Event)
    documents: int = 0
    nbytes: int = 0
    until: float = math.inf
    """When nobody waits any more, on the clock of `time.monotonic`."""
    is_held: bool = False
    """Whether it waits for the user to type something: such time does not count."""
    withheld: WithheldNames = field(default_factory=dict)
    _errands: dict[Errand, EndErrands] = field(default_factory=dict, init=False, repr=False)

    def note(self, errand: Errand, end: EndErrands) -> None:
        """From now on this runs elsewhere; `end` asks for its end."""
        with _noting:
            self._errands[errand] = end

    def strike(self, errand: Errand) -> bool:
        """It has ended; false where its end was asked for."""
        with _noting:
            return self._errands.pop(errand, None) is not None

    def give_up(self) -> None:
        """Nobody waits any more: no further step begins, and what runs elsewhere is asked to end, on a thread."""
        with _noting:
            self.abandoned.set()
            given, self._errands = self._errands, {}
        for end in dict.fromkeys(given.values()):
            errands = [errand for errand, its_end in given.items() if its_end == end]
            Thread(target=end, args=(errands,), name="qdash-end", daemon=True).start()


_work: ContextVar[Work | None] = ContextVar("work", default=None)
_counting, _noting = Lock(), Lock()


def begin(work: Work) -> None:
    """From now on this thread does that."""
    _work.set(work)


def current_work() -> Work | None:
    """What this thread does; None where nobody could give it up."""
    return _work.get()


def is_abandoned() -> bool:
    """Whether the work of this thread was given up; false where nobody could."""
    work = _work.get()
    return work is not None and work.abandoned.is_set()


@contextmanager
def runs_elsewhere(name: object, end: Callable[[], object]) -> Iterator[None]:
    """Meanwhile something runs elsewhere for the work of this thread, whose end is asked for when nobody waits."""
    work, errand = _work.get(), Errand(name)
    if work is None:
        yield
        return
    work.note(errand, lambda _: end())
    if work.abandoned.is_set():
        end()
    try:
        yield
    finally:
        work.strike(errand)


def seconds_left() -> float:
    """How long somebody will wait for the work of this thread."""
    work = _work.get()
    return math.inf if work is None else work.until - time.monotonic()


def count_read(documents: int, nbytes: int = 0) -> None:
    """So many more documents were read, which take so many bytes where that is known."""
    work = _work.get()
    if work is not None:
        with _counting:
            work.documents += documents
            work.nbytes += nbytes


def note_withheld(name: str) -> None:
    """Something was left out of what is read, by this name of the settings."""
    work = _work.get()
    if work is not None:
        work.withheld[name] = None


def side_by_side(steps: Sequence[Callable[[], Result]]) -> list[Result]:
    """What each step of this thread's work gives, a few of them at once; raises what one of them raised.

    The threads are daemons and end here: those of a pool would be joined at exit (`qdash_jupyter.tools.background`).
    """
    waiting = deque(enumerate(steps))
    given: dict[int, Result] = {}
    errors: list[Exception] = []

    def run() -> None:
        while waiting:
            try:
                place, step = waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                given[place] = step()
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)
                waiting.clear()

    others = [
        Thread(target=copy_context().run, args=(run,), name="qdash-step", daemon=True)
        for _ in range(min(AT_ONCE, len(steps)) - 1)
    ]
    for thread in others:
        thread.start()
    run()
    for thread in others:
        thread.join()
    if errors:
        raise errors[0]
    return [given[place] for place in range(len(steps))]
