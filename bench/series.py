"""Many measurements to a DataFrame: the client's CPU and memory, against the ways one would write first.

Each way runs in a process of its own, in turn, three times, with everything imported. POINTS=1000000 takes a million,
each way once: the tests' server takes some 2 minutes for each reading, and 4 before that to be filled.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import pymongo

from qdash_jupyter.data.mongo.export import export_snapshot
from qdash_jupyter.data.mongo.pipelines import Dates, measured, with_ids
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.snapshot import SnapshotReader
from tests.mongo_documents import index_model

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.mongo_server import running

MILLION = 1_000_000
POINTS = int(os.environ.get("POINTS", "100000"))
QUBITS = 144
CHIP = ChipRef("bench", "144Q-bench")
START = datetime(2026, 1, 1, tzinfo=UTC)
ROUNDS = 1 if POINTS >= MILLION else 3
PARAMETER = "t1"
NUMBERS = {"v": "value", "error": "error", "unit": "unit"}
QUERY = SeriesQuery(CHIP, "qubit", PARAMETER)


def documents() -> Iterator[dict[str, Any]]:
    """Clean results in QDash's shape, without the fields that no series reads."""
    for number in range(POINTS):
        start = START + timedelta(seconds=number)
        execution, task = f"20260101-{number // 1000:03d}", f"{number:08x}-0000-4000-8000-{number:012x}"
        record = {
            "value": 60 + number % 997 / 50,
            "error": 1.5,
            "unit": "μs",
            "calibrated_at": start,
            "execution_id": execution,
            "task_id": task,
        }
        yield {
            "project_id": CHIP.project_id,
            "chip_id": CHIP.chip_id,
            "task_id": task,
            "name": "CheckT1",
            "status": "completed",
            "qid": str(number % QUBITS),
            "execution_id": execution,
            "start_at": start,
            "end_at": start + timedelta(seconds=9),
            "output_parameters": {PARAMETER: record},
            "excluded": False,
        }


def projection() -> dict[str, Any]:
    """What the server makes pymongoarrow's columns of."""
    record = f"$output_parameters.{PARAMETER}"
    texts = {"qid": "$qid", "task_name": "$name", "execution_id": "$execution_id", "task_id": "$task_id"}
    return {"_id": 0, **texts, "t": "$start_at", **{name: f"{record}.{field}" for name, field in NUMBERS.items()}}


def naive(uri: str, _: str) -> int:
    """`DataFrame(list(find()))` with the same filter and fields."""
    import pandas as pd

    fields = dict.fromkeys(("qid", "start_at", "name", "execution_id", "task_id", f"output_parameters.{PARAMETER}"), 1)
    return len(pd.DataFrame(list(_client(uri)["task_result_history"].find(_filter(), fields | {"_id": 0}))))


def arrow_alone(uri: str, _: str) -> int:
    """The library alone, with the same filter and columns, and nothing after it."""
    import pyarrow as pa
    from pymongoarrow.api import Schema, find_arrow_all

    columns = dict.fromkeys(("qid", "task_name", "execution_id", "task_id", "unit"), pa.string())
    columns |= {"t": pa.timestamp("ms", tz="UTC"), "v": pa.float64(), "error": pa.float64()}
    results = _client(uri)["task_result_history"]
    table = find_arrow_all(results, _filter(), schema=Schema(columns), projection=projection())
    return len(table.to_pandas())


def ours(uri: str, _: str) -> int:
    """`MongoReader.parameter_series`."""
    return len(MongoReader(_client(uri), query_seconds=3600).parameter_series(QUERY))


def snapshot(_: str, folder: str) -> int:
    """`SnapshotReader.parameter_series` on a snapshot of the same documents."""
    return len(SnapshotReader(Path(folder)).parameter_series(QUERY))


WAYS: dict[str, Callable[[str, str], int]] = {
    "DataFrame(list(find()))": naive,
    "pymongoarrow alone": arrow_alone,
    "MongoReader": ours,
    "SnapshotReader": snapshot,
}


def _client(uri: str) -> Any:
    return pymongo.MongoClient(uri, tz_aware=True)["qdash"]


def _filter() -> dict[str, Any]:
    scope = {"project_id": CHIP.project_id, "chip_id": CHIP.chip_id}
    return measured(scope, QUERY, Dates(datetime.now(UTC)), with_ids(QUERY.qids))


def once(name: str, uri: str, folder: str) -> None:
    """One way, in this process: prints what it took."""
    for library in ("pandas", "pyarrow.dataset", "pymongoarrow.api"):  # what they cost is not what is compared
        import_module(library)
    wall, cpu = time.perf_counter(), time.process_time()
    rows = WAYS[name](uri, folder)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(json.dumps({"rows": rows, "cpu": cpu, "wall": wall, "peak": _peak_mb()}))


def _peak_mb() -> float:
    try:  # what `getrusage` says begins with the peak of the process that started this one
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as place, running(str(Path(place, "db"))) as port:
        uri = f"mongodb://127.0.0.1:{port}/"
        database = _client(uri)
        database["chip"].insert_one({"project_id": CHIP.project_id, "chip_id": CHIP.chip_id, "size": QUBITS})
        rows = documents()
        while batch := list(islice(rows, 5000)):
            database["task_result_history"].insert_many(batch, ordered=False)
        database["task_result_history"].create_indexes([index_model("project_id chip_id -start_at")])
        folder = str(Path(place, "snapshot"))
        reader = MongoReader(database, query_seconds=3600)
        export_snapshot(reader, reader.chips()[0], Path(folder))
        took: dict[str, list[dict[str, float]]] = {name: [] for name in WAYS}
        for _ in range(ROUNDS):
            for name, runs in took.items():
                command = [sys.executable, __file__, name, uri, folder]
                runs.append(json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    floor = {name: median(run["cpu"] for run in runs) for name, runs in took.items()}
    print(f"{POINTS:,} points of {QUBITS} qubits, median of {ROUNDS}")
    print(f"{'':<26} {'client CPU s':>12} {'wall s':>8} {'peak MB':>8} {'of naive':>9} {'of pymongoarrow':>16}")
    for name, runs in took.items():
        if any(run["rows"] != POINTS for run in runs):
            raise RuntimeError(f"{name} gave other rows: {runs}")
        wall, peak = (median(run[what] for run in runs) for what in ("wall", "peak"))
        ratios = floor[name] / floor["DataFrame(list(find()))"], floor[name] / floor["pymongoarrow alone"]
        print(f"{name:<26} {floor[name]:>12.2f} {wall:>8.1f} {peak:>8.0f} {ratios[0]:>9.2f} {ratios[1]:>16.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        once(*sys.argv[1:])
    else:
        main()
