"""MongoDB for the tests: a server of its protocol beside pytest, or the one that QDASH_MONGO_URI_FOR_TESTS names."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pymongo
import pytest
from pymongo.database import Database
from pymongo.errors import ConnectionFailure

from tests.mongo_steps import sent_in_steps
from tests.patience import PATIENCE_S

USER, PASSWORD = "reader", "s3cr3t-Pa55/w@rd"
START_SECONDS = 30
ROOM = ("--cache-size", "4G", "--oplog-max-entries", "100")
"""In memory it holds all databases of a session, and keeps what was written a second time for streams of changes."""


@dataclass
class MongoServer:
    """A server, and the databases that tests made on it."""

    uri: str
    port: int
    clients: list[pymongo.MongoClient] = field(default_factory=list)
    databases: list[str] = field(default_factory=list)

    def client(self) -> pymongo.MongoClient[Any]:
        """A client of its own: readers close theirs."""
        client = pymongo.MongoClient[Any](self.uri, tz_aware=True, serverSelectionTimeoutMS=1000 * int(PATIENCE_S))
        client.admin.command("ping")  # so that the client knows its server's name
        self.clients.append(client)
        return client

    def fresh_database(self) -> Database:
        """A database of a new name, which goes away in the end."""
        self.databases.append(f"qdash_test_{uuid.uuid4().hex[:12]}")
        return self.client()[self.databases[-1]]

    def close(self) -> None:
        for client in self.clients:
            client.close()

    def clean(self) -> None:
        self.close()
        with pymongo.MongoClient[Any](self.uri) as client:
            for name in self.databases:
                client.drop_database(name)


def real_server() -> str | None:
    """The address of a real MongoDB where there is one. Databases are added to it, and taken away again."""
    return os.environ.get("QDASH_MONGO_URI_FOR_TESTS") or None


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def running(storage: str, *options: str, port: int = 0) -> Iterator[int]:
    """The port of a server of our own, which ends with the block; a free one unless it is given."""
    command = Path(sys.executable).with_name("secantusd-py")
    if not command.exists():
        pytest.fail("secantusd-py is not installed beside this Python: pip install -e '.[test]'")
    port = port or free_port()
    arguments = [str(command), "--host", "127.0.0.1", "--port", str(port)]
    arguments += ["--storage-path", storage, "--log-level", "ERROR"]
    process = subprocess.Popen([*arguments, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(process, port, uses_tls="--tls-cert-file" in options)
        with sent_in_steps():
            yield port
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen, port: int, *, uses_tls: bool) -> None:
    deadline = time.monotonic() + START_SECONDS
    options: dict[str, Any] = {"tls": True, "tlsAllowInvalidCertificates": True} if uses_tls else {}
    with pymongo.MongoClient[Any]("127.0.0.1", port, serverSelectionTimeoutMS=500, **options) as client:
        while time.monotonic() < deadline:
            assert process.poll() is None, f"secantusd-py ended with {process.returncode}"
            try:
                client.admin.command("ping")
            except ConnectionFailure:
                continue
            return
    pytest.fail("secantusd-py did not answer")


@pytest.fixture(scope="session")
def secantusd() -> Iterator[MongoServer]:
    if uri := real_server():
        server = MongoServer(uri, 0)
        yield server
        server.clean()
        return
    with running(":memory:", *ROOM) as port:
        server = MongoServer(f"mongodb://127.0.0.1:{port}/", port)
        yield server
        server.close()  # its databases end with it


@pytest.fixture(scope="session")
def guarded_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server that wants USER and PASSWORD; its database `qdash` holds one chip."""
    storage = str(tmp_path_factory.mktemp("guarded"))
    with running(storage) as port, pymongo.MongoClient[Any]("127.0.0.1", port) as client:
        client.admin.command("createUser", USER, pwd=PASSWORD, roles=[{"role": "readAnyDatabase", "db": "admin"}])
        client.admin.command("createUser", "stranger", pwd=PASSWORD, roles=[{"role": "read", "db": "elsewhere"}])
        client["qdash"]["chip"].insert_one({"project_id": "p1", "chip_id": "c1"})
    with running(storage, "--auth") as port:
        yield port
