"""`python -m qdash_jupyter.data.demo`: write a demo chip to a snapshot folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from qdash_jupyter.data.demo.cache import DEMO_SEED, write_demo_snapshot
from qdash_jupyter.errors import PersonError


def main(arguments: list[str] | None = None) -> int:
    """Write the chip; says on standard error what was written."""
    parser = argparse.ArgumentParser(prog="python -m qdash_jupyter.data.demo", description=__doc__)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="its folder; must not hold one yet")
    parser.add_argument("--seed", type=int, default=DEMO_SEED)
    parser.add_argument("--qubits", type=int, default=64)
    parser.add_argument("--days", type=int, default=90)
    parser.add_argument("--healthy", action="store_true", help="without planted faults")
    parsed = parser.parse_args(arguments)
    size = {"seed": parsed.seed, "size": parsed.qubits, "days": parsed.days, "faults": not parsed.healthy}
    try:
        print(write_demo_snapshot(Path(parsed.output), **size), file=sys.stderr)  # noqa: T201 - a command
    except (PersonError, FileExistsError, ValueError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
