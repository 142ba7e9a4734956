"""Interrupts one cell on the main thread, and nothing that runs before or after it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from qdash_jupyter.cells.gate import interrupt_main_thread

_ON_ITS_WAY_S = 1.0


class InterruptWindow:
    """The stretches of a run in which the cell's own code runs: only there an interrupt of ours raises.

    What a signal does is decided where it arrives, on the main thread. Before the code and between two stretches of it,
    the interrupt waits for the next stretch; after the last one it does nothing. Ctrl-C and the notebook's own
    interrupt raise at once, as ever.
    """

    def __init__(self) -> None:
        """For one run."""
        self._lock = threading.Lock()
        self._reachable = False  # signals may be sent; changed under the lock
        self._over = False  # changed under the lock
        self._sent = False  # one of ours is on its way
        self._wanted = False  # one of ours has hit nothing yet
        self._open = False  # the cell's own code runs; changed on the main thread only

    def interrupt(self) -> bool:
        """Interrupt the run; says whether it was not over yet. From any thread."""
        with self._lock:
            if self._over:
                return False
            if not self._reachable:
                self._wanted = True
            elif not self._sent:
                self._sent = True
                interrupt_main_thread()
            return True

    @contextmanager
    def reachable(self) -> Iterator[None]:
        """Around the run. Signals arrive on the main thread: elsewhere, an interrupt waits for the next stretch."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._arrived)
        try:
            with self._lock:
                self._reachable = True
            yield
        finally:
            self._open = False
            with self._lock:
                self._over = True
            # Sent at the last moment: it has to arrive here, where it does nothing, and not in what comes next.
            patience = time.monotonic() + _ON_ITS_WAY_S
            while self._sent and time.monotonic() < patience:
                time.sleep(0)
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def code(self) -> Iterator[None]:
        """Around a stretch of the cell's own code."""
        self._open = True
        try:
            self._raise_if_wanted()
            yield
        finally:
            self._open = False

    def _arrived(self, _number: int, _frame: FrameType | None) -> None:
        if not self._sent:
            raise KeyboardInterrupt  # the person's own
        self._sent = False
        self._wanted = True
        if self._open:
            self._raise_if_wanted()

    def _raise_if_wanted(self) -> None:
        if self._wanted:
            self._wanted = False
            raise KeyboardInterrupt
