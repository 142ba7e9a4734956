from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.session.conversation import open_shell, small_demo, without_settings
from tests.tool_sets.web import Web, web


@pytest.fixture
def lab() -> Iterator[Web]:
    with web() as made:
        yield made


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo chip of 16 qubits, 40 days."""
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    without_settings(monkeypatch, tmp_path)
    with open_shell() as opened:
        yield opened
