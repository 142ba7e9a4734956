"""The worker of a kernel: one for all its conversations, begun before it is needed and ended with it."""

from __future__ import annotations

import atexit
import logging
from dataclasses import replace
from functools import cache
from threading import Thread

from qdash_jupyter.errors import CopilotError
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits, notebook_memory_mb

logger = logging.getLogger("qdash_jupyter")

_CONVERSATIONS = 16
"""So many may run code at a time: `marimo run` has many in one process."""


def worker_of_kernel(memory_mb: int | None = None) -> IsolatedWorker:
    """The worker. Code has no time limit there; `memory_mb` holds for sessions that are opened from now on."""
    worker = _worker()
    if memory_mb is not None:
        worker.limits = replace(worker.limits, memory_mb=memory_mb)
    return worker


def warm_up() -> None:
    """Start it in the background."""
    Thread(target=_start, name="qdash-worker", daemon=True).start()


def _start() -> None:
    try:
        _worker().start()
    except CopilotError as problem:  # said again to whoever runs code
        logger.info("Code of the copilot has no session here: %s", problem)
    except Exception:
        logger.exception("The copilot's session does not start")


@cache
def _worker() -> IsolatedWorker:
    limits = WorkerLimits(seconds=None, cpu_seconds=None, memory_mb=notebook_memory_mb(), jobs=_CONVERSATIONS)
    worker = IsolatedWorker(limits, needs_wall=False)
    atexit.register(worker.close)
    return worker
