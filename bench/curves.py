"""How long it takes to judge the curves of a chip of 64 qubits over 30 days, by kind; goal: 20 s on two cores.

One process and one thread of it, as in a kernel. `CURVES=200` judges so many of each kind and tells what all would
take.
"""

from __future__ import annotations

import os
import time

from qdash_jupyter.data.demo.curves import FAMILIES, simulated
from qdash_jupyter.methods import audit

ALL = 64 * 30
GOAL = 20.0
LEVELS = ("easy", "good", "fair")
FAULTS = ("GOOD", "GOOD", "GOOD", "GOOD", "NO_SIGNAL", "OUTLIERS")
"""Most results of a chip are good."""


def main() -> None:
    """Print the table."""
    count = int(os.environ.get("CURVES", "200"))
    print(f"| kind | {ALL:,} curves [s] | of the {GOAL:.0f} s | a curve [ms] |\n| --- | ---: | ---: | ---: |")
    for family in FAMILIES:
        made = (
            simulated(family, FAULTS[seed % len(FAULTS)], seed, LEVELS[seed % len(LEVELS)]) for seed in range(count)
        )
        curves = [one.curve for one in made]
        audit(curves[:3])
        begin = time.process_time()
        audit(curves)
        each = (time.process_time() - begin) / count
        print(f"| {family} | {each * ALL:.1f} | {each * ALL / GOAL:.2f} | {1000 * each:.1f} |")


if __name__ == "__main__":
    main()
