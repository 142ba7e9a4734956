"""A reader of a kind over a set of documents, for both suites; each set is written once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from tests.data.conformance.cases import documents_of
from tests.data.conformance.documents import AS_OF
from tests.mongo_documents import load_documents

ROWS_OF_A_GROUP, ROWS_OF_A_PAGE = 40, 3  # so that files have several


@pytest.fixture(scope="package")
def new_reader(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Callable[[str, str], Any]:
    """Makes a reader of a kind over a set of documents."""
    places: dict[tuple[str, str], Any] = {}

    def make(kind: str, name: str) -> Any:
        if kind == "snapshot":
            if (kind, name) not in places:
                folder = tmp_path_factory.mktemp("snapshot") / name
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr("qdash_jupyter.data.snapshot_writer._GROUP", ROWS_OF_A_GROUP)
                    places[kind, name] = write_snapshot(documents_of(name), folder, as_of=AS_OF, source="the tests")
            return SnapshotReader(places[kind, name])
        server = request.getfixturevalue("secantusd")
        if (kind, name) not in places:
            places[kind, name] = server.fresh_database()
            load_documents(documents_of(name), places[kind, name])
        return MongoReader(server.client()[places[kind, name].name], as_of=AS_OF)

    return make


@pytest.fixture
def reader(
    new_reader: Callable[[str, str], Any], kind: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    monkeypatch.setattr("qdash_jupyter.data.collection_file._PAGE", ROWS_OF_A_PAGE)
    reader = new_reader(kind, name)
    yield reader
    reader.close()
