"""Fixtures of all tests."""

import gc
import os
from pathlib import Path

import pytest

from qdash_jupyter.config import disk, mask
from qdash_jupyter.messages import languages

os.environ["LC_ALL"] = "C.UTF-8"  # whatever the developer reads

# Looking for unreachable objects after every 700 new ones is a sixteenth of a run.
gc.set_threshold(200_000, 20, 100)

pytest_plugins = ["tests.mongo_server", "tests.processor_time"]

REPEATED = frozenset(Path(__file__).with_name("repeated.txt").read_text(encoding="utf-8").splitlines())
"""Expensive tests whose lines others run as well, as `scripts/repeated.py` measured."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are left to `make long`."""
    for item in items:
        if item.nodeid in REPEATED:
            item.add_marker("long")


@pytest.fixture(autouse=True)
def _no_memory_of_servers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test's server taught is not known to the next, which may get the same port."""
    file: list[Path] = []

    def capabilities_file() -> Path:
        if not file:
            file.append(tmp_path_factory.mktemp("cache") / "model-servers.json")
        return file[0]

    monkeypatch.setattr("qdash_jupyter.llm.openai_server.capabilities.capabilities_file", capabilities_file)


@pytest.fixture(autouse=True)
def _no_memory_of_secrets_and_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that a test typed are not masked in the next one, and a disk that was full is not any more."""
    monkeypatch.setattr(mask, "_noted", set(mask._noted))
    monkeypatch.setattr(mask, "_variables", set(mask._variables))
    monkeypatch.setattr(disk, "_not_kept", {})


@pytest.fixture(autouse=True)
def _no_memory_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The language that one test's page has said is not that of the next one."""
    monkeypatch.setattr(languages, "_pages", [])
