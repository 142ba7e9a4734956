"""The SDK of the Model Context Protocol, of either major version. All that crosses here is the protocol's own JSON,
which both read and write; their classes differ in the names of every field.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from anyio import CancelScope

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.version import __version__

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_TESTED = "1.26 ≤ mcp < 3"


def _needed(module: str, *names: str) -> Any:
    """A module of the SDK that has these names.

    Raises:
        PersonError: the version that is installed has them not.
    """
    try:
        found = import_module(module)
        for name in names:
            getattr(found, name)
    except (ImportError, AttributeError) as error:
        try:
            problem = Message("mcp-unusable", version=version("mcp"), tested=_TESTED, why=str(error))
        except PackageNotFoundError:
            problem = Message("mcp-not-installed")
        raise PersonError(problem, Message("pip-install", what="qdash-jupyter[mcp]")) from None
    return found


_mcp: Any = _needed("mcp", "types")
types: Any = _needed("mcp.types", "CONNECTION_CLOSED", "INVALID_PARAMS")
stdio: Any = _needed("mcp.client.stdio", "StdioServerParameters", "stdio_client")
streamable: Any = _needed("mcp.client.streamable_http", "streamable_http_client")
_server: Any = _needed("mcp.server.lowlevel", "Server")
IS_FIRST = not hasattr(_mcp, "Client")
"""Whether it is a version 1."""
http: Any = _needed("httpx" if IS_FIRST else "httpx2", "AsyncClient")
"""The HTTP client that this version takes."""
Failure: type[Exception] = _mcp.McpError if IS_FIRST else _mcp.MCPError
"""What the other side refused."""

Streams = AbstractAsyncContextManager[Any]
Hears = Callable[[], None]


def code_of(failure: Exception) -> int:
    """The protocol's number of what was refused."""
    return int(failure.error.code)  # pyrefly: ignore[missing-attribute]


def refusal(why: str) -> Exception:
    """What a server raises for arguments that it does not take."""
    data = types.ErrorData(code=types.INVALID_PARAMS, message=why)
    return Failure(data) if IS_FIRST else Failure(data.code, data.message)


@asynccontextmanager
async def connected(opened: Streams, changed: Hears) -> AsyncGenerator[Session]:
    """A session over these streams; `changed` hears of changes of the tools that the server tells unasked."""
    ourselves = types.Implementation(name="qdash-jupyter", version=__version__)

    async def hear(message: Any) -> None:
        if isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            changed()

    if not IS_FIRST:
        async with _mcp.Client(opened, client_info=ourselves, message_handler=hear) as client:
            yield _Second(client)
        return
    async with (
        opened as (read, write, *_),
        _mcp.ClientSession(read, write, client_info=ourselves, message_handler=hear) as session,
    ):
        await session.initialize()
        yield _First(session)


class _Second:
    """A session with a server; that of version 1 has the same methods."""

    def __init__(self, client: Any) -> None:
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
        modern = import_module("mcp_types.version").MODERN_PROTOCOL_VERSIONS
        if self._client.protocol_version not in modern or told is None or not told.list_changed:
            return
        with contextlib.suppress(Exception):  # however it ends, the session itself says why
            async with self._client.listen(tools_list_changed=True) as changes:
                async for _ in changes:
                    changed()
        changed()


class _First:
    def __init__(self, session: Any) -> None:
        self._session = session

    async def list_tools(self, cursor: str | None) -> JsonObject:
        return _json(await self._session.list_tools(params=types.PaginatedRequestParams(cursor=cursor)))

    async def call_tool(self, name: str, arguments: JsonObject) -> JsonObject:
        request_id = self._session._request_id  # noqa: SLF001 - what the request will have; nothing tells
        try:
            return _json(await self._session.call_tool(name, arguments))
        except asyncio.CancelledError:
            about = types.CancelledNotification(params=types.CancelledNotificationParams(requestId=request_id))
            with CancelScope(shield=True):
                await self._session.send_notification(types.ClientNotification(about))
            raise

    async def listen(self, changed: Hears) -> None:
        """It tells unasked."""


Session: TypeAlias = _First | _Second

Answers = Callable[[JsonObject], Awaitable[JsonObject]]
_METHODS = {
    "tools/list": "ListTools",
    "tools/call": "CallTool",
    "resources/list": "ListResources",
    "resources/templates/list": "ListResourceTemplates",
    "resources/read": "ReadResource",
}
"""What servers of ours answer, by the SDK's names."""


def served(name: str, instructions: str, answers: Mapping[str, Answers]) -> Any:
    """A server that answers these methods, each with what the protocol says of its parameters and its result."""
    handlers = {method: _handler(method, answer) for method, answer in answers.items()}
    if not IS_FIRST:
        names = {method: re.sub("(?<!^)(?=[A-Z])", "_", f"On{_METHODS[method]}").lower() for method in answers}
        by_name = {names[method]: handler for method, handler in handlers.items()}
        return _server.Server(name, version=__version__, instructions=instructions, **by_name)
    server = _server.Server(name, version=__version__, instructions=instructions)
    for method, handler in handlers.items():
        server.request_handlers[getattr(types, f"{_METHODS[method]}Request")] = handler
    return server


def _handler(method: str, answer: Answers) -> Callable[..., Awaitable[Any]]:
    made = getattr(types, f"{_METHODS[method]}Result")

    async def second(_: object, asked: Any) -> Any:
        return made.model_validate(await answer(_json(asked)))

    async def first(request: Any) -> Any:
        return types.ServerResult(made.model_validate(await answer(_json(request.params))))

    return first if IS_FIRST else second


def app_of(server: Any) -> ASGIApp:
    """The server at `/mcp`."""
    if not IS_FIRST:
        return cast("ASGIApp", server.streamable_http_app())
    from starlette.applications import Starlette
    from starlette.routing import Route

    served_by = _needed("mcp.server.streamable_http_manager", "StreamableHTTPSessionManager")
    manager = served_by.StreamableHTTPSessionManager(app=server)
    # A route takes an object for an application, and a method for a handler of requests.
    return Starlette(routes=[Route("/mcp", _Application(manager))], lifespan=lambda _: manager.run())


class _Application:
    def __init__(self, manager: Any) -> None:
        self._manager = manager

    async def __call__(self, *about: Any) -> None:
        await self._manager.handle_request(*about)


def _json(model: Any) -> JsonObject:
    found: JsonObject = {} if model is None else model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return found
