"""Runs the tests for `make test`, with `long` for `make long`: two processes at a time, as a browser mostly waits.

Each takes the next group when it has ended one, so the groups stand from the longest to the shortest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
ENVIRONMENTS = "tests/lab/test_other_environments.py"
ROUNDS = "50"
QUICK = ["-m", "not long and not live"]
SHORT = {
    "In a browser": [*QUICK, "tests/lab"],
    "Everything else": [*QUICK, *(f"--ignore=tests/{name}" for name in ("lab", "data", "llm", "tools", "ui"))],
    "The commands, and the kernel": [*QUICK, "tests/ui"],
    "The data": [*QUICK, "tests/data"],
    "The planner and the models": [*QUICK, "tests/llm"],
    "The tools": [*QUICK, "tests/tools"],
}
LONG = {
    "The long tests in a browser": ["-m", "long and not live", "tests/lab", f"--ignore={ENVIRONMENTS}"],
    f"The agent's cells, {ROUNDS} times": ["tests/lab/test_cells.py"],
    "Other kernels and environments": ["-m", "long", ENVIRONMENTS],
    "The other long tests": ["-m", "long and not live", "--ignore=tests/lab"],
}


def seen(arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest on the screen."""
    return subprocess.run([*PYTEST, *arguments], env=env, check=False).returncode


def told_later(title: str, arguments: list[str], env: dict[str, str]) -> int:
    """Run pytest beside that or after it; what it said is printed when it has ended."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        code = subprocess.run([*PYTEST, *arguments], stdout=log, stderr=log, env=env, check=False).returncode
        log.seek(0)
        print(f"\n{title}:\n\n{log.read()}", flush=True)
    return code


def main(*, long: bool) -> int:
    """The exit code: 0 when all passed."""
    groups = LONG if long else SHORT
    (_, first), *others = groups.items()
    env = {**os.environ, "ROUNDS": ROUNDS} if long else dict(os.environ)
    with ThreadPoolExecutor(2) as both:
        started = [both.submit(seen, first, env), *(both.submit(told_later, *each, env) for each in others)]
        codes = [one.result() for one in started]
    if failed := [title for title, code in zip(groups, codes, strict=True) if code]:
        print(f"Failed, see above: {', '.join(failed)}", flush=True)
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main(long=sys.argv[1:] == ["long"]))
