"""One kernel for all tests of this folder that do not need one of their own, and one small chip."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qdash_jupyter.ui.magics import CopilotMagics
from tests.session.conversation import open_shell, small_demo, without_settings
from tests.ui.in_app import PanelOfApp, panel_of_app
from tests.ui.kernel import Kernel, as_new, kernel


@pytest.fixture(scope="session")
def warm_kernel() -> Iterator[Kernel]:
    """For `as_new`."""
    with kernel() as running:
        yield running


@pytest.fixture(scope="module")
def demo_kernel(warm_kernel: Kernel) -> Iterator[Kernel]:
    """A kernel on the demo chip, with the extension loaded."""
    with as_new(warm_kernel) as loaded:
        loaded.run("%load_ext qdash_jupyter")
        yield loaded


@pytest.fixture(scope="session")
def demo16(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo chip of 16 qubits, 40 days."""
    return small_demo(tmp_path_factory.mktemp("demo16"))


@pytest.fixture
def app_panel(tmp_path: Path, demo16: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PanelOfApp]:
    with panel_of_app(tmp_path, demo16, monkeypatch) as panel:
        yield panel


@pytest.fixture
def magics(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[CopilotMagics]:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(small_demo(tmp_path)))
    with open_shell() as shell:
        made = CopilotMagics(shell)
        yield made
        made.close()
