"""One service for a module's tests, with a model whose script each test writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scripted_server import ScriptedServer
from tests.server.served import Served, scripted, served
from tests.session.conversation import small_demo


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_demo(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="module")
def running_model() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def model(running_model: ScriptedServer) -> ScriptedServer:
    running_model.forget()
    running_model.requests.clear()
    return running_model


@pytest.fixture(scope="module")
def service(
    running_model: ScriptedServer, snapshot: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """It starts in two seconds: pandas, the SDK and Jupyter Server are imported."""
    settings = scripted(running_model.base_url, accepts=["image/*"])
    with served(tmp_path_factory.mktemp("served"), "--snapshot", str(snapshot), settings=settings) as running:
        yield running
