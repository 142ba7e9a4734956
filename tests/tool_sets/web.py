"""A server of a lab, as REST tools find it: each path says in a function what it answers."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.patience import PATIENCE_S


@dataclass(frozen=True)
class Asked:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Says:
    body: bytes | str | Any = b""
    status: int = 200
    mime: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    waits: bool = False
    """For the test to end, or the client to go."""

    @property
    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class Web:
    def __init__(self, tls: ssl.SSLContext | None) -> None:
        self.asked: list[Asked] = []
        self.paths: dict[str, Says | Callable[[Asked], Says]] = {}
        self.ending = threading.Event()
        self.hung_up = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self.host = f"127.0.0.1:{self._http.server_address[1]}"
        self.url = f"http{'s' if tls else ''}://{self.host}"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.ending.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(PATIENCE_S)

    def _answer(self, asked: Asked) -> Says:
        self.asked.append(asked)
        path = urlsplit(asked.target).path
        says = self.paths.get(path, Says({"error": f"nothing at {path}"}, 404))
        return says(asked) if callable(says) else says

    def _wait(self, connection: socket.socket) -> None:
        connection.settimeout(0.02)
        while not self.ending.is_set():
            try:
                if not connection.recv(1):
                    self.hung_up.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                return

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            def _do(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                says = web._answer(Asked(self.command, self.path, headers, body))
                if says.waits:
                    web._wait(self.connection)
                    return
                self.send_response(says.status)
                for name, value in {"content-type": says.mime, **says.headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(says.data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(says.data)

            def log_message(self, *_: object, **__: object) -> None:
                pass

        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"):
            setattr(Handler, f"do_{method}", Handler._do)
        return Handler


@contextmanager
def web(tls: ssl.SSLContext | None = None) -> Iterator[Web]:
    made = Web(tls)
    try:
        yield made
    finally:
        made.close()
