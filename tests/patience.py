"""How tests wait: for what is to happen, never for a time in which it should have."""

from __future__ import annotations

import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

import psutil

PATIENCE_S = 90.0
"""After that it does not come any more. A slow machine with all groups at once took 30 s to start a Jupyter server."""

TOLD_AGAIN_S = 5.0


class Server(Protocol):
    """A process, started or forked."""

    def terminate(self) -> None: ...
    def wait(self, timeout: float | None = None) -> int: ...


def end(server: Server) -> None:
    """Jupyter Server logs that it was told to end, which fails while it is writing another line; then it goes on.

    Raises:
        AssertionError: it does not end.
    """
    for _ in range(int(PATIENCE_S / TOLD_AGAIN_S)):
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(TOLD_AGAIN_S)
            return
    raise AssertionError("the server does not end")


def until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Return as soon as it holds.

    Raises:
        AssertionError: it never did.
    """
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)


def has_ended(pid: int) -> bool:
    """Whether a process is over, which it may be between two looks at it."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def main_thread_waits() -> bool:
    """Whether it stands in a wait of Python's own: for an event, for another thread, or of an event loop."""
    frame = sys._current_frames()[threading.main_thread().ident or 0]  # the only way to look at another thread
    return frame.f_code.co_filename in {threading.__file__, selectors.__file__}
