"""A snapshot whose manifest somebody has changed: what is wrong is said, whatever it is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.errors import SnapshotError
from tests.session.conversation import small_demo


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_demo(tmp_path_factory.mktemp("taken"))


CHANGES: dict[str, list[Any]] = {
    "as_of": ["never", "", None, 3, "9999-12-31T23:59:59-12:00"],
    "problems": [3, ["text"], [{"collection": "chip"}], [{"colour": "red"}]],
    "format": ["four", None, [4], {}],
}


@pytest.mark.parametrize("change", [{name: value} for name, values in CHANGES.items() for value in values])
def test_a_changed_manifest_is_an_error_of_its_own(taken: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    folder = tmp_path / "snapshot"
    shutil.copytree(taken, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(manifest | change), encoding="utf-8")
    with pytest.raises(SnapshotError, match=r"Can't read .*manifest\.json as the manifest of a snapshot"):
        SnapshotReader(folder)


@pytest.mark.parametrize("content", ['"x"', "[1]", "3", "null", "", "{", "[" * 100_000, '{"format": 1e999}'])
def test_what_is_no_manifest_is_an_error_of_its_own(taken: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(SnapshotError, match=r"Can't read .*manifest\.json"):
        SnapshotReader(tmp_path)
