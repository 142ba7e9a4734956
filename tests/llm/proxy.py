"""A real HTTP proxy, tiny: it forwards requests, opens tunnels, and finds every name at one address."""

from __future__ import annotations

import contextlib
import socket
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import urlsplit

from tests.patience import PATIENCE_S


class Proxy:
    """`asked` is what it was asked for: a method and an address each."""

    def __init__(self, port: int) -> None:
        """Whatever the name, the server is at this port of this machine."""
        self.asked: list[tuple[str, str]] = []
        self.authorizations: list[str | None] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object, **__: object) -> None:
                """Nothing: a test's output is its own."""

            def do_POST(self) -> None:
                owner.note(self)
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy")}
                parts = urlsplit(self.path)
                server = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
                server.request("POST", f"{parts.path}?{parts.query}" if parts.query else parts.path, body, headers)
                answer = server.getresponse()
                self.send_response(answer.status)
                self.send_header("Content-Type", answer.headers["content-type"])
                self.end_headers()
                while piece := answer.read1(1 << 16):
                    self.wfile.write(piece)
                server.close()

            def do_CONNECT(self) -> None:
                owner.note(self)
                with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as server:
                    self.send_response(200)
                    self.end_headers()
                    back = threading.Thread(target=_pour, args=(server, self.connection))
                    back.start()
                    _pour(self.connection, server)
                    back.join()
                self.close_connection = True

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})

    @property
    def url(self) -> str:
        return f"127.0.0.1:{self._http.server_address[1]}"

    def note(self, request: Any) -> None:
        self.asked.append((request.command, request.path))
        self.authorizations.append(request.headers.get("proxy-authorization"))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()


def _pour(source: socket.socket, goal: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(1 << 16):
            goal.sendall(piece)
    with contextlib.suppress(OSError):
        goal.shutdown(socket.SHUT_WR)
