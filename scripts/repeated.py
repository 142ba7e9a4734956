"""Which dear tests run no line of the package that cheaper ones do not run? Writes tests/repeated.txt.

    python -m scripts.repeated

What stands in that file is left to `make long`. Tests are taken in turn, the dearest first: one is repeated where
`OTHERS` of those that stay run each of its lines as well. Asked about are those of one process: what a kernel, a
browser or a worker does is not seen here, nor is what tests of them cost. Some twenty minutes on two cores.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Generator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import coverage
import pytest

LIST = Path("tests/repeated.txt")
DEAR_S = 0.3
"""Processor seconds, with coverage's own, from which a test is asked about."""
OTHERS = 2
"""So many tests that stay run each line of one that does not, where there were so many."""
CHILDREN_S = 0.05
"""A test whose processes took more is about them."""
HALVES = (
    "tools methods store domain agent config explore docs packaging messages evaluation",
    "llm data session ui cells tool_sets",
)
MARKS = "not long and not live and not kernel and not lab"


class Recorder:
    """A plugin of pytest that keeps the lines and the processor seconds of each test."""

    def __init__(self, recording: coverage.Coverage) -> None:
        self.recording = recording
        self.spent_s: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """With its fixtures: what several share is its first user's, which therefore stays."""
        self.recording.switch_context(item.nodeid)
        own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            return (yield)
        finally:
            if spent_s(resource.RUSAGE_CHILDREN, others) < CHILDREN_S:
                self.spent_s[item.nodeid] = spent_s(resource.RUSAGE_SELF, own)


def spent_s(who: int, before: resource.struct_rusage) -> float:
    """Processor seconds since then."""
    now = resource.getrusage(who)
    return now.ru_utime + now.ru_stime - before.ru_utime - before.ru_stime


def measured(rooms: str, file: str) -> dict[str, float]:
    """Runs the tests of these rooms: what each cost; its lines are in the file."""
    recording = coverage.Coverage(data_file=file, source=["qdash_jupyter"])
    recording.start()
    recorder = Recorder(recording)
    folders = [folder for room in rooms.split() if Path(folder := f"tests/{room}").exists()]
    code = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-m", MARKS, *folders], plugins=[recorder])
    recording.stop()
    recording.save()
    if code:
        raise SystemExit(code)
    return recorder.spent_s


def lines_of(file: str) -> dict[str, set[tuple[str, int]]]:
    """The lines that each test ran."""
    data = coverage.CoverageData(file)
    data.read()
    lines = defaultdict[str, set[tuple[str, int]]](set)
    for path in data.measured_files():
        for line, tests in data.contexts_by_lineno(path).items():
            for test in filter(None, tests):
                lines[test].add((path, line))
    return lines


def repeated(lines: Mapping[str, set[tuple[str, int]]], cost_s: Mapping[str, float]) -> list[str]:
    """The tests that may go, the dearest first."""
    users = Counter(line for of_test in lines.values() for line in of_test)
    gone: list[str] = []
    for test in sorted(lines.keys() & cost_s.keys(), key=lambda test: -cost_s[test]):
        if cost_s[test] < DEAR_S:
            break
        if all(users[line] > OTHERS for line in lines[test]):
            users.subtract(lines[test])
            gone.append(test)
    return gone


def main() -> int:
    """Measure, and write the list."""
    LIST.write_text("", encoding="utf-8")  # so that all are measured
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), str(Path.cwd() / "bench")])
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        files = [str(Path(folder, f"lines-{number}")) for number in range(len(HALVES))]
        cost_s = {test: s for part in processes.map(measured, HALVES, files) for test, s in part.items()}
        lines = {test: some for file in files for test, some in lines_of(file).items()}
    gone = repeated(lines, cost_s)
    LIST.write_text("".join(f"{test}\n" for test in sorted(gone)), encoding="utf-8")
    print(json.dumps({
        "tests": len(cost_s),
        "processor seconds": round(sum(cost_s.values())),
        "repeated": len(gone),
        "their processor seconds": round(sum(cost_s[test] for test in gone)),
    }))  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
