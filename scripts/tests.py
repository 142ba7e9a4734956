"""Runs the checks and tests of `make test`, with `long` those of `make long`: several at a time, as tests mostly wait.

Those in a browser have time limits, so the others run beside them at a low priority. Each process takes the next group
when it has ended one, so the groups stand from the longest to the shortest.
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
IN_BROWSER = "tests/lab"
AT_A_TIME = 2
QUICK = [*PYTEST, "-m", "not long and not live"]
LENGTHY = [*PYTEST, "-m", "long and not live"]
SHORT = {
    "In a browser": [*QUICK, IN_BROWSER],
    "Everything else": [*QUICK, *(f"--ignore=tests/{name}" for name in ("lab", "data", "llm", "tools", "ui"))],
    "The commands, and the kernel": [*QUICK, "tests/ui"],
    "The data": [*QUICK, "tests/data"],
    "The planner and the models": [*QUICK, "tests/llm"],
    "Linters and types": ["make", "--no-print-directory", "check"],
    "The tools": [*QUICK, "tests/tools"],
}
LONG = {
    "The long tests in a browser": [*LENGTHY, IN_BROWSER, f"--ignore={ENVIRONMENTS}"],
    f"The agent's cells, {ROUNDS} times": [*PYTEST, "tests/lab/test_cells.py"],
    "Other kernels and environments": [*LENGTHY, ENVIRONMENTS],
    "The other long tests": [*LENGTHY, "--ignore=tests/lab", "--ignore=tests/llm"],
    "The planner and the models, at length": [*LENGTHY, "tests/llm"],
}


def seen(command: list[str], env: dict[str, str]) -> int:
    """Run it on the screen."""
    return subprocess.run(command, env=env, check=False).returncode


def told_later(title: str, command: list[str], env: dict[str, str]) -> int:
    """Run it beside that or after it; what it said is printed when it has ended."""
    priority = [] if is_in_browser(command) else ["nice", "-n", "10"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        code = subprocess.run([*priority, *command], stdout=log, stderr=log, env=env, check=False).returncode
        log.seek(0)
        print(f"\n{title}:\n\n{log.read()}", flush=True)
    return code


def is_in_browser(command: list[str]) -> bool:
    """Whether these tests drive one."""
    return any(argument.startswith(IN_BROWSER) for argument in command)


def main(*, long: bool) -> int:
    """The exit code: 0 when all passed."""
    groups = LONG if long else SHORT
    (_, first), *others = groups.items()
    env = {**os.environ, "ROUNDS": ROUNDS} if long else dict(os.environ)
    with ThreadPoolExecutor(AT_A_TIME) as browsers, ThreadPoolExecutor(AT_A_TIME) as rest:
        started = [browsers.submit(seen, first, env)]
        for title, command in others:
            started.append((browsers if is_in_browser(command) else rest).submit(told_later, title, command, env))
        codes = [one.result() for one in started]
    if failed := [title for title, code in zip(groups, codes, strict=True) if code]:
        print(f"Failed, see above: {', '.join(failed)}", flush=True)
    return max(codes, key=abs)


if __name__ == "__main__":
    sys.exit(main(long=sys.argv[1:] == ["long"]))
