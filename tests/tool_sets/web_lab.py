"""The lab's MCP server by HTTP, on a thread of the tests: it may want a key, be old, or forget its sessions."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from tests.patience import PATIENCE_S, until
from tests.tool_sets.lab_server import Lab


class WebLab:
    """A server on a port of its own. `key` is what it wants as a bearer, `failing` a status that it answers with."""

    def __init__(self, log: Path, key: str = "", *, legacy: bool = False) -> None:
        self.key, self.failing, self.legacy = key, 0, legacy
        self.lab = Lab(log, legacy=legacy)
        self.seen: list[dict[str, str]] = []
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self._app: Any = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._app = self.lab.server.streamable_http_app()
        config = uvicorn.Config(self._asked, port=self.port, log_level="critical", interface="asgi3", lifespan="on")
        server = self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=server.run, daemon=True)
        self._thread.start()
        until(lambda: server.started)

    def stop(self) -> None:
        assert self._server is not None
        assert self._thread is not None
        self._server.should_exit = self._server.force_exit = True
        connections: list[Any] = [*self._server.server_state.connections]
        for connection in connections:  # Python 3.13 waits for each
            connection.loop.call_soon_threadsafe(connection.transport.abort)
        self._thread.join(PATIENCE_S)

    def forget_sessions(self) -> None:
        """As after a restart: a server older than 2026-07-28 keeps sessions."""
        self.lab.server.session_manager._server_instances.clear()

    async def _asked(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        self.seen.append(dict(request.headers))
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            await PlainTextResponse("Who are you?", 401)(scope, receive, send)
        elif self.failing:
            await PlainTextResponse("Not now.", self.failing)(scope, receive, send)
        elif self.legacy and request.headers.get("mcp-protocol-version", "").startswith("2026"):
            await PlainTextResponse("What?", 400)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


@contextmanager
def web_lab(log: Path, key: str = "", **how: Any) -> Iterator[WebLab]:
    lab = WebLab(log, key, **how)
    lab.start()
    try:
        yield lab
    finally:
        lab.stop()


def lines(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def calls(log: Path, tool: str) -> list[Any]:
    """The arguments of the calls that reached the server."""
    return [json.loads(line.partition(" ")[2]) for line in lines(log) if line.startswith(f"{tool} ")]
