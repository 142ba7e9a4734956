"""The one error for a time limit that passed, whichever library noticed it first."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from qdash_jupyter.errors import ModelTimedOut, ToolTimedOut

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


ASK_FOR_LESS = "Ask for less: fewer qubits, or a shorter time range."
MAY_BE_DONE = "It may have been done all the same: find out before you try again."
"""Of what acts."""


@contextmanager
def translated_timeouts(what: str, limit_s: float | None, hint: str = ASK_FOR_LESS) -> Iterator[None]:
    """Raise the one error in the place of whatever says that a time limit passed within.

    Raises:
        ToolTimedOut: one did; its message names `what` had the limit.
    """
    try:
        yield
    except (Exception, BaseExceptionGroup) as error:
        if not is_timeout(error):
            raise
        limit = "within its client's own time limit" if limit_s is None else f"after {limit_s:g} s"
        raise ToolTimedOut(f"{what} was not done {limit}.", hint) from None


def _is_a(error: BaseException, module: str, name: str) -> bool:
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(error, kind)
