from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from qdash_jupyter.tools.timestamps import full_timestamp, short_timestamp, shown_duration

NOW = datetime(2026, 1, 3, tzinfo=UTC)
FACTS = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), FACTS["compact_timestamp"])
def test_times_as_qdash_shortens_them(text: str, expected: str) -> None:
    assert short_timestamp(datetime.fromisoformat(text), NOW) == expected


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC), "01-02 03:04"),
        (datetime(2025, 12, 31, 23, 59, tzinfo=UTC), "2025-12-31 23:59"),
    ],
)
def test_the_year_is_said_where_it_is_another_one(moment: datetime, text: str) -> None:
    assert short_timestamp(moment, NOW) == text


def test_a_whole_time_has_its_year_and_zone() -> None:
    assert full_timestamp(datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)) == "2026-01-02T03:04:05+00:00"
    assert full_timestamp(None) is None


def test_a_duration_has_its_unit() -> None:
    assert [shown_duration(seconds) for seconds in (303.0, 25.3456, 0.0, float("nan"))] == [
        "303 s",
        "25.35 s",
        "0 s",
        None,
    ]
