"""Connections: where they are read from, what each failure says, and that no password is ever shown."""

from __future__ import annotations

import socket
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pymongo
import pytest

from qdash_jupyter.data.mongo.address import MongoAddress, mongo_address
from qdash_jupyter.data.mongo.connection import connect
from qdash_jupyter.errors import DatabaseError, DatabaseRefused, DatabaseUnreachable
from tests.mongo_server import MongoServer, running
from tests.patience import PATIENCE_S, until

SECRET = "s3cr3tPa55"
ESCAPED = "s3cr3t-Pa55%2Fw%40rd"  # the fixture's password, as an address has it
QUICK = 0.5


def answered(uri: str | None = None, **options: Any) -> DatabaseError:
    """The same of a server that answers, and may take its time."""
    return failure(uri, timeout_seconds=PATIENCE_S, **options)


def failure(uri: str | None = None, **options: Any) -> DatabaseError:
    """The error of a connection that cannot be made, after checking that it shows no secret."""
    before = set(threading.enumerate())
    with pytest.raises(DatabaseError) as caught:
        connect(uri, **(dict[str, Any](timeout_seconds=QUICK, environ={}) | options))
    error = caught.value
    shown = "\n".join(
        [str(error), repr(error), str(error.message), str(error.hint), *traceback.format_exception(error)]
    )
    for secret in (SECRET, "s3cr3t", "Pa55"):
        assert secret not in shown
    assert error.__cause__ is None
    assert error.__context__ is None
    assert error.hint
    # pymongo's threads end a moment after its client: a socket that they still hold would be found in another test.
    until(lambda: not any(thread.name.startswith("pymongo") for thread in {*threading.enumerate()} - before))
    return error


@contextmanager
def silent_server() -> Iterator[int]:
    """A port on which something listens that never speaks."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@contextmanager
def speaking_server(words: bytes) -> Iterator[int]:
    """A port on which everybody is told `words`, whatever they say."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        def speak() -> None:
            while True:
                try:
                    guest, _ = listener.accept()
                except OSError:
                    return
                with guest:
                    guest.recv(4096)
                    guest.sendall(words)

        speaker = threading.Thread(target=speak)
        speaker.start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)
    speaker.join(PATIENCE_S)


def closed_port() -> int:
    with silent_server() as port:
        return port


def test_a_closed_port_is_named() -> None:
    port = closed_port()
    error = failure(f"mongodb://aoi:{SECRET}@127.0.0.1:{port}/qdash")
    assert type(error) is DatabaseUnreachable
    assert f"127.0.0.1:{port}/qdash" in str(error.message)
    assert "refused" in str(error.message)


def test_an_unknown_host_is_named() -> None:
    error = failure(f"mongodb://aoi:{SECRET}@no-such-host.invalid:27017/qdash")
    assert type(error) is DatabaseUnreachable
    assert "no-such-host.invalid:27017" in str(error.message)
    assert "name" in str(error.message)


def test_an_unknown_service_name_is_named() -> None:
    error = failure(f"mongodb+srv://aoi:{SECRET}@no-such-cluster.invalid/qdash")
    assert type(error) is DatabaseUnreachable


def test_a_server_that_says_nothing_is_given_up() -> None:
    with silent_server() as port:
        error = failure(f"mongodb://aoi:{SECRET}@127.0.0.1:{port}/")
    assert type(error) is DatabaseUnreachable
    assert "in time" in str(error.message)


def test_tls_trouble_is_called_so() -> None:
    with speaking_server(b"this is no TLS\n") as port:
        error = failure(f"mongodb://aoi:{SECRET}@127.0.0.1:{port}/?tls=true")
    assert type(error) is DatabaseUnreachable
    assert "TLS" in str(error.message)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "localhost:27017",
        f"aoi:{SECRET}@127.0.0.1",
        f"http://aoi:{SECRET}@127.0.0.1/",
        "mongodb://",
        f"mongodb://aoi:{SECRET}@/qdash",
        f"mongodb://aoi:{SECRET}@127.0.0.1:port/",
        f"mongodb://aoi:{SECRET}@127.0.0.1:99999/",
        f"mongodb://aoi:{SECRET}@[::1/",
        f"mongodb://aoi:{SECRET}@two words/",
        f"mongodb://aoi:{SECRET}@127.0.0.1/?{SECRET}",
        f"mongodb://aoi:{SECRET}@127.0.0.1/a b",
        f"mongodb://aoi:{SECRET}@127.0.0.1/a$b",
        # Unescaped characters in a password
        f"mongodb://aoi:{SECRET}@x@127.0.0.1/qdash",
        f"mongodb://aoi:12/{SECRET}@127.0.0.1/qdash",
        f"mongodb://aoi:12?{SECRET}=x@127.0.0.1/qdash",
        f"mongodb://aoi:12#{SECRET}@127.0.0.1:1/x/y@z",
        f"mongodb://aoi:x:{SECRET}@127.0.0.1/qdash",
        f"mongodb://aoi:%ZZ{SECRET}@127.0.0.1/qdash",
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning:pymongo")
def test_what_is_no_address_is_refused_without_repeating_it(uri: str) -> None:
    assert type(failure(uri)) is DatabaseError
    assert type(failure(None, environ={"QDASH_MONGO_URI": uri or "x"})) is DatabaseError


def test_nothing_configured_names_the_variables() -> None:
    error = failure(None)
    assert "QDASH_MONGO_URI" in str(error)
    assert "MONGO_HOST" in str(error)


