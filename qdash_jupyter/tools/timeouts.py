"""The one error for a time limit that passed, whichever library noticed it first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from qdash_jupyter.errors import ModelTimedOut, ToolTimedOut
from qdash_jupyter.messages.message import Message

_ERRORS = (("httpx2", "TimeoutException"), ("httpx", "TimeoutException"), ("openai", "APITimeoutError"))
"""Of libraries; asyncio's and a socket's are Python's own `TimeoutError`."""
_MCP_CODES = (408, -32001)
"""By which older and newer versions of the Model Context Protocol's SDK say it."""


def is_timeout(error: BaseException) -> bool:
    """Whether a time limit passed. A group of exceptions is one where any of them is. Nothing is imported: a library
    that is not loaded has raised nothing.
    """
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_timeout, error.exceptions))
    if isinstance(error, (TimeoutError, ModelTimedOut)):
        return True
    if any(_is_a(error, module, name) for module, name in _ERRORS):
        return True
    if _is_a(error, "pymongo.errors", "PyMongoError"):
        return bool(getattr(error, "timeout", False))
    if _is_a(error, "mcp.shared.exceptions", "MCPError") or _is_a(error, "mcp.shared.exceptions", "McpError"):
        return getattr(getattr(error, "error", None), "code", None) in _MCP_CODES
    return False


ASK_FOR_LESS = Message("tool-timed-out-hint")
MAY_BE_DONE = Message("tool-timed-out-act-hint")
"""Of what acts."""


@contextmanager
def translated_timeouts(what: str, limit_s: float | None, hint: Message = ASK_FOR_LESS) -> Iterator[None]:
    """Raise the one error in the place of whatever says that a time limit passed within.

    Raises:
        ToolTimedOut: one did; its message names `what` had the limit.
    """
    try:
        yield
    except (Exception, BaseExceptionGroup) as error:
        if not is_timeout(error):
            raise
        if limit_s is None:
            raise ToolTimedOut(Message("tool-timed-out-client", name=what), hint) from None
        raise ToolTimedOut(Message("tool-timed-out", name=what, seconds=f"{limit_s:g}"), hint) from None


def _is_a(error: BaseException, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(error, kind)
