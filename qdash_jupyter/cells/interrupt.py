"""Decides on the main thread what a SIGINT does while code of the copilot runs there, and around it.

A signal may arrive after the code it was sent for has ended. So the handler is ours from before that code until nothing
that was sent can still arrive: it lets an interrupt through to the code, and to nothing else.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_DELIVERY_S = 0.5


class InterruptWindow:
    """An interrupt of ours raises in the stretches in which the cell's own code runs, and cancels what it awaits.

    Before the code and between two stretches of it, it waits for the next stretch; after the last one it does nothing.
    Ctrl-C and the notebook's own interrupt raise at once, as ever. What handles a signal takes no lock, because it may
    come at any time.
    """

    def __init__(self) -> None:
        self.wanted = False
        """One has come, and nothing was interrupted by it yet."""
        self.task: asyncio.Task[Any] | None = None
        """That of code which awaits."""
        self._lock = threading.Lock()
        self._reachable = self._shut = False  # signals may be sent, or nothing may; changed under the lock
        self._on_its_way = False  # one of ours
        self._sent_at = 0.0  # on the clock of `time.monotonic`
        self._open = False  # the cell's own code runs
        self._before: Callable[[int, FrameType | None], Any] | int | None = None
        self._handler = self._arrived

    def interrupt(self) -> bool:
        """Interrupt the code, unless it is too late for that. From any thread."""
        with self._lock:
            if not self._reachable:
                self.wanted = True
            elif not self._shut and (not self._on_its_way or time.monotonic() - self._sent_at > _DELIVERY_S):
                # One that comes while none of ours is on its way is the user's own, so ours are not sent side by side.
                # One that arrived just before a sleep began did not end the sleep: the next one does, and they count as
                # one.
                self._sent_at, self._on_its_way = time.monotonic(), True
                interrupt_main_thread()
            return not self._shut

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Around the run. Signals arrive on the main thread: elsewhere, an interrupt waits for the next stretch."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._before = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, self._handler)
        try:
            with self._lock:
                self._reachable = True
            yield
        finally:
            self._open = False
            with self._lock:
                self._shut = True
            self._give_back()

    @contextmanager
    def code(self) -> Iterator[None]:
        """Around a stretch of the cell's own code."""
        self._open = True
        try:
            self._raise_if_wanted()
            yield
        finally:
            self._open = False

    def _give_back(self) -> None:
        """Put the handler back, once nothing that was sent can still arrive; the code may have set one of its own."""
        patience = time.monotonic() + _DELIVERY_S
        while self._on_its_way and self._is_in_place and time.monotonic() < patience:
            time.sleep(0.001)
        if self._is_in_place:
            signal.signal(signal.SIGINT, self._before)

    @property
    def _is_in_place(self) -> bool:
        return signal.getsignal(signal.SIGINT) is self._handler

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        is_ours, self._on_its_way = self._on_its_way, False
        if self.task is not None and not self.task.done():
            loop = self.task.get_loop()
            if asyncio.current_task(loop) is not self.task:  # it awaits: raised here, it would end the kernel's loop
                loop.call_soon_threadsafe(self.task.cancel)
                return
        if not is_ours:
            raise KeyboardInterrupt
        self.wanted = True
        if self._open:
            self._raise_if_wanted()

    def _raise_if_wanted(self) -> None:
        if self.wanted:
            self.wanted = False
            raise KeyboardInterrupt


def interrupt_main_thread() -> None:
    """Send SIGINT to the main thread."""
    ident = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and ident is not None:  # it ends a sleep, too
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()
