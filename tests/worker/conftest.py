"""A worker with short limits, one for all tests of a file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits
from qdash_jupyter.worker.result import JobResult
from tests.session.conversation import small_demo

Run = Callable[..., JobResult]

LIMITS = WorkerLimits(seconds=3, cpu_seconds=2, memory_mb=300)


@pytest.fixture(scope="module")
def worker() -> Iterator[IsolatedWorker]:
    one = IsolatedWorker(LIMITS)
    one.start()
    yield one
    one.close()


@pytest.fixture
def run(worker: IsolatedWorker) -> Run:
    def run_now(code: str, data: Mapping[str, StoredResult] | None = None) -> JobResult:
        return asyncio.run(worker.run(code, data or {}))

    return run_now


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo chip of 16 qubits, 40 days."""
    return small_demo(tmp_path_factory.mktemp("demo16"))


def stored(key: str = "t1", rows: int = 3, **scalars: Any) -> StoredResult:
    times = pd.date_range("2026-01-01", periods=rows, freq="h", tz="UTC")
    values = [float("nan") if row == 1 else 50.0 + row for row in range(rows)]
    table = pd.DataFrame({"qid": [str(row % 3) for row in range(rows)], "t": times, "v": values})
    source = FrameSource("get_chip_parameter_timeseries", {"parameter_name": key})
    values_of = {"timeseries": table, "unit": "us", "parameter_name": key, "as_of": times[-1], **scalars}
    return StoredResult(
        key, values_of, main="timeseries", units={"v": "us"}, source=source, fetched_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
