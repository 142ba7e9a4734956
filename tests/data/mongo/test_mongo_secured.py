"""A server that wants a password and speaks TLS answers as a plain one does, and no secret is shown."""

from __future__ import annotations

import logging
import socketserver
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dns.message
import dns.rdatatype
import dns.resolver
import dns.rrset
import pymongo
import pytest

from qdash_jupyter.data.mongo.address import mongo_address
from qdash_jupyter.data.mongo.connection import _client, connect
from qdash_jupyter.data.mongo.export import export_snapshot
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.errors import DatabaseError, DatabaseUnreachable
from tests.data.mongo.whole_protocol import T1, ask_everything, documents
from tests.mongo_documents import load_documents
from tests.mongo_server import PASSWORD, USER, MongoServer, running
from tests.mongo_tls import Authority
from tests.patience import PATIENCE_S

ESCAPED = "s3cr3t-Pa55%2Fw%40rd"  # PASSWORD, as an address has it
SECRETS = (PASSWORD, ESCAPED, "s3cr3t", "Pa55")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a server keeps: a user, and one chip in `qdash`."""
    folder = str(tmp_path_factory.mktemp("secured"))
    with running(folder) as port, pymongo.MongoClient[Any]("127.0.0.1", port) as client:
        client.admin.command("ping")
        client.admin.command("createUser", USER, pwd=PASSWORD, roles=[{"role": "readAnyDatabase", "db": "admin"}])
        load_documents(documents(), client["qdash"])
    return folder


@pytest.fixture(scope="module")
def plain(secantusd: MongoServer) -> Iterator[MongoReader]:
    """The same documents, without any protection."""
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    reader = MongoReader(secantusd.client()[database.name])
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def address(storage: str, authority: Authority) -> Iterator[str]:
    """Of a server that wants the password and speaks TLS only."""
    with running(storage, "--auth", *authority.server_options("good", "DNS:localhost,IP:127.0.0.1")) as port:
        yield f"mongodb://{USER}:{ESCAPED}@127.0.0.1:{port}/qdash?authSource=admin&tls=true&tlsCAFile={authority.file}"


def as_text(answers: list[Any]) -> list[str]:
    """All but the origin, the clock and the problems' ids, to be compared."""
    return [one.to_csv() if hasattr(one, "to_csv") else repr(one) for one in answers[2:-1]]


def refused(address: str) -> DatabaseError:
    """Why no connection can be made."""
    with pytest.raises(DatabaseUnreachable) as caught:
        connect(address, environ={}, timeout_seconds=2.0)
    shown = "\n".join([repr(caught.value), *traceback.format_exception(caught.value)])
    assert not any(secret in shown for secret in SECRETS)
    assert caught.value.hint
    return caught.value


@pytest.mark.mongo
@pytest.mark.long
def test_all_answers_are_those_of_a_plain_connection(address: str, plain: MongoReader) -> None:
    secured = MongoReader(connect(address, environ={}))
    assert as_text(ask_everything(secured)) == as_text(ask_everything(plain))
    assert len(secured.parameter_series(T1)) == 80
    secured.close()


