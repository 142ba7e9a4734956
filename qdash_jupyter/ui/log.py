"""The copilot's own log file: faults of ours go there with their tracebacks, never into a user's cell."""

from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path

MOST_BYTES = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Where the log is."""
    from platformdirs import user_log_path

    return user_log_path("qdash-jupyter") / "copilot.log"


def keep_log() -> None:
    """Write the package's log to its file, once a process. A file that cannot be written is no reason to fail."""
    logger = logging.getLogger("qdash_jupyter")
    if any(isinstance(handler, (RotatingFileHandler, logging.NullHandler)) for handler in logger.handlers):
        return
    logger.propagate = False
    try:
        path = log_path()
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)
