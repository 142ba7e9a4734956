"""Runs the checks and tests of `make test`; with `long` those of `make long`, with `quick` those of `make quick`.

Several run at a time, as tests mostly wait. Those in a browser have time limits, so the others run beside them at a low
priority. Each process takes the next group when it has ended one, so the groups stand from the longest to the shortest;
when none in a browser is left, another.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.processor_time import REPORT

# The example notebooks run under nbval in processes of their own; here it would import jsonschema for two seconds.
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:nbval"]
ENVIRONMENTS = "tests/lab/test_other_environments.py"
RACES = ("tests/lab/test_races.py", "tests/lab/test_idle_kernels.py")
"""They mostly wait."""
GROUPS = {
    "The commands, kernels and tool sets": ("ui", "cells", "tool_sets"),
    "Conversations": ("session",),
    "The data and the tools": ("data", "tools", "methods", "store"),
    "The service and its worker": ("server", "worker"),
    "The planner and the models": ("llm",),
}
"""Folders of tests that run in one process, the longest first. Each process imports the libraries once more."""
LONG_GROUPS = {
    "The planner and the models, at length": ("llm",),
    "The service under load": ("server", "worker"),
    "The tools, at length": ("tools",),
    "The data, at length": ("data",),
}
ROUNDS = "5"
"""In one notebook, which takes seven minutes, 20 took half an hour. What happens at chance moments is looked for by the
races, many more times in a minute.
"""
CELLS = "tests/lab/test_cells.py"
IN_BROWSER = "tests/lab"
AT_A_TIME = 5
"""With six, two cores are never idle, and the run is no shorter (decision 52)."""
AT_A_TIME_IN_BROWSERS = 2
USUAL = [*PYTEST, "-m", "not long and not live"]
LENGTHY = [*PYTEST, "-m", "long and not live", "--timeout=900"]  # beside the other groups
CHECKS = "Linters and types"


def folders(names: Iterable[str]) -> list[str]:
    """Where the tests of these rooms are."""
    return [f"tests/{name}" for name in names]


def all_but(groups: Mapping[str, Iterable[str]]) -> list[str]:
    """The options for all tests but those of these groups, and but those in a browser."""
    names = ("lab", *(name for names in groups.values() for name in names))
    return [f"--ignore={folder}" for folder in folders(names)]


SHORT = {
    "In a browser": [*USUAL, IN_BROWSER],
    **{title: [*USUAL, *folders(names)] for title, names in GROUPS.items()},
    "Everything else": [*USUAL, *all_but(GROUPS)],
    CHECKS: ["make", "--no-print-directory", "check"],
}
ALONE = [*PYTEST, "-m", "not long and not live and not lab and not kernel and not mongo"]
QUICK = {
    "Tools": [
        *ALONE,
        "tests/tools",
        *(
            f"--ignore=tests/tools/test_{name}.py"
            for name in ("truths", "never_sent", "level_change", "memory_budget", "graph_layout", "topologies")
        ),
    ],
    "Store, settings and the rest": [
        *ALONE,
        *(f"tests/{name}" for name in ("store", "explore", "domain", "config")),
        "--ignore=tests/store/test_memory.py",
        "--ignore=tests/domain/test_safe_text.py",
    ],
    "The agent, cells and the panel's state": [
        *ALONE,
        "tests/agent",
        "tests/cells",
        "tests/ui",
        "tests/test_public_api.py",
        "--ignore=tests/ui/test_any_machine.py",
    ],
    CHECKS: SHORT[CHECKS],
}
# Those in a browser take half an hour and more than half of the processor. So what takes most of it is among the first
# of the others, for what is the last has one core at most.
LONG = {
    "The long tests in a browser": [
        *LENGTHY,
        IN_BROWSER,
        *(f"--ignore={file}" for file in (ENVIRONMENTS, CELLS, *RACES)),
    ],
    "Races in a browser": [*LENGTHY, *RACES],
    f"The agent's cells, {ROUNDS} times": [*PYTEST, CELLS],
    "Other kernels and environments": [*LENGTHY, ENVIRONMENTS],
    "The other long tests": [*LENGTHY, *all_but(LONG_GROUPS)],
    "On the newest Python": [sys.executable, "-m", "scripts.newest_python"],
    **{title: [*LENGTHY, *folders(names)] for title, names in LONG_GROUPS.items()},
}


def seen(command: list[str], env: dict[str, str]) -> int:
    """Run it on the screen."""
    return subprocess.run(command, env=env, check=False).returncode


def shown_later(title: str, command: list[str], env: dict[str, str]) -> int:
    """Run it beside that or after it; its output is printed when it has ended."""
    priority = [] if is_in_browser(command) else ["nice", "-n", "10"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        code = subprocess.run([*priority, *command], stdout=log, stderr=log, env=env, check=False).returncode
        log.seek(0)
        print(f"\n{title}:\n\n{log.read()}", flush=True)
    return code


def is_in_browser(command: list[str]) -> bool:
    """Whether these tests drive one."""
    return any(argument.startswith(IN_BROWSER) for argument in command)


def next_of(*waiting: deque[str]) -> str | None:
    """The first that no other process has taken."""
    for titles in waiting:
        with contextlib.suppress(IndexError):
            return titles.popleft()
    return None


def loop_s() -> float:
    """Processor seconds of ten million additions, best of three: what this machine's other seconds are worth."""

    def add() -> None:
        total = 0
        for number in range(10_000_000):
            total += number

    def once() -> float:
        before = time.process_time()
        add()
        return time.process_time() - before

    return min(once() for _ in range(3))


