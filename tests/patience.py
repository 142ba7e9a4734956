"""How tests wait: for what is to happen, never for a time in which it should have."""

from __future__ import annotations

import selectors
import sys
import threading
import time
from collections.abc import Callable

PATIENCE_S = 90.0
"""After that it does not come any more. A slow machine with all groups at once took 30 s to start a Jupyter server."""


def until(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Return as soon as it holds.

    Raises:
        AssertionError: it never did.
    """
    end = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.005)


def main_thread_waits() -> bool:
    """Whether it stands in a wait of Python's own: for an event, for another thread, or of an event loop."""
    frame = sys._current_frames()[threading.main_thread().ident or 0]  # the only way to look at another thread
    return frame.f_code.co_filename in {threading.__file__, selectors.__file__}
