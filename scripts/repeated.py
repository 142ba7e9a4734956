"""Which expensive tests only run lines of the package that others run as well? Writes tests/repeated.txt.

    python -m scripts.repeated

Tests in that file are left to `make long`. They are taken in turn, the most expensive first: a test is repeated if
`OTHERS` of the tests that stay also run each of its lines. Only tests within one process are judged: what a kernel, a
browser or a worker runs is not seen here. It takes about thirteen minutes on two cores.
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
EXPENSIVE_S = 0.3
"""Processor seconds, coverage included; cheaper tests always stay."""
OTHERS = 2
"""How many of the tests that stay must run each line of a test that does not."""
CHILDREN_S = 0.05
"""Processor seconds of child processes, above which a test is not judged: its lines run there."""
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
    """The tests that may go, the most expensive first."""
    users = Counter(line for of_test in lines.values() for line in of_test)
    gone: list[str] = []
    for test in sorted(lines.keys() & cost_s.keys(), key=lambda test: -cost_s[test]):
        if cost_s[test] < EXPENSIVE_S:
            break
        if all(users[line] > OTHERS for line in lines[test]):
            users.subtract(lines[test])
            gone.append(test)
    return gone


def main() -> int:
    """Measure, and write the list; it stays as it was if a test fails."""
    before = LIST.read_text(encoding="utf-8")
    LIST.write_text("", encoding="utf-8")  # so that all are measured
    try:
        gone = measured_and_chosen()
    except BaseException:
        LIST.write_text(before, encoding="utf-8")
        raise
    LIST.write_text("".join(f"{test}\n" for test in sorted(gone)), encoding="utf-8")
    return 0


def measured_and_chosen() -> list[str]:
    """The repeated tests; prints how many there are and what they cost."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), str(Path.cwd() / "bench")])
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        files = [str(Path(folder, f"lines-{number}")) for number in range(len(HALVES))]
        cost_s = {test: s for part in processes.map(measured, HALVES, files) for test, s in part.items()}
        lines = {test: some for file in files for test, some in lines_of(file).items()}
    gone = repeated(lines, cost_s)
    print(json.dumps({
        "tests": len(cost_s),
        "processor seconds": round(sum(cost_s.values())),
        "repeated": len(gone),
        "their processor seconds": round(sum(cost_s[test] for test in gone)),
    }))  # fmt: skip
    return gone


if __name__ == "__main__":
    sys.exit(main())
