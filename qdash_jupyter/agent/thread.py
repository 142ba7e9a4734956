"""The thread on which a conversation's agent lives, so that it goes on while cells keep the kernel busy."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Lock, Thread, current_thread
from typing import Any

from qdash_jupyter.tools.background import let_end, run_until_stopped

_END_S = 2.0


class AgentLoop:
    """An asyncio loop on a daemon thread of its own, so that the agent goes on while cells keep the kernel busy."""

    def __init__(self) -> None:
        """Starts with the first work."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Run a coroutine there."""
        return asyncio.run_coroutine_threadsafe(work, self._started())

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function there, soon, and in the order of such calls. From any thread."""
        self._started().call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """End the thread; what is still running there is cancelled. More work starts another one.

        Waits for it and its work in the background, not for ever: an interpreter that ends while a thread lets go of a
        database would abort.
        """
        with self._lock:
            loop, self._loop = self._loop, None
            thread, self._thread = self._thread, None
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it ended already
                loop.call_soon_threadsafe(loop.stop)
        if thread is not None and thread is not current_thread():
            thread.join(_END_S)
            let_end()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=run_until_stopped, args=(self._loop,), name="qdash-agent", daemon=True)
                self._thread.start()
            return self._loop
