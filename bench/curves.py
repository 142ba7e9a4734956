"""How long it takes to judge the curves of a chip of 64 qubits over 30 days, by kind; goal: 20 s on two cores.

In one process, as in a kernel, by the clock on the wall. First as many curves of each kind as one result a qubit and
day; `CURVES=200` judges so many and tells what all would take. Then the demo chip's last 30 days, as a person asks for
them: `get_result_curves` with the query and with the reading of the files.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import timedelta
from pathlib import Path

from demo_chip import AS_OF
from demo_chip.curve_files import KINDS
from demo_chip.curves import FAMILIES, simulated

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect.sources import calib_data_of
from qdash_jupyter.data.demo import DEMO
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.methods import audit

ALL = 64 * 30
GOAL = 20.0
LEVELS = ("easy", "good", "fair")
FAULTS = ("GOOD", "GOOD", "GOOD", "GOOD", "NO_SIGNAL", "OUTLIERS")
"""Most results of a chip are good."""


def simulated_curves() -> None:
    """Print the table of kinds."""
    count = int(os.environ.get("CURVES", "200"))
    print(f"| kind | {ALL:,} curves [s] | of the {GOAL:.0f} s | a curve [ms] |\n| --- | ---: | ---: | ---: |")
    for family in FAMILIES:
        made = (
            simulated(family, FAULTS[seed % len(FAULTS)], seed, LEVELS[seed % len(LEVELS)]) for seed in range(count)
        )
        curves = [one.curve for one in made]
        audit(curves[:3])
        begin = time.perf_counter()
        audit(curves)
        each = (time.perf_counter() - begin) / count
        print(f"| {family} | {each * ALL:.1f} | {each * ALL / GOAL:.2f} | {1000 * each:.1f} |")


def demo_month() -> None:
    """Print the table of the demo's tasks."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.tools.toolbench import Tools

    since = (AS_OF - timedelta(days=30)).isoformat()
    print("| task of the demo chip | results of 30 days | whole call [s] | a result [ms] | again [s] |")
    print("| --- | ---: | ---: | ---: | ---: |")
    reader = SnapshotReader(DEMO)

    def took(tools: Tools, task: str) -> tuple[float, int]:
        begin = time.perf_counter()
        result = tools.result("get_result_curves", task_name=task, since=since)
        return time.perf_counter() - begin, len(tools.store[str(result.frame_key)].frame)

    for task in KINDS:
        # In the first one, scipy is imported and grids are made; the second one remembers nothing of it.
        warm, tools = (Tools(reader, calib_data=calib_data_of(Manifest(), reader)) for _ in range(2))
        took(warm, task)
        (whole, count), (again, _) = took(tools, task), took(tools, task)
        print(f"| {task} | {count:,} | {whole:.1f} | {1000 * whole / count:.1f} | {again:.2f} |")


def main() -> None:
    """Print both tables."""
    simulated_curves()
    demo_month()


if __name__ == "__main__":
    main()
