"""What the isolated worker costs: its cold start, the start of a job with and without data, and the way back.

Goal: a job's code begins at most 300 ms after it was asked for, with 50 MB of data, too. Compared with a process that
is begun for each job and imports pandas.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np
import pandas as pd

from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.worker.confinement import why_unconfined
from qdash_jupyter.worker.isolated import IsolatedWorker

JOBS = 40
GOAL_MS = 300
CODE = "import time\nprint(time.monotonic())"


def stored(megabytes: int) -> StoredResult:
    """A series of about so many megabytes: text, times and numbers."""
    rows = max(1, megabytes * 1_000_000 // 34)
    numbers = np.random.default_rng(0).normal(60, 5, (2, rows))
    table = pd.DataFrame(
        {
            "qid": pd.Series([str(row % 144) for row in range(rows)]),
            "t": pd.date_range("2026-01-01", periods=rows, freq="s", tz="UTC"),
            "v": numbers[0],
            "error": numbers[1],
        }
    )
    values = {"timeseries": table, "unit": "us"}
    source = FrameSource("get_chip_parameter_timeseries", {})
    return StoredResult("t1", values, main="timeseries", units={"v": "us"}, source=source, fetched_at=datetime.now(UTC))


def measured(worker: IsolatedWorker, data: Mapping[str, StoredResult]) -> tuple[list[float], list[float]]:
    """Milliseconds until the code begins, and until its result is there, of each job."""
    begins, ends = [], []

    async def jobs() -> None:
        for _ in range(JOBS):
            asked = time.monotonic()
            result = await worker.run(CODE, data)
            ends.append(1000 * (time.monotonic() - asked))
            begins.append(1000 * (float(result.output) - asked))

    asyncio.run(jobs())
    return begins, ends


def main() -> None:
    """Print the figures."""
    if why := why_unconfined():
        print(f"no worker here: {why}")
        return
    colds = []
    for _ in range(3):
        worker = IsolatedWorker()
        began = time.monotonic()
        worker.start()
        colds.append(1000 * (time.monotonic() - began))
        worker.close()
    imports = []
    for _ in range(3):
        began = time.monotonic()
        subprocess.run([sys.executable, "-I", "-c", "import pandas, plotly.express, scipy.stats"], check=True)
        imports.append(1000 * (time.monotonic() - began))
    plain = statistics.median(imports)
    print(f"cold start, self-test included: {statistics.median(colds):.0f} ms (worst {max(colds):.0f})")
    print(f"a process that imports the same libraries: {plain:.0f} ms")
    worker = IsolatedWorker()
    worker.start()
    for megabytes in (0, 50):
        data = {"t1": stored(megabytes)} if megabytes else {}
        size = sum(table.memory for result in data.values() for table in result.stored_tables.values()) / 1e6
        begins, ends = measured(worker, data)
        middle, worst = statistics.median(begins), max(begins)
        print(
            f"{size:.0f} MB: code begins after {middle:.1f} ms (worst {worst:.1f}; {middle / plain:.3f} of that), "
            f"its result is there after {statistics.median(ends):.1f} (worst {max(ends):.1f}); "
            f"goal {GOAL_MS} ms {'met' if worst <= GOAL_MS else 'NOT MET'}"
        )
    worker.close()


if __name__ == "__main__":
    main()
