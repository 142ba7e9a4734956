"""What questions about a snapshot cost, and how that grows with ten times the results: time, CPU, peak memory, and what
is read of its files.

The results are those of the demo chip, again and again, each time 90 days older. Each question is asked in a process of
its own, in turn, three times, with everything imported. RESULTS=1000000 takes a million, and minutes to write them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.queries import CurrentQuery, ResultQuery, SeriesQuery
from qdash_jupyter.data.records import ChipRef, TaskResult
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.time_range import TimeRange

MOST = int(os.environ.get("RESULTS", "100000"))
SIZES = (MOST // 10, MOST)
ROUNDS = 3
RESULTS = "task_result_history"
DAYS = timedelta(days=90)


class _Sized(Protocol):
    def __len__(self) -> int: ...


Question = Callable[[SnapshotReader, ChipRef, TaskResult], _Sized]

QUESTIONS: dict[str, Question] = {
    "elements": lambda reader, chip, _: reader.element_ids(chip, "qubit"),
    "current values": lambda reader, chip, _: reader.current_parameters(CurrentQuery(chip, "qubit")),
    "current values of a qubit": lambda reader, chip, _: reader.current_parameters(
        CurrentQuery(chip, "qubit", qids=["7"])
    ),
    "newest value of a qubit": lambda reader, chip, _: reader.parameter_series(
        SeriesQuery(chip, "qubit", "t1", qids=["7"], last_n=1)
    ),
    "newest result of a qubit's task": lambda reader, chip, _: reader.task_results(
        ResultQuery(chip, qid="7", task_name="CheckT1", last_n=1)
    ),
    "series of a qubit": lambda reader, chip, _: reader.parameter_series(SeriesQuery(chip, "qubit", "t1", qids=["7"])),
    "series of the chip": lambda reader, chip, _: reader.parameter_series(SeriesQuery(chip, "qubit", "t1")),
    "its last 30 days": lambda reader, chip, _: reader.parameter_series(
        SeriesQuery(chip, "qubit", "t1", during=TimeRange(reader.now() - timedelta(days=30)))
    ),
    "its last 5 of each qubit": lambda reader, chip, _: reader.parameter_series(
        SeriesQuery(chip, "qubit", "t1", last_n=5)
    ),
    "results of an execution": lambda reader, chip, one: reader.task_results(
        ResultQuery(chip, execution_id=one.execution_id)
    ),
    "result of a task": lambda reader, chip, one: reader.task_results(ResultQuery(chip, task_id=one.task_id)),
    "last 20 results": lambda reader, chip, _: reader.task_results(ResultQuery(chip, last_n=20)),
    "last 20 of a qubit's task": lambda reader, chip, _: reader.task_results(
        ResultQuery(chip, qid="7", task_name="CheckT1", last_n=20)
    ),
    "counts of results": lambda reader, chip, _: reader.result_counts(ResultQuery(chip)),
    "names of parameters": lambda reader, chip, _: reader.parameter_names(chip),
    "notes": lambda reader, chip, _: reader.notes(chip),
}


def results(demo: Path) -> Iterator[dict[str, Any]]:
    """The demo chip's results without an end, the newest first."""
    import pyarrow.parquet as pq

    texts = pq.read_table(demo / f"{RESULTS}.parquet", columns=["document"])["document"].to_pylist()
    for times in count():
        for text in texts:
            result = json.loads(text)
            for record in (result, *result["output_parameters"].values()):
                _make_older(record, times)
            yield result


def _make_older(record: dict[str, Any], times: int) -> None:
    for name in ("_id", "task_id"):
        if record.get(name):
            record[name] += f"-{times}"
    for name in ("start_at", "end_at", "calibrated_at"):
        if record.get(name):
            record[name] = datetime.fromisoformat(record[name]) - times * DAYS
    if execution := record.get("execution_id"):
        day, _, number = execution.partition("-")
        record["execution_id"] = f"{datetime.strptime(day, '%Y%m%d') - times * DAYS:%Y%m%d}-{number}"  # noqa: DTZ007


def write(folder: Path, size: int) -> None:
    """Write the demo chip with so many results."""
    as_of = SnapshotReader(DEMO).now()
    write_snapshot({RESULTS: islice(results(DEMO), size)}, folder, as_of=as_of, source="bench/snapshots.py")
    for path in DEMO.glob("*.parquet"):
        if path.stem != RESULTS:
            shutil.copy(path, folder)


def once(name: str, folder: str) -> None:
    """Ask one question, in this process, and print what it took."""
    for library in ("pandas", "pyarrow.dataset", "pyarrow.parquet"):  # what they cost is not what is compared
        import_module(library)
    reader = SnapshotReader(Path(folder))
    chip, until = reader.chips()[0].ref, reader.now() - timedelta(days=30)
    one = reader.task_results(ResultQuery(chip, during=TimeRange(until - timedelta(days=1), until), last_n=1))[0]
    wall, cpu, read = time.perf_counter(), time.process_time(), bytes_read()
    rows = len(QUESTIONS[name](reader, chip, one))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    read = bytes_read() - read
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024
    print(json.dumps({"rows": rows, "wall": wall, "cpu": cpu, "peak": peak, "read": read}))


def bytes_read() -> int:
    """What this process has read of files and pipes so far."""
    return int(Path("/proc/self/io").read_text(encoding="ascii").split()[1])


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as place:
        folders = {size: Path(place, str(size)) for size in SIZES}
        for size, folder in folders.items():
            write(folder, size)
        took: dict[tuple[str, int], list[dict[str, float]]] = {(name, size): [] for name in QUESTIONS for size in SIZES}
        for _ in range(ROUNDS):
            for (name, size), runs in took.items():
                command = [sys.executable, __file__, name, str(folders[size])]
                runs.append(json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout))
    print(
        f"{'':<32}"
        + "".join(f"{f'{size:,}: rows':>16} {'wall ms':>8} {'CPU ms':>8} {'MB':>6} {'kB read':>8}" for size in SIZES)
    )
    for name in QUESTIONS:
        print(f"{name:<32}" + "".join(_cells(took[name, size]) for size in SIZES))


def _cells(runs: list[dict[str, float]]) -> str:
    rows, wall, cpu, peak, read = (
        median(run[what] for run in runs) for what in ("rows", "wall", "cpu", "peak", "read")
    )
    return f"{rows:>16,.0f} {1000 * wall:>8.0f} {1000 * cpu:>8.0f} {peak:>6.0f} {read / 1000:>8,.0f}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        once(*sys.argv[1:])
    else:
        main()
