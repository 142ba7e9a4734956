from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.session.conversation import open_shell, small_demo, without_settings
from tests.session.trial_chip import write_trial_chip


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo chip of 16 qubits, 40 days."""
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture(scope="session")
def trial_chip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chip of the trial, all faults planted. Making it takes some four seconds, once for both files about it."""
    return write_trial_chip(tmp_path_factory.mktemp("trial") / "snapshot")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    without_settings(monkeypatch, tmp_path)
    with open_shell() as opened:
        yield opened


@pytest.fixture(autouse=True)
def _interrupts_arrive() -> Iterator[None]:
    """Python's own handler of SIGINT: started by a shell in the background, pytest would inherit that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
