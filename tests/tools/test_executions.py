"""Runs of flows, on QDash's own documents and on small ones."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.qdash_documents import a_chip, ago, document, of_chip
from tests.tools.toolbench import Tools

TOOL = "get_execution_history"
KEYS = {"execution_id", "name", "status", "tags", "start_at", "end_at", "elapsed_time", "message", "username", "flag"}


def newest(
    project_id: str, chip_id: str, status: str | None = None, tags: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    found = [
        one
        for one in of_chip("execution_history", project_id, chip_id)
        if status in (None, one["status"]) and set(tags) <= set(one["tags"])
    ]
    return sorted(found, key=lambda one: (one["start_at"], one["_id"]), reverse=True)


def a_run(execution_id: str, days_ago: float, **more: Any) -> dict[str, Any]:
    whole = {
        "name": "daily",
        "status": "completed",
        "tags": ["daily"],
        "end_at": None,
        "elapsed_time": 1.5,
        "message": "",
    }
    return document(execution_id=execution_id, start_at=ago(days_ago), **whole | more)


@pytest.mark.parametrize("chip", [("proj-alpha", "16Q-demo"), ("proj-alpha", "64Q-demo"), ("proj-beta", "16Q-demo")])
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"status": "failed"},
        {"status": "completed", "last_n": 3},
        {"tags": ["daily", "weekly"]},
        {"tags": ["stability"]},
    ],
)
def test_runs_of_one_chip_newest_first(
    on_sample: Callable[..., Tools], chip: tuple[str, str], asked: dict[str, Any]
) -> None:
    expected = newest(*chip, status=asked.get("status"), tags=asked.get("tags", ()))[: asked.get("last_n", 10)]
    rows = on_sample(*chip).rows(TOOL, **asked)
    assert [row["execution_id"] for row in rows] == [one["execution_id"] for one in expected]
    for row, one in zip(rows, expected, strict=True):
        assert set(row) == KEYS
        assert (row["name"], row["status"], row["tags"] or "") == (one["name"], one["status"], ", ".join(one["tags"]))
        assert row["start_at"] == f"{one['start_at']:%Y-%m-%d %H:%M}"
        assert row["elapsed_time"] == one["elapsed_time"]
        assert (row["message"] or "") == one["message"]


def test_many_runs_are_a_table_and_a_summary(tools_of: Callable[..., Tools]) -> None:
    runs = [
        a_run(f"r-{n:03d}", n / 10, elapsed_time=float(n), status="failed" if n % 7 == 0 else "completed")
        for n in range(90)
    ]
    tools = tools_of(a_chip() | {"execution_history": runs})
    result = tools.asked(TOOL, since="8d")
    table = tools.store["executions"]["executions"]
    inside = [one for one in runs if one["start_at"] >= ago(8)]
    assert list(table["execution_id"]) == [one["execution_id"] for one in inside]
    assert list(table["elapsed_time"]) == [one["elapsed_time"] for one in inside]
    assert str(table["start_at"].dtype) == "datetime64[ms, UTC]"
    assert table.attrs["units"] == {"elapsed_time": "s"}
    summary = json.loads(result.content)
    assert len(result.content) <= 800
    assert summary["statistics"]["status"] == dict(Counter(one["status"] for one in inside))
    assert summary["statistics"]["elapsed_time_s"]["median"] == statistics.median(one["elapsed_time"] for one in inside)
    assert summary["failed"][:2] == ["r-000", "r-007"]


def test_the_runs_of_one_user(tools_of: Callable[..., Tools]) -> None:
    runs = [a_run(f"r-{n}", n + 1, username=name) for n, name in enumerate(["aoi", "bob", None, "aoi", ""])]
    tools = tools_of(a_chip() | {"execution_history": runs})
    rows = tools.rows(TOOL, username="aoi")
    assert [(row["execution_id"], row["username"]) for row in rows] == [("r-0", "aoi"), ("r-3", "aoi")]
    assert [row["execution_id"] for row in tools.rows(TOOL, username="aoi", last_n=1)] == ["r-0"]
    assert len(tools.rows(TOOL, username="")) == 5
    assert tools.failure(TOOL, username="aio")["try_instead"] == "Did you mean aoi?"
    assert tools.failure(TOOL, username="bob", since="1d")["kind"] == "no_data"


def test_two_chips_may_have_one_run_id_on_a_day(tools_of: Callable[..., Tools]) -> None:
    runs = [a_run("20260629-000", 1), a_run("20260629-000", 1, chip_id="other", name="of the other chip")]
    tools = tools_of(a_chip() | {"execution_history": runs})
    assert [row["name"] for row in tools.rows(TOOL)] == ["daily"]
    assert "may have one `execution_id`" in json.loads(tools.asked("describe", names=[TOOL]).content)[TOOL]["tool"]


def test_old_durations_that_are_text_are_read_and_an_unknown_one_is_null(tools_of: Callable[..., Tools]) -> None:
    elapsed = ["0:12:03", None, 303, "a while"]
    runs = [a_run(f"r-{n}", n + 1, elapsed_time=text) for n, text in enumerate(elapsed)]
    rows = tools_of(a_chip() | {"execution_history": runs}).rows(TOOL)
    assert [row["elapsed_time"] for row in rows] == [723, None, 303, None]


def test_nothing_found_says_what_there_is(tools_of: Callable[..., Tools]) -> None:
    tools = tools_of(a_chip() | {"execution_history": [a_run("r-1", 3)]})
    assert "The newest run is r-1 from 2026-06-27 " in tools.failure(TOOL, status="failed")["try_instead"]
    assert tools.failure(TOOL, since="1d")["kind"] == "no_data"
    assert tools.failure(TOOL, tags=["dailly"])["try_instead"] == "Did you mean daily?"
    assert tools.failure(TOOL, status="pending")["kind"] == "invalid_arguments"
    assert tools_of(a_chip()).failure(TOOL)["error"] == "Chip c has no recorded runs."


@pytest.mark.parametrize(
    ("asked", "total"),
    [({"last_n": 2}, 9), ({"status": "failed", "last_n": 1}, 2), ({"tags": ["daily"], "last_n": 4}, 9), ({}, None)],
)
def test_a_cut_list_says_how_many_there_are(
    tools_of: Callable[..., Tools], asked: dict[str, Any], total: int | None
) -> None:
    runs = [a_run(f"r-{n}", n + 1, status="failed" if n % 7 == 0 else "completed") for n in range(9)]
    tools = tools_of(a_chip() | {"execution_history": runs})
    assert tools.content(TOOL, **asked).get("total") == total
    assert tools.content(TOOL, since="30d", last_n=8)["total"] == 9
    assert "total" not in tools.content(TOOL, since="30d", last_n=9), "it is whole"
