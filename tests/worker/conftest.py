"""One worker for all tests that do not end it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.worker import confinement
from qdash_jupyter.worker.isolated import IsolatedWorker
from qdash_jupyter.worker.limits import WorkerLimits
from qdash_jupyter.worker.result import JobResult
from tests.session.conversation import small_demo

Run = Callable[..., JobResult]

LIMITS = WorkerLimits(seconds=60, cpu_seconds=20, memory_mb=300)
"""What code has to keep; what it has to miss is shorter, and given with it."""


SECRETS = {"OPENAI_API_KEY": "sk-canary", "MONGO_URI": "mongodb://canary"}
"""Variables of the process that started the worker."""


@pytest.fixture(scope="session")
def worker() -> Iterator[IsolatedWorker]:
    """It loads its libraries for two seconds of the processor."""
    one = IsolatedWorker(LIMITS)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        one.start()
    yield one
    one.close()


@pytest.fixture
def run(worker: IsolatedWorker) -> Iterator[Run]:
    def run_now(code: str, data: Mapping[str, StoredResult] | None = None, **limits: float) -> JobResult:
        worker.limits = replace(LIMITS, **limits)  # pyrefly: ignore[bad-argument-type]
        return asyncio.run(alone(worker, code, data))

    yield run_now
    worker.limits = LIMITS


async def alone(worker: IsolatedWorker, code: str, data: Mapping[str, StoredResult] | None = None) -> JobResult:
    """What comes of the code in a session of its own."""
    with closing(worker.session(data or {})) as session:
        return await session.run(code)


async def side_by_side(worker: IsolatedWorker, codes: Mapping[str, str]) -> dict[str, JobResult]:
    """The results by the names of the codes."""
    return dict(zip(codes, await asyncio.gather(*(alone(worker, code) for code in codes.values())), strict=True))


def without_wall(patch: pytest.MonkeyPatch) -> None:
    """As on a machine that confines nothing."""
    patch.setattr(confinement, "_has_landlock", lambda: False)
    patch.setattr(confinement, "_bubblewrap_problem", lambda: "bwrap is not installed.")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> str:
    """Workers that load numpy alone beforehand: they start in a third of a second, and end as others do."""
    loads_nothing = (
        "from qdash_jupyter.worker import inside, zygote; zygote._PRELOADED, zygote._PRELOADED_SCIPY = ['numpy'], []; "
        "inside.warm_up = lambda: None; serve(plan)"
    )
    starts = confinement._STARTS.replace("serve(plan)", loads_nothing)
    monkeypatch.setattr(confinement, "_STARTS", starts)
    return starts


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
