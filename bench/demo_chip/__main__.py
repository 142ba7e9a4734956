"""`PYTHONPATH=bench python -m demo_chip`: write a demo chip to a snapshot folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from demo_chip.snapshot import DEMO_SEED, write_demo_snapshot


def main(arguments: list[str] | None = None) -> int:
    """Write the chip; says on standard error what was written."""
    parser = argparse.ArgumentParser(prog="python -m demo_chip", description=__doc__)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="its folder; must not hold one yet")
    parser.add_argument("--seed", type=int, default=DEMO_SEED)
    parser.add_argument("--qubits", type=int, default=64)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--healthy", action="store_true", help="without planted faults")
    parser.add_argument("--curves", action="store_true", help="with the points behind its results")
    parsed = parser.parse_args(arguments)
    size = {"seed": parsed.seed, "size": parsed.qubits, "days": parsed.days, "faults": not parsed.healthy}
    try:
        print(write_demo_snapshot(Path(parsed.output), **size, curves=parsed.curves), file=sys.stderr)
    except (FileExistsError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
