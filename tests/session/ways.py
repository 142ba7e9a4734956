"""Ways to a model's server that fail, and what mends them."""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.mongo_tls import Authority
from tests.scripted_server import ScriptedServer

LINGER_NOT = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Way:
    """`broken` gives the port at which nothing good comes while it is open; `mended` makes the way good, for a server
    with this certificate. Both get a folder for what they need.
    """

    broken: Callable[[Path], AbstractContextManager[int]]
    url: str = "http://127.0.0.1:{}/v1"
    mended: Callable[[Path], AbstractContextManager[ssl.SSLContext | None]] = lambda _: nullcontext()


@contextmanager
def _closed(_: Path) -> Iterator[int]:
    """A port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    yield port


@contextmanager
def _silent(_: Path) -> Iterator[int]:
    """Somebody who takes the connection and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@contextmanager
def _answering(data: bytes) -> Iterator[int]:
    """Somebody who answers with these bytes, whatever was asked; with none he resets the connection."""

    def answer() -> None:
        while not over.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(5)
                if data:
                    _read_request(connection)
                    connection.sendall(data)
                else:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)

    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.05)
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            over.set()
            thread.join()


def _read_request(connection: socket.socket) -> None:
    """All of it: closing a connection with something unread in it would take the answer back."""
    with connection.makefile("rb") as stream:
        lines = iter(stream.readline, b"\r\n")
        fields = dict(line.lower().split(b":", 1) for line in lines if b":" in line and not line.startswith(b"POST"))
        stream.read(int(fields[b"content-length"]))


@contextmanager
def _resolving(_: Path) -> Iterator[None]:
    """All names are this machine's."""
    found = socket.getaddrinfo

    def here(host: str | bytes | None, *rest: Any, **more: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else host
        place = "127.0.0.1" if name and name.endswith(".invalid") else host
        return found(place, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", here)
        yield


@contextmanager
def _certified_by_nobody_known(folder: Path) -> Iterator[int]:
    """The client trusts an authority, and it is not the one that signed the server's certificate."""
    for name in ("known", "unknown"):
        (folder / name).mkdir()
        Authority(folder / name).server_options("model", "IP:127.0.0.1")
    with pytest.MonkeyPatch.context() as patch, ScriptedServer(tls=_certificate(folder / "unknown")) as server:
        patch.setenv("SSL_CERT_FILE", str(folder / "known" / "ca.pem"))
        yield server.port


def _certificate(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "model.pem", folder / "model.key")
    return context


CLOSED = Way(_closed)
RESET = Way(lambda _: _answering(b""))
NOT_HTTP = Way(lambda _: _answering(b"SSH-2.0-OpenSSH_9.6\r\n"))
NOT_COMPRESSED = Way(
    lambda _: _answering(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
        b"Connection: close\r\n\r\ndata: {}\n\n"
    )
)
SILENT = Way(_silent)
NO_SUCH_NAME = Way(_closed, "http://models.invalid:{}/v1", _resolving)
UNKNOWN_CERTIFICATE = Way(
    _certified_by_nobody_known,
    "https://127.0.0.1:{}/v1",
    lambda folder: nullcontext(_certificate(folder / "known")),
)
