"""`PYTHONPATH=bench python -m simulated_curves`: how far the verdicts on the independent curves are right.

SEEDS="0 20" are the first seed and the one behind the last of each kind; FAMILIES names some. Seeds from 1000 on are
held out: limits are chosen on others.
"""

from __future__ import annotations

import os
import sys
import time

from qdash_jupyter.methods import judge
from simulated_curves.curves import KINDS, made
from simulated_curves.measured import Seen, seen_of, table, worst

SEEDS = "1000 1020"


def main() -> int:
    """Make, judge, print."""
    first, last = (int(seed) for seed in os.environ.get("SEEDS", SEEDS).split())
    chosen = os.environ.get("FAMILIES", "").split(",") if os.environ.get("FAMILIES") else list(KINDS)
    seen: list[Seen] = []
    took = []
    for family in chosen:
        for kind in KINDS[family]:
            for seed in range(first, last):
                one = made(family, kind, seed)
                begin = time.perf_counter()
                verdict = judge(one.curve)
                took.append(time.perf_counter() - begin)
                seen += seen_of(one, seed, verdict)
    print(table(seen))
    print(f"\nMedian {1e3 * sorted(took)[len(took) // 2]:.1f} ms a curve, {len(took):,} curves.")
    if "-v" in sys.argv:
        print("\n".join(worst(seen)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
