"""What the guard costs a cell of the agent's, and the person who calls what the agent wrote; without a browser.

Goals: 5 % of a pandas cell of 0.5 s or more with pandas 3, 5 times a bare Python loop, and 1.2 times the same function
typed by hand when the person calls it. Both ways are run in turn, and the best of each is compared; it is the time of
the processor that counts, as others may be at work.
"""

from __future__ import annotations

import ast
import builtins
import time
import timeit
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.cells.namespace import Namespace

ROUNDS = 7
PANDAS_CELL = """\
day = big["at"].dt.floor("D")
daily = big.groupby(["qid", day])[["v0", "v1", "v2", "v3"]].median()
smooth = big.sort_values("at").groupby("qid")["v0"].rolling(50).mean()
rows = []
for qid, g in big.groupby("qid"):
    v = g["v0"].to_numpy()
    rows.append({"qid": qid, "median": np.median(v), "p90": np.quantile(v, 0.9), "n": len(g)})
table = pd.DataFrame(rows).sort_values("median")
"""
LOOPS = {
    "loop: sum": "total = 0\nfor i in range(1_000_000):\n    total += i % 7 * 2\n",
    "loop: math.sqrt": "import math\ntotal = 0.0\nfor i in range(300_000):\n    total += math.sqrt(i)\n",
    "loop: append": "out = []\nfor i in range(300_000):\n    out.append(i * 2)\n",
    "loop: attributes of an own class": "class P:\n    def __init__(self, x):\n        self.x = x\n"
    "ps = [P(i) for i in range(100_000)]\ntotal = 0\nfor p in ps:\n    total += p.x\n",
    "loop in a function": "def f(n):\n    total = 0\n    for i in range(n):\n        total += i % 7\n    return total\n"
    "f(1_000_000)\n",
}
FUNCTIONS = {
    "norm of 1,000 numbers": (
        "def f(xs):\n    total = 0.0\n    for x in xs:\n        total += x * x\n    return total ** 0.5\n",
        [float(i) for i in range(1000)],
    ),
    "sorted by a lambda": (
        "def f(xs):\n    return sorted(xs, key=lambda x: -x.real)\n",
        [float(i) for i in range(1000)],
    ),
    "one addition": ("def f(x):\n    return x + 1\n", 3),
}


class Cells:
    """Runs code as it is and under the guard, in the same namespace."""

    def __init__(self) -> None:
        rng, rows = np.random.default_rng(0), 1_000_000
        values = {f"v{k}": rng.normal(size=rows) for k in range(8)}
        at = pd.date_range("2026-01-01", periods=rows, freq="s")
        big = pd.DataFrame({"qid": rng.integers(0, 64, rows).astype(str), "at": at, **values})
        self.names: dict[str, Any] = {"__builtins__": builtins, "np": np, "pd": pd, "big": big}
        self.guard = Namespace(self.names).guard

    def plain(self, code: str) -> float:
        """Seconds."""
        began = time.process_time()
        exec(compile(code, "<cell>", "exec"), dict(self.names))  # noqa: S102 - ours
        return time.process_time() - began

    def checked(self, code: str, names: dict[str, Any] | None = None) -> float:
        """Seconds, the rewriting included."""
        before = dict(self.names)
        began = time.process_time()
        with self.guard.running(code) as run:
            exec(compile(run.tree or "", "<cell>", "exec"), self.names)  # noqa: S102 - ours
        took = time.process_time() - began
        if not run.refused.is_plain:
            raise RuntimeError(run.refused.describe())
        if names is not None:
            names.update(self.names)
        for name in self.names.keys() - before.keys():
            del self.names[name]
        return took


def row(what: str, plain: float, checked: float, goal: float) -> None:
    """One line of the table."""
    ratio = checked / plain
    met = "yes" if ratio <= goal else "**no**"
    print(f"| {what} | {plain * 1e3:.4g} | {checked * 1e3:.4g} | {ratio:.2f} | {goal} | {met} |")


def main() -> None:
    """Print the table."""
    cells = Cells()
    size = int(cells.names["big"].memory_usage().sum() / 1e6)
    print(f"pandas {pd.__version__}, a table of {size} MB\n")
    print("| what | plain, ms | with the guard, ms | ratio | goal | met |\n| --- | --- | --- | --- | --- | --- |")
    pairs = [(cells.plain(PANDAS_CELL), cells.checked(PANDAS_CELL)) for _ in range(ROUNDS)]
    row("pandas cell", min(one for one, _ in pairs), min(one for _, one in pairs), 1.05)
    for what, code in LOOPS.items():
        pairs = [(cells.plain(code), cells.checked(code)) for _ in range(ROUNDS)]
        row(what, min(one for one, _ in pairs), min(one for _, one in pairs), 5)
    for what, (code, given) in FUNCTIONS.items():
        typed: dict[str, Any] = {}
        written: dict[str, Any] = {}
        exec(code, typed)  # noqa: S102 - ours
        cells.checked(code, written)
        both = [
            timeit.Timer("f(given)", timer=time.process_time, globals={"f": names["f"], "given": given})
            for names in (typed, written)
        ]
        number = both[0].autorange()[0] // 20 + 1
        pairs = [(both[0].timeit(number), both[1].timeit(number)) for _ in range(20 * ROUNDS)]
        best = [min(one) / number for one in zip(*pairs, strict=True)]
        row(f"the person's call: {what}", best[0], best[1], 1.2)
    code = PANDAS_CELL * 8
    rounds = [_before(cells, code) for _ in range(ROUNDS)]
    parsed, read, begun = (1e3 * min(times) for times in zip(*rounds, strict=True))
    lines = len(code.splitlines())
    print(f"\nThe preview of {lines} lines takes {read:.3g} ms, parsing them alone {parsed:.2g}.")
    print(f"Until the first of them runs after that it takes {begun:.2g} ms more.")


def _before(cells: Cells, code: str) -> tuple[float, float, float]:
    """Seconds to parse it, to read it for what it would do, and to begin it then."""
    times = [time.process_time()]
    ast.parse(code)
    times.append(time.process_time())
    cells.guard.preview(code)
    times.append(time.process_time())
    with cells.guard.running(code):
        times.append(time.process_time())
    parsed, read, begun = (later - earlier for earlier, later in pairwise(times))
    return parsed, read, begun


if __name__ == "__main__":
    main()
