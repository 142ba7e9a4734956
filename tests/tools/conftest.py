"""The demo chip behind a toolbox; what is true of it stands in `plain_truth.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from toolbench import Tools

from qdash_jupyter.data.demo import DemoChip, make_demo
from qdash_jupyter.data.demo.cache import write_demo_snapshot
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.tools.chips import ChipScope

AS_OF = datetime(2026, 6, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def demo() -> DemoChip:
    return make_demo(seed=7)


@pytest.fixture(scope="session")
def demo_reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SnapshotReader]:
    reader = SnapshotReader(write_demo_snapshot(tmp_path_factory.mktemp("demo-tools"), seed=7))
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
