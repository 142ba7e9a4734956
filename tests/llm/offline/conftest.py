"""Demo chips on disk, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from demo_chip import make_demo

from qdash_jupyter.data.demo import DEMO
from tests.llm.offline.planner_questions import OPENED, Chip, chip_on_disk


@pytest.fixture(scope="session")
def faulty() -> Chip:
    """The demo chip that comes with the package."""
    return Chip(DEMO, make_demo())


@pytest.fixture(scope="session")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """16 qubits; whole chips are asked about in `test_planner_seeds`, at length."""
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "healthy", seed=7, size=16, faults=False)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """16 qubits, and a short history."""
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "small", curves=True, seed=3, size=16, days=20)


@pytest.fixture(autouse=True)
def _closed_again() -> Iterator[None]:
    """Conversations that a test opens, and does not close itself; those of fixtures for several tests stay."""
    before = len(OPENED)
    yield
    while len(OPENED) > before:
        OPENED.pop().close()
