"""The lines by which a notebook fetches what its cells read."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import pytest

from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tools.fetch_lines import LONGEST_LINE, fetch_line, reads
from qdash_jupyter.tools.heatmap import HeatmapArguments
from qdash_jupyter.tools.spec import TimeRangeArguments
from qdash_jupyter.tools.timeseries import CHIP_PARAMETER_TIMESERIES

NOW = datetime(2026, 6, 30, 12, 0, 7, 250_000, tzinfo=UTC)


@pytest.fixture
def store() -> FrameStore:
    filled = FrameStore()
    for key in ("t1", "chip_summary", "t1_2"):
        source = FrameSource("tool", {"key": key}, call=f'get("{key}")')

        def make(free: str, version: int, source: FrameSource = source) -> StoredResult:
            frame = pd.DataFrame({"v": [1.0]})
            return StoredResult(free, {"x": frame}, main="x", units={}, source=source, fetched_at=NOW, version=version)

        filled.put(key, source, make)
    return filled


@pytest.mark.parametrize(
    ("code", "keys"),
    [
        ('copilot.data["t1"].frame', ["t1"]),
        ('data["t1_2"]["x"]', ["t1_2"]),
        ('relation(copilot.data["chip_summary"], parameters=("t1", "t2"))', ["chip_summary"]),
        ('for key in ("t1", "t1_2"):\n    copilot.data[key]', ["t1", "t1_2"]),
        ('d = copilot.data\nd["t1"]', ["t1"]),
        ('"t1"', []),
        ('other.data["t1"]', []),
        ("copilot.data[", []),
    ],
)
def test_what_the_code_reads(store: FrameStore, code: str, keys: list[str]) -> None:
    assert reads(code, store) == tuple((key, f'copilot.data["{key}"] = copilot.tools.get("{key}")') for key in keys)


def test_a_long_line_is_broken() -> None:
    line = fetch_line("t1", f"get({', '.join(f'name_{n}=1' for n in range(10))})")
    assert max(map(len, line.splitlines())) <= LONGEST_LINE
    assert line.splitlines()[0] == 'copilot.data["t1"] = copilot.tools.get('
    compile(line, "line", "exec")


@pytest.mark.parametrize(
    ("given", "is_live", "written"),
    [
        ({"since": "30d"}, True, {"since": "2026-05-31T12:00:08", "until": "2026-06-30T12:00:08"}),
        ({"since": "2026-06-01"}, False, {"since": "2026-06-01"}),
        (
            {"since": "2026-06-01T08:00", "until": "2026-06-10"},
            True,
            {"since": "2026-06-01T08:00", "until": "2026-06-11T00:00"},
        ),
        ({}, False, {}),
        ({}, True, {"until": "2026-06-30T12:00:08"}),
    ],
)
def test_moments_in_place_of_ages(given: dict[str, str], is_live: bool, written: dict[str, str]) -> None:
    assert TimeRangeArguments(**given).absolute(NOW, is_live=is_live) == written


def test_hours_become_moments() -> None:
    arguments = HeatmapArguments(metric_name="t1", within_hours=24)
    assert arguments.absolute(NOW.replace(microsecond=0), is_live=False) == {
        "metric_name": "t1",
        "since": "2026-06-29T12:00:07",
    }


def test_a_call_as_people_write_it() -> None:
    written = {"since": "2026-05-31", "parameter_name": "t1", "qids": ["Q00", "7"], "last_n": 3}
    assert CHIP_PARAMETER_TIMESERIES.call(written) == (
        'get_chip_parameter_timeseries("t1", since="2026-05-31", qids=["Q00", "7"], last_n=3)'
    )
