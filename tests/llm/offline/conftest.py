"""Demo chips on disk, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.llm.offline.planner_questions import OPENED, Chip, chip_on_disk


@pytest.fixture(scope="session")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """The default demo chip: the first test that wants it pays three processor seconds, and each question to it as
    much again as one to the small chip.
    """
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "faulty", seed=7)


@pytest.fixture(scope="session")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """16 qubits; whole chips are asked about in `test_planner_seeds`, at length."""
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "healthy", seed=7, size=16, faults=False)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Chip:
    """16 qubits, and a short history."""
    return chip_on_disk(tmp_path_factory.mktemp("chips") / "small", seed=3, size=16, days=20)


@pytest.fixture(autouse=True)
def _closed_again() -> Iterator[None]:
    """Conversations that a test opens, and does not close itself; those of fixtures for several tests stay."""
    before = len(OPENED)
    yield
    while len(OPENED) > before:
        OPENED.pop().close()
