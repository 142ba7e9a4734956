"""Libraries are imported by one thread at a time.

Python imports a submodule while another thread is still in the middle of its package, so two threads that enter SciPy
or pandas by different doors end with "partially initialized module" (decision 88). Who imports beside others holds this
lock; cells of the user's wait for it before they begin.
"""

from __future__ import annotations

from threading import RLock

ONE_AT_A_TIME = RLock()
_PATIENCE_S = 20.0


def wait_for_imports() -> None:
    """Wait until no other thread imports a library; not for ever, as a file system may hang."""
    if ONE_AT_A_TIME.acquire(timeout=_PATIENCE_S):
        ONE_AT_A_TIME.release()
