"""One service for all tests, with a model whose script each test writes; and forked ones for settings of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from tests.scripted_server import ScriptedServer
from tests.server.served import Served, scripted, served
from tests.server.warm import WarmProcess
from tests.session.conversation import small_demo

Forks = Callable[..., AbstractContextManager[Served]]
"""`served`, forked."""


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_demo(tmp_path_factory.mktemp("service"))


@pytest.fixture(scope="session")
def warm() -> Iterator[WarmProcess]:
    process = WarmProcess()
    yield process
    process.close()


@pytest.fixture(scope="session")
def forked(warm: WarmProcess) -> Forks:
    return partial(served, warm=warm)


@pytest.fixture(scope="session")
def running_model() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def model(running_model: ScriptedServer) -> ScriptedServer:
    running_model.forget()
    running_model.requests.clear()
    return running_model


@pytest.fixture(scope="session")
def service(
    running_model: ScriptedServer, snapshot: Path, tmp_path_factory: pytest.TempPathFactory, forked: Forks
) -> Iterator[Served]:
    settings = scripted(running_model.base_url, accepts=["image/*"])
    with forked(tmp_path_factory.mktemp("served"), "--snapshot", str(snapshot), settings=settings) as running:
        yield running
