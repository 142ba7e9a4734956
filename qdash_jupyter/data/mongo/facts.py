"""What questions need of a chip and hardly changes: kept while the conversation lasts, and looked up when missed."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, NamedTuple, TypeVar, cast

from qdash_jupyter.domain.work import Work, current_work

Fact = TypeVar("Fact")

RECORD_SECONDS = 60.0
"""The short collections of chips and cool-downs are read again after this time."""


class _Known(NamedTuple):
    value: Any
    at: float
    work: Work | None


class ChipFacts:
    """Facts of chips, each asked for when it is first needed. Safe to use from several threads."""

    def __init__(self) -> None:
        """Know nothing."""
        self._known: dict[Hashable, _Known] = {}
        self._locks: defaultdict[Hashable, Lock] = defaultdict(Lock)

    def get(self, key: Hashable, ask: Callable[[], Fact], seconds: float = math.inf) -> Fact:
        """Return what `ask` gave, now or before. Who wants it meanwhile waits for the same answer."""
        with self._locks[key]:
            known = self._known.get(key)
            if known is None or (time.monotonic() - known.at >= seconds and not _is_of_this_work(known)):
                known = self._note(key, ask())
            return cast("Fact", known.value)

    def get_now(self, key: Hashable, ask: Callable[[], Fact]) -> Fact:
        """Return what `ask` gives: once for the work of this thread, such as a call of a tool."""
        return self.get(key, ask, seconds=0)

    def note(self, key: Hashable, value: object) -> None:
        """Keep what was read for another reason."""
        with self._locks[key]:
            self._note(key, value)

    def forget(self) -> bool:
        """Ask again for all but what the work of this thread asked for; whether there was anything else."""
        old = [key for key, known in list(self._known.items()) if not _is_of_this_work(known)]
        for key in old:
            self._known.pop(key, None)
        return bool(old)

    def _note(self, key: Hashable, value: object) -> _Known:
        known = self._known[key] = _Known(value, time.monotonic(), current_work())
        return known


def _is_of_this_work(known: _Known) -> bool:
    return known.work is not None and known.work is current_work()