def tell_cost(report: Path, clock_s: float) -> None:
    """What the run took, and where."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total_s, unit_s = used.ru_utime + used.ru_stime, loop_s()
    print(
        f"\n{clock_s:.0f} s by the clock, {total_s:.0f} s of processor time: {total_s / unit_s:.0f} times ten million "
        f"additions ({unit_s:.2f} s here)."
    )
    by_file, failed = defaultdict[str, float](float), dict[str, str]()
    for name, told in map(json.loads, report.read_text(encoding="utf-8").splitlines()):
        if isinstance(told, str):
            failed[name] = told
        else:
            by_file[name.partition("::")[0]] += told
    print("Slowest files, in seconds of processor time:")
    for file, spent_s in sorted(by_file.items(), key=lambda spent: -spent[1])[:10]:
        print(f"{spent_s:7.1f}  {file}", flush=True)
    for test, why in failed.items():
        print(f"FAILED {test}\n    {why}", flush=True)


def main(groups: dict[str, list[str]]) -> int:
    """The exit code: 0 when all passed."""
    with tempfile.TemporaryDirectory() as folder:
        started, report = time.monotonic(), Path(folder, "times")
        report.touch()
        code = run(groups, {**os.environ, REPORT: str(report)} | ({"ROUNDS": ROUNDS} if groups is LONG else {}))
        tell_cost(report, time.monotonic() - started)
    return code


def run(groups: dict[str, list[str]], env: dict[str, str]) -> int:
    """The exit code of all groups: 0 when all passed."""
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes would each compile all of the package
    browsers = deque(title for title, command in groups.items() if is_in_browser(command))
    others = deque(title for title, command in groups.items() if not is_in_browser(command))
    shown, codes = next(iter(groups)), dict.fromkeys(groups, 1)

    def work(*waiting: deque[str]) -> None:
        while title := next_of(*waiting):
            command = groups[title]
            codes[title] = seen(command, env) if title == shown else shown_later(title, command, env)

    in_browsers = min(AT_A_TIME_IN_BROWSERS, len(browsers))
    with ThreadPoolExecutor(AT_A_TIME) as processes:
        started = [processes.submit(work, browsers, others) for _ in range(in_browsers)]
        started += [processes.submit(work, others) for _ in range(AT_A_TIME - in_browsers)]
        for one in started:
            one.result()
    if failed := [title for title, code in codes.items() if code]:
        print(f"Failed, see above: {', '.join(failed)}", flush=True)
    return max(codes.values(), key=abs)


if __name__ == "__main__":
    sys.exit(main({"long": LONG, "quick": QUICK}.get("".join(sys.argv[1:]), SHORT)))
