"""The copilot's own log file: faults of ours go there with their tracebacks, never into a user's cell."""

from __future__ import annotations

import contextlib
import logging
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from qdash_jupyter.config.disk import go_on_without, user_folder
from qdash_jupyter.messages.message import Message

MOST_BYTES = 1_000_000
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def log_path() -> Path:
    """Where the log is."""
    return user_folder("log") / "copilot.log"


def keep_log() -> None:
    """Write the package's log to its file, once a process. A file that cannot be written is no reason to fail."""
    logger = logging.getLogger("qdash_jupyter")
    if any(isinstance(handler, (RotatingFileHandler, logging.NullHandler)) for handler in logger.handlers):
        return
    logger.propagate = False
    path = log_path()
    handler: logging.Handler = logging.NullHandler()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = _LogFile(path, maxBytes=MOST_BYTES, backupCount=1, encoding="utf-8", delay=True)
    except OSError as error:
        go_on_without(Message("copilot-log"), path, error)
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)


class _LogFile(RotatingFileHandler):
    """Says once that it cannot be written, without the traceback that `logging` prints."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """Called while the error is handled."""
        error, path = sys.exc_info()[1], Path(self.baseFilename)
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        go_on_without(Message("copilot-log"), path, error)
        with contextlib.suppress(OSError):
            self.close()
        with contextlib.suppress(OSError):
            if not path.stat().st_size:
                path.unlink()
