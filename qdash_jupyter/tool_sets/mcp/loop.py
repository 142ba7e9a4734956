"""The asyncio loop on which all sessions of a conversation live, on a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar

from qdash_jupyter.domain.work import runs_elsewhere
from qdash_jupyter.tools.background import run_until_stopped

Result = TypeVar("Result")

_END_S = 3.0


class SessionLoop:
    """Runs coroutines for other threads, until all who use it have let go."""

    def __init__(self, users: int) -> None:
        """Begins at once; ends when so many have let go."""
        self._users = users
        self._counting = Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=run_until_stopped, args=(self._loop,), name="qdash-mcp", daemon=True)
        self._thread.start()

    def wait_for(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What it gives or raises. Cancelled when the work of this thread is given up: by Stop, or at its limit."""
        running = asyncio.run_coroutine_threadsafe(work, self._loop)
        with runs_elsewhere(work, running.cancel):
            return running.result()

    def let_go(self) -> None:
        """One less uses it."""
        with self._counting:
            self._users -= 1
            ends = self._users == 0
        if ends:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_END_S)