def test_labels_and_reprs_hold_no_secrets() -> None:
    for uri, label in [
        (f"mongodb://aoi:{SECRET}@lab/", "lab:27017/qdash"),
        (f"mongodb://aoi:{SECRET}@a:1,b:2,c/qubex?replicaSet=rs0", "a:1,b:2,c:27017/qubex"),
        (f"mongodb://aoi:{SECRET}@[::1]:27018/", "[::1]:27018/qdash"),
        (f"mongodb+srv://aoi:{SECRET}@cluster.lab.example/qdash", "cluster.lab.example/qdash"),
    ]:
        address = mongo_address(uri, None, {})
        assert address is not None
        assert address.label == label
        assert SECRET not in repr(address)


def address_of(uri: str | None, database: str | None, environ: dict[str, str]) -> MongoAddress:
    found = mongo_address(uri, database, environ)
    assert found is not None
    return found


def test_the_database_is_named_by_argument_then_address_then_variable() -> None:
    environ = {"MONGO_DB_NAME": "qubex"}
    assert address_of("mongodb://h/fromuri", "argument", environ).database == "argument"
    assert address_of("mongodb://h/fromuri", None, environ).database == "fromuri"
    assert address_of("mongodb://h/", None, environ).database == "qubex"
    assert address_of("mongodb://h", None, {}).database == "qdash"


def test_qdash_variables_are_read_as_qdash_reads_them() -> None:
    lab = {
        "MONGO_HOST": "10.0.0.5",
        "MONGO_PORT": "27099",
        "MONGO_INITDB_ROOT_USERNAME": "root",
        "MONGO_INITDB_ROOT_PASSWORD": f"{SECRET}/@:",
    }
    address = address_of(None, None, lab)
    assert (address.label, address.username, address.password) == ("10.0.0.5:27099/qdash", "root", f"{SECRET}/@:")
    assert SECRET not in repr(address)
    assert address_of(None, None, lab | {"MONGO_HOST": "mongo"}).label == "mongo:27017/qdash"
    assert address_of(None, None, lab | {"QDASH_MONGO_URI": "mongodb://other/x"}).label == "other:27017/x"
    assert mongo_address(None, None, {"MONGO_PORT": "27099"}) is None
    assert "MONGO_PORT" in str(failure(None, environ=lab | {"MONGO_PORT": "many"}).message)
    assert "MONGO_HOST" in str(failure(None, environ=lab | {"MONGO_HOST": f"mongodb://root:{SECRET}@x"}).message)


@pytest.mark.mongo
def test_a_wrong_password_is_refused(guarded_port: int) -> None:
    error = answered(f"mongodb://reader:{SECRET}@127.0.0.1:{guarded_port}/?authSource=admin")
    assert type(error) is DatabaseRefused
    assert "password" in str(error.message)
    assert "authSource" not in str(error.hint)
    assert "authSource" in str(answered(f"mongodb://reader:{SECRET}@127.0.0.1:{guarded_port}/qdash").hint)


@pytest.mark.mongo
def test_no_user_where_one_is_needed_is_refused(guarded_port: int) -> None:
    error = answered(f"mongodb://127.0.0.1:{guarded_port}/qdash")
    assert type(error) is DatabaseRefused
    assert "requires a user" in str(error.message)


@pytest.mark.mongo
def test_no_right_to_read_is_refused(guarded_port: int) -> None:
    error = answered(f"mongodb://stranger:{ESCAPED}@127.0.0.1:{guarded_port}/qdash?authSource=admin")
    assert type(error) is DatabaseRefused
    assert "read" in str(error.message)


@pytest.mark.mongo
def test_the_right_password_connects(guarded_port: int) -> None:
    database = connect(f"mongodb://reader:{ESCAPED}@127.0.0.1:{guarded_port}/qdash?authSource=admin", environ={})
    try:
        assert database.name == "qdash"
        assert database["chip"].count_documents({}) == 1
        assert "s3cr3t" not in repr(database)
        assert "s3cr3t" not in repr(database.client)
    finally:
        database.client.close()


@pytest.mark.mongo
def test_qdash_variables_connect(guarded_port: int) -> None:
    environ = {
        "MONGO_HOST": "127.0.0.1",
        "MONGO_PORT": str(guarded_port),
        "MONGO_INITDB_ROOT_USERNAME": "reader",
        "MONGO_INITDB_ROOT_PASSWORD": "s3cr3t-Pa55/w@rd",
    }
    database = connect(environ=environ)
    assert database.name == "qdash"
    assert "s3cr3t" not in repr(database)
    database.client.close()
    assert type(answered(environ=environ | {"MONGO_INITDB_ROOT_PASSWORD": SECRET})) is DatabaseRefused


@pytest.mark.mongo
def test_a_database_without_qdash_names_the_one_that_has_it() -> None:
    with running(":memory:") as port:  # of its own: the names of many databases would be cut
        uri = f"mongodb://127.0.0.1:{port}/"
        with pymongo.MongoClient[Any](uri) as client:
            client["lab"]["chip"].insert_one({"chip_id": "c1"})
            client["other"]["cats"].insert_one({"name": "Schrödinger"})
        empty = answered(uri, database="nothing")
        assert type(empty) is DatabaseError
        assert "empty" in str(empty.message)
        assert "cats" in str(answered(uri, database="other").message)
        assert "lab" in str(empty.hint)
        connect(uri, database="lab").client.close()


@pytest.mark.mongo
def test_the_address_may_set_the_timeouts_itself(secantusd: MongoServer) -> None:
    uri = f"{secantusd.uri}{'&' if '?' in secantusd.uri else '?'}serverSelectionTimeoutMS=1234"
    lab = secantusd.fresh_database()
    lab["chip"].insert_one({"chip_id": "c1"})
    database = connect(uri, database=lab.name)
    assert database.client.options.server_selection_timeout == pytest.approx(1.234)
    assert isinstance(database, pymongo.database.Database)
    database.client.close()
