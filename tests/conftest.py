"""Fixtures of all tests."""

from pathlib import Path

import pytest

pytest_plugins = ["tests.mongo_server"]


@pytest.fixture(autouse=True)
def _no_memory_of_servers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test's server taught is not known to the next, which may get the same port."""
    file: list[Path] = []

    def capabilities_file() -> Path:
        if not file:
            file.append(tmp_path_factory.mktemp("cache") / "model-servers.json")
        return file[0]

    monkeypatch.setattr("qdash_jupyter.llm.openai_server.capabilities.capabilities_file", capabilities_file)
