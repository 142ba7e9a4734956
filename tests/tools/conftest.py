"""The demo chip behind a toolbox; what is true of it stands in `plain_truth.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from demo_chip import DemoChip, make_demo

from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.tools.chips import ChipScope
from tests.mongo_documents import load_documents
from tests.tools.qdash_documents import SAMPLE_NOW, sample
from tests.tools.toolbench import Tools

AS_OF = datetime(2026, 6, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def demo() -> DemoChip:
    return make_demo(seed=7)


@pytest.fixture(scope="session")
def demo_reader() -> Iterator[SnapshotReader]:
    reader = SnapshotReader(DEMO)
    yield reader
    reader.close()


@pytest.fixture
def tools(demo_reader: SnapshotReader) -> Tools:
    return Tools(demo_reader)


@pytest.fixture
def tools_on(tmp_path: Path) -> Iterator[Callable[..., Tools]]:
    """Tools on a database of these documents."""
    readers: list[SnapshotReader] = []

    def make(documents: Mapping[str, Sequence[dict[str, Any]]], scope: ChipScope | None = None) -> Tools:
        folder = write_snapshot(documents, tmp_path / f"s{len(readers)}", as_of=AS_OF, source="by hand")
        readers.append(SnapshotReader(folder))
        return Tools(readers[-1], scope)

    yield make
    for reader in readers:
        reader.close()


@pytest.fixture(params=["snapshot", pytest.param("mongo", marks=[pytest.mark.mongo, pytest.mark.long])])
def kind(request: pytest.FixtureRequest) -> str:
    """Of reader: a test that asks for it runs with both; `test_both_readers.py` is the quick one of MongoDB."""
    return str(request.param)


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """A reader of a kind on these documents."""
    readers: list[Any] = []

    def make(kind: str, documents: Mapping[str, Sequence[dict[str, Any]]], as_of: datetime = AS_OF) -> Any:
        if kind == "snapshot":
            folder = tmp_path_factory.mktemp("tools") / "snapshot"
            readers.append(SnapshotReader(write_snapshot(documents, folder, as_of=as_of, source="the tests")))
        else:
            database = request.getfixturevalue("secantusd").fresh_database()
            load_documents(documents, database)
            readers.append(MongoReader(database, as_of=as_of))
        return readers[-1]

    yield make
    for reader in readers:
        reader.close()


@pytest.fixture
def tools_of(opened: Callable[..., Any], kind: str) -> Callable[..., Tools]:
    """Tools on a database of these documents, behind both readers."""

    def make(documents: Mapping[str, Sequence[dict[str, Any]]], scope: ChipScope | None = None) -> Tools:
        return Tools(opened(kind, documents), scope)

    return make


@pytest.fixture(scope="session")
def sample_readers(opened: Callable[..., Any]) -> Callable[[str], Any]:
    made: dict[str, Any] = {}

    def make(kind: str) -> Any:
        if kind not in made:
            made[kind] = opened(kind, sample(), SAMPLE_NOW)
        return made[kind]

    return make


@pytest.fixture
def on_sample(sample_readers: Callable[[str], Any], kind: str) -> Callable[[str, str], Tools]:
    """Tools on a chip of the sample that QDash itself wrote, behind both readers."""
    return lambda project_id, chip_id: Tools(sample_readers(kind), ChipScope(project_id, chip_id))
