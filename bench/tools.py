"""Each tool's time on chips of 64, 144 and 1,024 qubits with 90 days of results, and the start of a reader.

The chips are made once and kept in the user's cache, which takes two minutes more. MONGO="64 144" also asks the tests'
server about chips of these sizes, each tool once: that server is slow, and takes four minutes for 64 qubits.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from demo_chip import AS_OF, make_demo
from demo_chip.snapshot import DEMO_SEED, write_demo_snapshot
from platformdirs import user_cache_path

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import SNAPSHOT_FORMAT

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.tools.toolbench import Tools

SIZES = (64, 144, 1024)
QUARTER, WEEK = ((AS_OF - timedelta(days=days)).isoformat() for days in (90, 7))
ROUNDS = 5
STARTS = 3

Times = dict[str, tuple[float, float]]
"""By tool: CPU time of this process and wall time, ms."""


def chip_folder(size: int) -> Path:
    """The snapshot of a chip with 90 days of results."""
    place = user_cache_path("qdash-jupyter") / f"bench-{SNAPSHOT_FORMAT}-{size}"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".bench-", dir=place.parent) as fresh:
            write_demo_snapshot(Path(fresh, "chip"), seed=DEMO_SEED, size=size).rename(place)
    return place


def open_reader(where: str) -> QDashReader:
    """A reader of a MongoDB address or of a folder."""
    if not where.startswith("mongodb://"):
        return SnapshotReader(Path(where))
    import pymongo

    from qdash_jupyter.data.mongo.reader import MongoReader

    # With the tests' server, which is slow, the usual limits would be too short.
    return MongoReader(pymongo.MongoClient(where, tz_aware=True).get_default_database(), query_seconds=600)


def calls(tools: Tools) -> dict[str, dict[str, Any]]:
    """One call of each tool, as wide as somebody would ask; those of one element are of the first that has a T1."""
    series = tools.result("get_chip_parameter_timeseries", parameter_name="t1")
    qids = list(tools.store[str(series.frame_key)].frame["qid"].unique())
    pair = tools.store[str(tools.result("generate_chip_heatmap", metric_name="zx90_gate_fidelity").frame_key)].frame
    lineage = tools.result("get_parameter_lineage", parameter_name="t1", qid=qids[0])
    entity = tools.store[str(lineage.frame_key)].frame["entity_id"].iloc[0]
    one: dict[str, Any] = {"qid": qids[0]}
    return {
        "get_chip_topology": {},
        "list_available_parameters": {},
        "get_chip_summary": {},
        "get_chip_parameter_timeseries": {"parameter_name": "t1", "since": QUARTER},
        "generate_chip_heatmap": {"metric_name": "t1"},
        "search_task_results": {"status": "failed", "since": WEEK},
        "get_execution_history": {"since": QUARTER},
        "get_calibration_notes": {"last_n": 1},
        "search_notes": {},
        "compare_qubits": {"qids": qids[:20]},
        "get_qubit_params": one,
        "get_coupling_params": {"coupling_id": pair["qid"].iloc[0]},
        "get_parameter_timeseries": one | {"parameter_name": "t1", "since": QUARTER},
        "get_latest_task_result": one | {"task_name": "CheckT1"},
        "get_task_history": one | {"task_name": "CheckT1", "last_n": 50},
        "get_parameter_lineage": one | {"parameter_name": "t1"},
        "get_provenance_lineage_graph": {"entity_id": entity},
    }


def timed(where: str, rounds: int) -> Times:
    """Each tool's times, medians of `rounds` calls."""
    reader = open_reader(where)
    tools = Tools(reader)
    asked = calls(tools)
    took: dict[str, list[tuple[float, float]]] = {name: [] for name in asked}
    for _ in range(rounds):
        for name, arguments in asked.items():
            wall, cpu = time.perf_counter(), time.process_time()
            result = tools.result(name, **arguments)
            took[name].append(((time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3))
            if result.failure is not None:
                raise RuntimeError(f"{name}: {result.content}")
    reader.close()
    return {name: (median(cpu for cpu, _ in runs), median(wall for _, wall in runs)) for name, runs in took.items()}


def started(where: str) -> None:
    """From nothing to the first table, in this fresh process, and once more with a new reader: prints both, in ms."""
    took = []
    for _ in range(2):
        begin = time.perf_counter()
        reader = open_reader(where)
        if Tools(reader).result("get_chip_summary").failure is not None:
            raise RuntimeError(where)
        took.append((time.perf_counter() - begin) * 1e3)
        reader.close()
    print(json.dumps(took))


def show_starts(places: dict[str, str]) -> None:
    """Cold and warm start of each reader."""
    print(f"\n{'open, and a chip summary, ms':<32} {'cold':>8} {'warm':>8} {'warm of cold':>13}")
    for name, where in places.items():
        command = [sys.executable, __file__, where]
        runs = [json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(STARTS)]
        cold, warm = (median(run[place] for run in runs) for place in range(2))
        print(f"{name:<32} {cold:>8.0f} {warm:>8.0f} {warm / cold:>13.2f}")


@contextmanager
def mongo(size: int) -> Iterator[str]:
    """The address of a server that holds the demo chip of that size."""
    import pymongo

    from tests.mongo_documents import load_documents
    from tests.mongo_server import running

    with tempfile.TemporaryDirectory() as place, running(place) as port:
        uri = f"mongodb://127.0.0.1:{port}/qdash"
        with pymongo.MongoClient[Any](uri) as client:
            load_documents(make_demo(size=size).documents, client["qdash"])
        yield uri


def main() -> None:
    """Print the tables."""
    folders = {size: str(chip_folder(size)) for size in SIZES}
    times = {size: timed(folder, ROUNDS) for size, folder in folders.items()}
    first, last = SIZES[0], SIZES[-1]
    print(f"CPU ms, median of {ROUNDS}; {last:,} qubits are {last // first} × {first}")
    print(f"{'tool, 90 days, snapshot':<32}" + "".join(f" {size:>8,}" for size in SIZES) + f" {'growth':>8}")
    for name in times[first]:
        cpus = {size: times[size][name][0] for size in SIZES}
        print(f"{name:<32}" + "".join(f" {one:>8.1f}" for one in cpus.values()) + f" {cpus[last] / cpus[first]:>8.1f}")
    show_starts({f"snapshot, {size:,} qubits": folder for size, folder in folders.items()})
    for size in map(int, os.environ.get("MONGO", "").split()):
        with mongo(size) as uri:
            title = f"tool, 90 days, {size} qubits, ms"
            print(f"\n{title:<32} {'CPU':>8} {'of snapshot':>12} {'wall':>8} {'of snapshot':>12}")
            for name, (cpu, wall) in timed(uri, 1).items():
                cpu_before, wall_before = times[size][name]
                print(f"{name:<32} {cpu:>8.1f} {cpu / cpu_before:>12.1f} {wall:>8.1f} {wall / wall_before:>12.1f}")
            show_starts({f"MongoDB, {size} qubits": uri})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        started(*sys.argv[1:])
    else:
        main()