@pytest.mark.mongo
def test_no_secret_is_shown_or_kept(address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    reader = MongoReader(connect(address, environ={}))
    ask_everything(reader)
    folder = export_snapshot(reader, reader.chips()[0], tmp_path / "taken")
    shown = [caplog.text, repr(reader.origin), repr(SnapshotReader(folder).origin), repr(reader.problems())]
    reader.close()
    chip = SnapshotReader(folder).chips()[0]
    for work in (
        lambda: reader.parameter_series(T1),
        lambda: export_snapshot(reader, chip, tmp_path / "never"),
    ):
        with pytest.raises(DatabaseError) as caught:
            work()
        shown += [*traceback.format_exception(caught.value), repr(caught.value)]
    assert "127.0.0.1" in "".join(shown)
    assert not any(secret in text for secret in SECRETS for text in shown)
    kept = [path.read_bytes() for path in folder.iterdir()]
    assert any(b"MongoDB 127.0.0.1" in content for content in kept)
    assert not any(secret.encode() in content for secret in (*SECRETS, USER) for content in kept)


@pytest.mark.mongo
def test_an_authority_that_is_not_known_is_named(address: str, tmp_path: Path, authority: Authority) -> None:
    other = Authority(tmp_path)
    for trusts_another in (address.partition("&tlsCAFile")[0], address.replace(str(authority.file), str(other.file))):
        error = refused(trusts_another)
        assert "unknown authority" in str(error.message)
        assert "tlsCAFile" in str(error.hint)


@pytest.mark.mongo
def test_tls_that_is_not_asked_for_is_suggested(address: str) -> None:
    assert "tls=true" in str(refused(address.replace("tls=true", "tls=false").partition("&tlsCAFile")[0]).hint)


@pytest.mark.mongo
@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "days", "cause"),
    [("DNS:localhost,IP:127.0.0.1", -1, "expired"), ("DNS:mongo.lab.example", 2, "another host name")],
)
def test_a_bad_certificate_is_told(authority: Authority, names: str, days: int, cause: str) -> None:
    with running(":memory:", *authority.server_options("bad", names, days=days)) as port:
        for host in ("127.0.0.1", "localhost"):
            error = refused(f"mongodb://{host}:{port}/qdash?tls=true&tlsCAFile={authority.file}")
            assert cause in str(error.message)


@pytest.mark.mongo
@pytest.mark.long
def test_a_replica_set_answers_to_its_name_only() -> None:
    with running(":memory:") as port:
        where = f"mongodb://{USER}:{ESCAPED}@127.0.0.1:{port}/qdash"
        wrong = refused(f"{where}?replicaSet=rs9")
        assert "replica set in the address" in str(wrong.message)
        assert "replicaSet" in str(wrong.hint)
        nobody = refused(f"mongodb://127.0.0.1:{port}/qdash?replicaSet=secantus&readPreference=secondary")
        assert "readPreference" in str(nobody.message)


def test_the_options_of_an_address_reach_the_driver() -> None:
    options = "replicaSet=rs0&readPreference=secondaryPreferred&readConcernLevel=majority&retryReads=false"
    address = mongo_address(f"mongodb://a:1,b:2/qdash?{options}", None, {})
    assert address is not None
    client = _client(address, 3.0)
    assert client.options.replica_set_name == "rs0"
    assert client.options.read_preference == pymongo.ReadPreference.SECONDARY_PREFERRED
    assert client.options.read_concern.level == "majority"
    assert client.options.retry_reads is False
    assert client.topology_description.server_descriptions().keys() == {("a", 1), ("b", 2)}
    client.close()


def test_a_service_name_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    records = {
        "_mongodb._tcp.cluster.lab.invalid. SRV": ["0 0 27018 one.lab.invalid.", "0 0 27019 two.lab.invalid."],
        "cluster.lab.invalid. TXT": ['"replicaSet=rs0&authSource=admin"'],
    }
    with name_server(records) as resolver:
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        uri = f"mongodb+srv://{USER}:{ESCAPED}@cluster.lab.invalid/qdash?readPreference=nearest"
        address = mongo_address(uri, None, {})
        assert address is not None
        client = _client(address, 0.2)
        hosts = client.topology_description.server_descriptions().keys()
        assert hosts == {("one.lab.invalid", 27018), ("two.lab.invalid", 27019)}
        assert client.options.replica_set_name == "rs0"
        assert client.options.read_preference == pymongo.ReadPreference.NEAREST
        assert client.options.pool_options._ssl_context is not None
        assert not any(secret in repr(client) for secret in SECRETS)
        client.close()


@contextmanager
def name_server(records: dict[str, list[str]]) -> Iterator[dns.resolver.Resolver]:
    """A resolver that asks a server of ours, which knows these records only."""

    class Answers(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            data, socket = self.request
            query = dns.message.from_wire(data)
            asked = query.question[0]
            reply = dns.message.make_response(query)
            kind = dns.rdatatype.to_text(asked.rdtype)
            if found := records.get(f"{asked.name} {kind}"):
                reply.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *found))
            socket.sendto(reply.to_wire(), self.client_address)

    with socketserver.UDPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.server_address[1]
        yield resolver
        server.shutdown()
        thread.join(PATIENCE_S)
