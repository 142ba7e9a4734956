"""What hardly changes and every question needs: kept for a short time."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar, cast

Fact = TypeVar("Fact")

FACTS_SECONDS = 60.0
"""For so long what docs/data.md lists as facts of a chip is not asked again: an exclusion in current values, too."""

_NEW_SECONDS = 1.0


class ChipFacts:
    """Facts of chips, each asked for when it is wanted and kept for some time. Safe to use from several threads."""

    def __init__(self, seconds: float = FACTS_SECONDS) -> None:
        """Keep each for `seconds`; 0 keeps none."""
        self._seconds = seconds
        self._known: dict[Hashable, tuple[float, Any]] = {}
        self._locks: defaultdict[Hashable, Lock] = defaultdict(Lock)

    def get(self, key: Hashable, ask: Callable[[], Fact]) -> Fact:
        """The fact of that key: what `ask` gave, now or lately. Who wants it meanwhile waits for the same answer."""
        with self._locks[key]:
            known = self._known.get(key)
            if known is None or time.monotonic() - known[0] >= self._seconds:
                known = self._known[key] = (time.monotonic(), ask())
            return cast("Fact", known[1])

    def forget(self) -> bool:
        """Ask again for all but what has just been asked for; whether there was anything else."""
        now = time.monotonic()
        old = [key for key, (since, _) in list(self._known.items()) if now - since > min(_NEW_SECONDS, self._seconds)]
        for key in old:
            self._known.pop(key, None)
        return bool(old)
