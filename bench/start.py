"""What `%load_ext qdash_jupyter` costs in a fresh kernel, and what a question costs in a fresh process.

Each round starts fresh kernels in turn and runs one cell in each: a bare one (`pass`), and one that loads the
extension. The difference of the cells' own times is the cost (goal: 100 ms); a kernel's start is not part of it.

Then it starts fresh processes in turn: one that imports what any answer about data needs, and one that answers a
question about the demo chip. What they take of the processor counts, with that of their own processes (goal: twice as
much, which is 1.0 s on a machine where the imports take 0.5 s).
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time

from jupyter_client.manager import start_new_kernel

ROUNDS = 7
GOAL_MS = 100
GOAL_RATIO, GOAL_OF_PANDAS = 2.0, 0.15
CELLS = {
    "bare": "pass",
    "import qdash_jupyter": "import qdash_jupyter",
    "%load_ext qdash_jupyter": "get_ipython().run_line_magic('load_ext', 'qdash_jupyter')",
    "import pandas (for scale)": "import pandas",
}


PROCESSES = {
    "bare": ["-c", "pass"],
    "import pandas, plotly, pyarrow": [
        "-c",
        "import pandas, plotly.graph_objects, pyarrow.dataset; plotly.graph_objects.Figure()",
    ],
    "qdash-jupyter ask --demo": ["-m", "qdash_jupyter.ui.cli", "ask", "--demo", "Which qubits have the worst T1?"],
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


def process_ms(arguments: list[str]) -> float:
    """Milliseconds of the processor that one Python process takes, with those that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Print both tables."""
    cells()
    processes()


def processes() -> None:
    """Print what a question costs in a fresh process."""
    for arguments in PROCESSES.values():
        process_ms(arguments)  # the demo chip is made, and files are read from the disk
    times: dict[str, list[float]] = {name: [] for name in PROCESSES}
    for _ in range(ROUNDS):
        for name, arguments in PROCESSES.items():
            times[name].append(process_ms(arguments))
    print(f"{'process':<32}{'CPU, ms':>10}{'min':>8}{'max':>8}")
    for name, values in times.items():
        print(f"{name:<32}{statistics.median(values):>10.0f}{min(values):>8.0f}{max(values):>8.0f}")
    _, imports, asked = (statistics.median(values) for values in times.values())
    ratio = asked / imports
    met = "met" if ratio <= GOAL_RATIO else "NOT met"
    print(f"goal: ask --demo at most {GOAL_RATIO:g} times those imports: {met} ({ratio:.2f})")


def cells() -> None:
    """Print what loading the extension costs."""
    times: dict[str, list[float]] = {name: [] for name in CELLS}
    for _ in range(ROUNDS):
        for name, code in CELLS.items():
            times[name].append(cell_ms(code))
    floor = statistics.median(times["bare"])
    print(f"{'cell':<28}{'median ms':>10}{'over bare':>11}{'min':>8}{'max':>8}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:<28}{median:>10.1f}{median - floor:>11.1f}{min(values):>8.1f}{max(values):>8.1f}")
    cost, pandas = (statistics.median(values) - floor for values in list(times.values())[-2:])
    print(f"goal: %load_ext at most {GOAL_MS} ms over bare: {'met' if cost <= GOAL_MS else 'NOT met'} ({cost:.0f} ms)")
    met = "met" if cost <= GOAL_OF_PANDAS * pandas else "NOT met"
    print(f"goal: at most {GOAL_OF_PANDAS} of what importing pandas costs: {met} ({cost / pandas:.2f})")


if __name__ == "__main__":
    main()
