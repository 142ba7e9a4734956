"""Whatever a library raises when a time limit passes is one error."""

from __future__ import annotations

import socket
import sys
from types import ModuleType

import httpx2
import openai
import pymongo.errors
import pytest

from qdash_jupyter.errors import InvalidArguments, ModelTimedOut, ToolTimedOut
from qdash_jupyter.tools.timeouts import is_timeout, translated_timeouts

REQUEST = httpx2.Request("GET", "http://lab")


class McpError(Exception):
    def __init__(self, code: int) -> None:
        super().__init__("said")
        self.error = type("ErrorData", (), {"code": code})()


@pytest.fixture(autouse=True)
def _mcp(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("mcp.shared.exceptions")
    module.MCPError = McpError  # pyrefly: ignore[missing-attribute]
    monkeypatch.setitem(sys.modules, "mcp.shared.exceptions", module)


LATE = [
    TimeoutError(),
    socket.timeout(),  # noqa: UP041 - its other name
    httpx2.ReadTimeout("x", request=REQUEST),
    httpx2.PoolTimeout("x", request=REQUEST),
    openai.APITimeoutError(request=REQUEST),
    pymongo.errors.NetworkTimeout("x"),
    pymongo.errors.ExecutionTimeout("x", 50),
    ModelTimedOut("x"),
    McpError(408),
    McpError(-32001),
]
OTHERS = [
    ValueError("timeout"),
    httpx2.ConnectError("x", request=REQUEST),
    openai.APIConnectionError(request=REQUEST),
    pymongo.errors.AutoReconnect("x"),
    McpError(-32600),
    InvalidArguments("x"),
]


@pytest.mark.parametrize("error", LATE, ids=lambda error: type(error).__name__)
def test_a_time_limit_alone_and_within_groups(error: Exception) -> None:
    groups = BaseExceptionGroup("outer", [ValueError(), BaseExceptionGroup("inner", [KeyboardInterrupt(), error])])
    for raised in (error, groups):
        with pytest.raises(ToolTimedOut, match=r"fridge timed out after 0\.5 s"), translated_timeouts("fridge", 0.5):
            raise raised


@pytest.mark.parametrize("error", OTHERS, ids=lambda error: type(error).__name__)
def test_everything_else_stays(error: Exception) -> None:
    assert not is_timeout(ExceptionGroup("g", [error]))
    with pytest.raises(type(error)), translated_timeouts("fridge", 0.5):
        raise error


def test_without_a_limit_of_ours_it_is_the_clients() -> None:
    with pytest.raises(ToolTimedOut, match="its client's limit"), translated_timeouts("fridge", None):
        raise TimeoutError


def test_a_library_that_is_not_loaded_is_not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mcp.shared.exceptions")
    assert not is_timeout(McpError(408))
    assert "mcp.shared.exceptions" not in sys.modules
