"""What `%load_ext qdash_jupyter` costs in a fresh kernel, and what the import alone costs. Goal: 100 ms at most.

Each round starts two fresh kernels in turn and runs one cell in each: a bare one (`pass`), and one that loads the
extension. The difference of the cells' own times is the cost; a kernel's start is not part of it.
"""

from __future__ import annotations

import statistics
import subprocess
import time

from jupyter_client.manager import start_new_kernel

ROUNDS = 7
GOAL_MS = 100
CELLS = {
    "bare": "pass",
    "import qdash_jupyter": "import qdash_jupyter",
    "%load_ext qdash_jupyter": "get_ipython().run_line_magic('load_ext', 'qdash_jupyter')",
    "import pandas (for scale)": "import pandas",
}


def cell_ms(code: str) -> float:
    """Milliseconds of one cell in a fresh kernel, from request to reply."""
    manager, client = start_new_kernel(kernel_name="python3", stderr=subprocess.DEVNULL)
    try:
        client.execute_interactive("1", timeout=60, silent=True)  # the first cell of a kernel pays for IPython itself
        started = time.perf_counter()
        reply = client.execute_interactive(code, timeout=60, output_hook=lambda _: None)
        elapsed = 1000 * (time.perf_counter() - started)
        if reply["content"]["status"] != "ok":
            raise RuntimeError(f"the cell failed: {reply['content']}")
        return elapsed
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def main() -> None:
    """Print the table."""
    times: dict[str, list[float]] = {name: [] for name in CELLS}
    for _ in range(ROUNDS):
        for name, code in CELLS.items():
            times[name].append(cell_ms(code))
    floor = statistics.median(times["bare"])
    print(f"{'cell':<28}{'median ms':>10}{'over bare':>11}{'min':>8}{'max':>8}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:<28}{median:>10.1f}{median - floor:>11.1f}{min(values):>8.1f}{max(values):>8.1f}")
    cost = statistics.median(times["%load_ext qdash_jupyter"]) - floor
    print(f"goal: %load_ext at most {GOAL_MS} ms over bare: {'met' if cost <= GOAL_MS else 'NOT met'} ({cost:.0f} ms)")


if __name__ == "__main__":
    main()
