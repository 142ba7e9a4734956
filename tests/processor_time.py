"""What each test costs: processor seconds, of the processes that it started, too; and which tests failed.

A plugin of pytest; scripts/tests.py names the file in which it leaves its lines.
"""

from __future__ import annotations

import json
import os
import resource
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

REPORT = "TEST_TIMES"
"""The variable that names the file: a JSON list a line, `[test, processor seconds]` or `[test, why it failed]`."""

_spent: defaultdict[str, float] = defaultdict(float)
_failed: dict[str, str] = {}


def processor_s() -> float:
    """Of this process, and of its children that have ended."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test with its fixtures. Servers that several files share are counted where the last of them ends."""
    before = processor_s()
    try:
        return (yield)
    finally:
        _spent[item.nodeid] += processor_s() - before


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """What failed is told once more at the end of all groups."""
    if report.failed:
        crash = getattr(report.longrepr, "reprcrash", None)
        _failed[report.nodeid] = str(crash or report.longrepr)[:300]


def pytest_sessionfinish() -> None:
    """A run that is timed adds its lines to those of the others."""
    if report := os.environ.get(REPORT):
        with Path(report).open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in (*_spent.items(), *_failed.items()))
