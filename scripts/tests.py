"""Runs the tests for `make test`, with `long` for `make long`: two processes at a time, as a browser mostly waits."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
ENVIRONMENTS = "tests/lab/test_other_environments.py"
ROUNDS = "50"
SHORT = {
    "Without a browser": ["-m", "not lab and not mongo and not long and not live"],
    "In a browser": ["-m", "lab and not long and not live"],
    "On a MongoDB": ["-m", "mongo and not long and not live"],
}
LONG = {
    "The long tests": ["-m", "long and not live", f"--ignore={ENVIRONMENTS}"],
    f"The agent's cells, {ROUNDS} times": ["tests/lab/test_cells.py"],
    "Other kernels and environments": ["-m", "long", ENVIRONMENTS],
}


def seen(arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest on the screen."""
    return subprocess.run([*PYTEST, *arguments], env=env, check=False).returncode


def told_later(title: str, arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest beside that; what it said is printed when it has ended."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        code = subprocess.run([*PYTEST, *arguments], stdout=log, stderr=log, env=env, check=False).returncode
        log.seek(0)
        print(f"\n{title}:\n\n{log.read()}", flush=True)
    return code


def main(*, long: bool) -> int:
    """The exit code: 0 when all passed."""
    (_, first), *others = (LONG if long else SHORT).items()
    env = {**os.environ, "ROUNDS": ROUNDS} if long else dict(os.environ)
    with ThreadPoolExecutor(1) as beside:
        later = [beside.submit(told_later, *each, env) for each in others]
        codes = [seen(first, env), *(each.result() for each in later)]
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main(long=sys.argv[1:] == ["long"]))
