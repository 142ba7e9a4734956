"""What a call costs where ever more results are stored and the answer stays the same: 10^4, 10^5 and 10^6 task results.

What is stored before the demo chip's results are copies of them, each further back. A snapshot's are written as whole
columns. MongoDB is the server of QDASH_MONGO_URI_FOR_TESTS. The tests' own, which stands in for it, would need half an
hour for 10^6: it is asked about 10^4 and 3·10^4, or as many as STORED names. A call grows with what is stored when it
takes more than twice as long with a hundred times as much, the root of that with ten times as much.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from math import log10
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pymongo
from demo_chip import AS_OF, DemoChip, make_demo
from mongo_tools import PATIENCE_S, database_of, server

from qdash_jupyter.data.documents import SHAPES
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import collection_writer, in_order, write_snapshot
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.toolbox import Toolbox

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.mongo_server import real_server
from tests.tools.toolbench import Tools

DAYS = 15
SIZES = (10_000, 100_000, 1_000_000)
STAND_IN_SIZES = tuple(map(int, os.environ.get("STORED", "10000 30000").split()))
ROUNDS = 3
TWICE = 2.0
RESULTS = "task_result_history"
WEEK = (AS_OF - timedelta(days=7)).isoformat()

Times = dict[str, float]
"""By call, ms."""


def calls(qid: str) -> list[tuple[str, dict[str, Any]]]:
    """Calls whose answers lie in the newest results, however many there are before them."""
    one = {"qid": qid}
    return [
        ("get_chip_summary", {}),
        ("get_qubit_params", one),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": WEEK}),
        ("get_parameter_timeseries", one | {"parameter_name": "t1", "since": WEEK}),
        ("generate_chip_heatmap", {"metric_name": "t1", "since": WEEK}),
        ("get_latest_task_result", one | {"task_name": "CheckT1"}),
        ("get_task_history", one | {"task_name": "CheckT1"}),
        ("search_task_results", {"status": "failed", "since": WEEK}),
        ("get_execution_history", {}),
        ("get_parameter_lineage", one | {"parameter_name": "t1"}),
    ]


def snapshot_of(folder: Path, stored: int) -> None:
    """Put copies of a snapshot's results behind them, as they stand newest first, until so many are `stored`."""
    path = folder / f"{RESULTS}.parquet"
    newest = pq.read_table(path)
    copies = range(-(-stored // len(newest)))
    with collection_writer(RESULTS, path.with_suffix(".grown")) as file:
        for rows in in_order(SHAPES[RESULTS], (earlier(newest, copy) if copy else newest for copy in copies)):
            file.write_table(rows)
    path.with_suffix(".grown").replace(path)


def earlier(table: pa.Table, copy: int) -> pa.Table:
    """The same results `copy` times as long ago, under ids of their own. Their documents are not opened."""
    back = timedelta(days=copy * DAYS)
    made = {name: pc.subtract(table[name], pa.scalar(back, pa.duration("ms"))) for name in ("start_at", "end_at")}
    made |= {name: pc.binary_join_element_wise(table[name], str(copy), "/") for name in ("_id", "task_id")}
    made |= {"rank": pc.subtract(table["rank"], back.total_seconds())}
    made |= {"excluded": pa.repeat(pa.scalar(value=False), len(table))}
    columns = [made.get(field.name, table[field.name]) for field in table.schema]
    return pa.table(
        [pc.cast(column, field.type) for column, field in zip(columns, table.schema, strict=True)], table.schema
    )


def documents_of(chip: DemoChip, copy: int) -> Iterator[dict[str, Any]]:
    """The chip's results so many times as long ago, under ids of their own."""
    back = timedelta(days=copy * DAYS)
    for one in chip.documents[RESULTS]:
        times = {name: None if one[name] is None else one[name] - back for name in ("start_at", "end_at")}
        kept = {name: value for name, value in one.items() if name != "_id"}
        yield kept | times | {"task_id": f"{one['task_id']}/{copy}", "excluded": False}


def timed(reader: QDashReader, qid: str) -> Times:
    """Each call's time, the chip known beforehand."""
    tools = Tools(reader)
    tools.toolbox = Toolbox(BUILTIN_TOOLS, tools.toolbox.context, timeout_s=PATIENCE_S)
    found: Times = {}
    for tool, arguments in calls(qid):
        took = []
        for _ in range(ROUNDS + 1):
            begin = time.perf_counter()
            result = tools.result(tool, **arguments)
            took.append((time.perf_counter() - begin) * 1e3)
            if result.failure is not None:
                raise RuntimeError(f"{tool}: {result.content}")
        found[tool] = median(took[1:])
    reader.close()
    return found


def show(title: str, times: dict[int, Times]) -> None:
    """Print the table and, for each call, whether it grows with what is stored."""
    first, last = min(times), max(times)
    allowed = TWICE ** (log10(last / first) / 2)
    print(f"\n{title}: ms, median of {ROUNDS}; {last // first} times as much is stored")
    print(f"{'call':<32}" + "".join(f" {stored:>10,}" for stored in times) + f" {'growth':>7}  grows with")
    for tool in times[first]:
        growth = times[last][tool] / times[first][tool]
        what = "what is read" if growth <= allowed else "what is stored"
        print(f"{tool:<32}" + "".join(f" {took[tool]:>10.1f}" for took in times.values()) + f" {growth:>7.2f}  {what}")


def snapshots(chip: DemoChip, qid: str) -> dict[int, Times]:
    """By the number of results, on snapshots."""
    times = {}
    with tempfile.TemporaryDirectory() as place:
        for stored in SIZES:
            folder = write_snapshot(chip.documents, Path(place, str(stored)), as_of=chip.as_of, source="bench")
            snapshot_of(folder, stored)
            times[stored] = timed(SnapshotReader(folder), qid)
    return times


def databases(chip: DemoChip, qid: str, uri: str) -> dict[int, Times]:
    """By the number of results, on one server, whose collection grows."""
    times, copies = {}, 1
    with database_of(uri, chip.documents) as name:
        results = pymongo.MongoClient[Any](uri)[name][RESULTS]
        for stored in SIZES if real_server() else STAND_IN_SIZES:
            while copies * len(chip.documents[RESULTS]) < stored:
                results.insert_many(documents_of(chip, copies), ordered=False)
                copies += 1
            client = pymongo.MongoClient[Any](uri, tz_aware=True)
            reader = MongoReader(client[name], as_of=chip.as_of, query_seconds=PATIENCE_S)
            times[stored] = timed(reader, qid)
        results.database.client.close()
    return times


def main() -> None:
    """Print the tables; with `mongo` after the name of this file, only that of the server."""
    chip = make_demo(days=DAYS)
    qid = chip.truth.t1_falling[1]
    if sys.argv[1:] != ["mongo"]:
        show("snapshot", snapshots(chip, qid))
    with server() as (uri, what):
        show(what, databases(chip, qid, uri))


if __name__ == "__main__":
    main()
