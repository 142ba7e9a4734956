"""Plays scripted turns over HTTP, and keeps what it was asked."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from openai import BaseModel
from openai.types.chat import ChatCompletionChunk

from tests.scripted_server.turns import written

from .chat import Manner, as_chat, completion_of
from .refusals import Refuse
from .turns import Cut, HttpError, Pause, Raw, Script, Turn, http_error, sse

_LOOK_EVERY_S = 0.02


@dataclass
class RecordedRequest:
    """A request as it came: header names in lower case. `hung_up` is set when the client leaves before the end."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    connection: int
    hung_up: threading.Event = field(default_factory=threading.Event)


class ScriptedServer:
    """Answers the n-th request to `/v1/responses` or `/v1/chat/completions` with the n-th turn.

    When there is none left, it answers with status 410. What one of the `refusals` is about gets that error, and takes
    no turn. Without `responses` there is no such path; `manner` is how it says things over Chat Completions.
    A context manager: on leaving, all connections are closed, and whatever went wrong in the server is raised.
    """

    def __init__(
        self,
        turns: Iterable[Turn] = (),
        *,
        port: int = 0,
        refusals: Sequence[Refuse] = (),
        responses: bool = True,
        manner: Manner | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.requests: list[RecordedRequest] = []
        self.manner = manner or Manner()
        self.pages: dict[str, Any] = {}
        """What is got by GET, by its path."""
        self.got: list[str] = []
        """The paths that were asked for by GET."""
        self._turns = list(turns)
        self._refusals = refusals
        self._has_responses = responses
        self._scheme = "https" if tls else "http"
        self._lock = threading.Lock()
        self._problems: list[BaseException] = []
        self._connections: set[socket.socket] = set()
        self._closing = threading.Event()
        self._http = _Http(("127.0.0.1", port), self)
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def port(self) -> int:
        return self._http.server_address[1]

    @property
    def base_url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}/v1"

    def add(self, *turns: Turn) -> None:
        """More turns, behind those that are left."""
        with self._lock:
            self._turns.extend(turns)

    def forget(self) -> None:
        """Leave out what was not asked for."""
        with self._lock:
            self._turns.clear()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        with self._lock:
            open_connections = list(self._connections)
        for connection in open_connections:
            with contextlib.suppress(OSError):  # the client was faster
                connection.shutdown(socket.SHUT_RDWR)
        self._http.server_close()  # waits for the threads
        self._thread.join()
        if self._problems:
            raise self._problems[0]

    def next_turn(self, request: RecordedRequest) -> Script | HttpError:
        """Keep the request; the answer to it."""
        with self._lock:
            self.requests.append(request)
            if not self._knows(request.path):
                return http_error(404, f"Unknown path {request.path}")
            for refuse in self._refusals:
                if (refusal := refuse(request.body)) is not None:
                    return refusal
            if not self._turns:
                return http_error(410, f"The script has no turn for request {len(self.requests)}.")
            turn = self._turns.pop(0)
        return turn(request.body) if callable(turn) else turn

    def _knows(self, path: str) -> bool:
        path = path.partition("?")[0]
        if path.endswith("/chat/completions"):
            return path.endswith("/v1/chat/completions") or "/openai/deployments/" in path
        return self._has_responses and path.endswith("/v1/responses")


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that leaving waits for them, and none outlives its test

    def __init__(self, address: tuple[str, int], owner: ScriptedServer) -> None:
        self.owner = owner
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        problem = sys.exception()
        if problem is not None and not isinstance(problem, ConnectionError):
            self.owner._problems.append(problem)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # connections are kept, bodies are chunked, as at the real servers
    disable_nagle_algorithm = True
    server: _Http

    def setup(self) -> None:
        super().setup()
        owner = self.server.owner
        with owner._lock:
            owner._connections.add(self.connection)
            if owner._closing.is_set():  # accepted at the last moment: nobody else would close it
                self.connection.shutdown(socket.SHUT_RDWR)

    def finish(self) -> None:
        with self.server.owner._lock:
            self.server.owner._connections.discard(self.connection)
        super().finish()

    def log_message(self, *_: object, **__: object) -> None:
        """Nothing: a test's output is its own."""

    def do_GET(self) -> None:
        self.server.owner.got.append(self.path)
        page = self.server.owner.pages.get(self.path)
        self._send_body(http_error(404, "Nothing.") if page is None else HttpError(200, page))

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        raw = self.rfile.read(length)
        if len(raw) < length:  # the client left before it had sent all
            raise ConnectionAbortedError
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = RecordedRequest(self.path, headers, json.loads(raw), connection=self.client_address[1])
        answer = self.server.owner.next_turn(request)
        if isinstance(answer, HttpError):
            self._send_body(answer)
            return
        if request.path.partition("?")[0].endswith("/chat/completions"):
            if not request.body.get("stream"):
                self._send_body(HttpError(200, completion_of(answer)))
                return
            answer = as_chat(answer, self.server.owner.manner, request.body)
        try:
            self._play(answer, request)
        except ConnectionError:
            request.hung_up.set()
            self.close_connection = True

    def _send_body(self, error: HttpError) -> None:
        is_text = isinstance(error.body, str)
        body = error.body.encode() if is_text else json.dumps(error.body).encode()
        self.send_response(error.status)
        self.send_header("Content-Type", "text/html" if is_text else "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in error.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _play(self, script: Script, request: RecordedRequest) -> None:
        self.send_response(200)
        self.send_header("Content-Type", script.content_type)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for step in script.steps:
            match step:
                case Cut():
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                case Pause(seconds, until):
                    self._wait(seconds, until)
                case Raw(data):
                    self._send_chunk(data)
                case ChatCompletionChunk():
                    self._send_chunk(f"data: {written(step)}\n\n".encode())
                case BaseModel():
                    self._send_chunk(sse(str(getattr(step, "type", "")), written(step)))
        self._send_chunk(b"")

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _wait(self, seconds: float, until: threading.Event | None) -> None:
        """Wait, and notice when the client leaves or the server closes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (until and until.is_set()):
            readable, _, _ = select.select([self.connection], [], [], min(left, _LOOK_EVERY_S))
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
            if self.server.owner._closing.is_set():
                raise ConnectionAbortedError
