"""A server that answers no query until the query's session is killed, as MongoDB ends a long one.

The wire-protocol server of the other tests takes `killSessions` and goes on with its command. This one speaks just
enough of the protocol to be connected with, and notes what it was sent.
"""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bson

from tests.patience import PATIENCE_S

Document = dict[str, Any]

INTERRUPTED: Document = {"ok": 0.0, "code": 11601, "codeName": "Interrupted", "errmsg": "operation was interrupted"}
UNKNOWN: Document = {"ok": 0.0, "code": 59, "codeName": "CommandNotFound", "errmsg": "no such command"}
HELLO: Document = {
    "helloOk": True,
    "isWritablePrimary": True,
    "ismaster": True,
    "maxBsonObjectSize": 16 * 2**20,
    "maxMessageSizeBytes": 48_000_000,
    "maxWriteBatchSize": 100_000,
    "minWireVersion": 0,
    "maxWireVersion": 21,
    "ok": 1.0,
}
QUERIES = ("find", "aggregate", "distinct", "getMore")
_HEAD = struct.Struct("<iiii")
_OLD_QUERY, _OLD_REPLY, _MESSAGE = 2004, 1, 2013


class EndlessServer(socketserver.ThreadingTCPServer):
    """Queries on `endless` collections run until their session is killed; those on others find nothing."""

    daemon_threads = True

    def __init__(self, endless: tuple[str, ...], *, sessions: bool, kills: bool, misses: int) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.endless, self.sessions, self.kills, self.misses = endless, sessions, kills, misses
        self.sent: list[Document] = []
        self.running: dict[bytes, threading.Event] = {}
        """By session, what ends the command."""
        self._let_go = threading.Event()

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self.server_address[1]}/"

    def named(self, *names: str) -> list[Document]:
        """The commands of these names that arrived."""
        return [command for command in list(self.sent) if next(iter(command)) in names]

    def let_go(self) -> None:
        """End all, as time limits would."""
        self._let_go.set()
        for end in list(self.running.values()):
            end.set()

    def answer(self, command: Document) -> Document:
        name, about = next(iter(command.items()))
        if name in ("hello", "ismaster", "isMaster"):
            return HELLO | ({"logicalSessionTimeoutMinutes": 30} if self.sessions else {})
        self.sent.append(command)
        if name == "killSessions":
            return self._kill(about)
        if name not in QUERIES:
            return {"ok": 1.0}
        if about in self.endless:
            return self._run(command)
        return {"ok": 1.0, "cursor": {"id": 0, "ns": f"{command['$db']}.{about}", "firstBatch": []}, "values": []}

    def _kill(self, sessions: list[Document]) -> Document:
        if not self.kills:
            return UNKNOWN
        if self.misses:
            self.misses -= 1
            return {"ok": 1.0}
        for session in sessions:
            if (end := self.running.get(bytes(session["id"]))) is not None:
                end.set()
        return {"ok": 1.0}

    def _run(self, command: Document) -> Document:
        session, end = bytes(command.get("lsid", {}).get("id", b"")), threading.Event()
        self.running[session] = end
        if not self._let_go.is_set():
            end.wait(PATIENCE_S)
        del self.running[session]
        return INTERRUPTED


class _Connection(socketserver.StreamRequestHandler):
    server: EndlessServer

    def handle(self) -> None:
        while head := self.rfile.read(_HEAD.size):
            length, request, _, kind = _HEAD.unpack(head)
            body = self.rfile.read(length - _HEAD.size)
            # Before the document stand: flags, the collection's name and two numbers; or flags and the section's kind.
            start = body.index(b"\0", 4) + 9 if kind == _OLD_QUERY else 5
            answer = bson.encode(self.server.answer(bson.decode(body[start:])))
            if kind == _OLD_QUERY:
                kind, answer = _OLD_REPLY, struct.pack("<iqii", 8, 0, 0, 1) + answer
            else:
                answer = b"\0\0\0\0\0" + answer
            self.wfile.write(_HEAD.pack(_HEAD.size + len(answer), 0, request, kind) + answer)


@contextmanager
def endless_server(
    *endless: str, sessions: bool = True, kills: bool = True, misses: int = 0
) -> Iterator[EndlessServer]:
    """One that runs. `sessions`: whether it has any; `kills`: whether it knows the command that ends what is in one;
    `misses`: to how many of these commands it does nothing.
    """
    with EndlessServer(endless, sessions=sessions, kills=kills, misses=misses) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.let_go()
            server.shutdown()
            thread.join(PATIENCE_S)
