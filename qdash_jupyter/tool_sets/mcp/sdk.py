"""The SDK of the Model Context Protocol, imported here alone. All that crosses here is the protocol's own JSON: what a
server sends is foreign in any case, and no class of the SDK's is wrapped.

Raises (the module):
    PersonError: the SDK is not installed, or has not what we use.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.version import __version__

try:
    from mcp import Client, MCPError, types
    from mcp.client import stdio, streamable_http
    from mcp.server.lowlevel import Server
    from mcp_types.version import MODERN_PROTOCOL_VERSIONS
except ImportError as error:
    try:
        problem = Message("mcp-unusable", version=version("mcp"), tested="2 ≤ mcp < 3", why=str(error))
    except PackageNotFoundError:
        problem = Message("mcp-not-installed")
    raise PersonError(problem, Message("pip-install", what="qdash-jupyter[mcp]")) from None

__all__ = ["MCPError", "Session", "Streams", "connected", "refusal", "served", "stdio", "streamable_http", "types"]

Streams = AbstractAsyncContextManager[Any]
Hears = Callable[[], None]
Answers = Callable[[JsonObject], Awaitable[JsonObject]]

_METHODS: Mapping[str, tuple[str, Any]] = {
    "tools/list": ("on_list_tools", types.ListToolsResult),
    "tools/call": ("on_call_tool", types.CallToolResult),
    "resources/list": ("on_list_resources", types.ListResourcesResult),
    "resources/templates/list": ("on_list_resource_templates", types.ListResourceTemplatesResult),
    "resources/read": ("on_read_resource", types.ReadResourceResult),
}
"""What servers of ours answer: the SDK's name of the handler, and the class of what it gives."""


def refusal(why: str) -> Exception:
    """What a server raises for arguments that it does not take."""
    return MCPError(types.INVALID_PARAMS, why)


@asynccontextmanager
async def connected(opened: Streams, changed: Hears) -> AsyncGenerator[Session]:
    """A session over these streams; `changed` hears of changes of the tools that the server tells unasked."""

    async def hear(message: Any) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            changed()

    ourselves = types.Implementation(name="qdash-jupyter", version=__version__)
    async with Client(opened, client_info=ourselves, message_handler=hear) as client:
        yield Session(client)


class Session:
    """A session with a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def list_tools(self, cursor: str | None) -> JsonObject:
        """A page of its tools."""
        return _json(await self._client.list_tools(cursor=cursor, cache_mode="refresh"))

    async def call_tool(self, name: str, arguments: JsonObject) -> JsonObject:
        """What a tool answers. Cancelled, it tells the server."""
        return _json(await self._client.call_tool(name, arguments))

    async def listen(self, changed: Hears) -> None:
        """Tell of changes of the tools where the server has to be asked to tell, also when it tells no more; returns at
        once where it tells unasked.
        """
        told = self._client.server_capabilities.tools
        if self._client.protocol_version not in MODERN_PROTOCOL_VERSIONS or told is None or not told.list_changed:
            return
        with contextlib.suppress(Exception):  # however it ends, the session itself says why
            async with self._client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    changed()
        changed()


def served(name: str, instructions: str, answers: Mapping[str, Answers]) -> Server[Any]:
    """A server that answers these methods, each with what the protocol says of its parameters and its result."""
    handlers: dict[str, Any] = {}
    for method, answer in answers.items():
        handler, result = _METHODS[method]
        handlers[handler] = _handler(result, answer)
    return Server(name, version=__version__, instructions=instructions, **handlers)


def _handler(result: Any, answer: Answers) -> Callable[[object, Any], Awaitable[Any]]:
    async def handle(_: object, asked: Any) -> Any:
        return result.model_validate(await answer(_json(asked)))

    return handle


def _json(model: Any) -> JsonObject:
    found: JsonObject = {} if model is None else model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found
