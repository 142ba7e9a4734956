"""Results of tasks, on QDash's own documents and on small ones; the truth is plain Python over the documents."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.tools.qdash_documents import SAMPLE_NOW, a_chip, ago, document, of_chip, task
from tests.tools.toolbench import Tools, told_rows

FACTS = json.loads((Path(__file__).parents[1] / "data" / "conformance.json").read_text(encoding="utf-8"))


def newest(project_id: str, chip_id: str, **fields: Any) -> list[dict[str, Any]]:
    found = [
        one
        for one in of_chip("task_result_history", project_id, chip_id)
        if all(one[field] == value for field, value in fields.items())
    ]
    return sorted(found, key=lambda one: (one["start_at"], one["_id"]), reverse=True)


def four_digits(value: float) -> Any:
    return pytest.approx(value, rel=5.1e-4)


def test_an_excluded_result_counts_only_when_it_is_asked_for_and_then_it_is_marked(
    on_sample: Callable[..., Tools],
) -> None:
    (excluded,) = newest("proj-alpha", "16Q-demo", excluded=True)
    asked = {"task_name": excluded["name"], "qid": excluded["qid"]}
    tools = on_sample("proj-alpha", "16Q-demo")
    assert excluded["output_parameters"]["t1"]["value"] == 9999
    without = tools.rows("get_task_history", **asked, last_n=100)
    assert len(without) == len(newest("proj-alpha", "16Q-demo", name="CheckT1", qid=excluded["qid"])) - 1
    assert all(row["output_parameters"]["t1"]["value"] < 1000 for row in without)
    with_it = tools.rows("get_task_history", **asked, last_n=100, include_excluded=True)
    marked = [row for row in with_it if row["excluded"]]
    assert [row["task_id"] for row in with_it if not row["excluded"]] == [row["task_id"] for row in without]
    assert [(row["execution_id"], row["excluded"], row["excluded_reason"]) for row in marked] == [
        (excluded["execution_id"], True, excluded["excluded_reason"])
    ]
    found = tools.rows("search_task_results", **asked)
    assert [row["task_id"] for row in found if row.get("excluded")] == [excluded["task_id"]]
    assert [row["task_id"] for row in tools.rows("search_task_results", excluded=True)] == [excluded["task_id"]]
    (latest,) = tools.rows("get_latest_task_result", **asked)
    assert latest["execution_id"] == without[0]["execution_id"] != excluded["execution_id"]


def test_the_latest_result_says_how_old_it_is(on_sample: Callable[..., Tools]) -> None:
    one = newest("proj-beta", "16Q-demo", name="CheckRamsey", qid="3", status="completed", excluded=False)[0]
    content = on_sample("proj-beta", "16Q-demo").content("get_latest_task_result", task_name="CheckRamsey", qid="Q03")
    (row,) = told_rows(content)
    assert row["execution_id"] == one["execution_id"]
    assert set(row["output_parameters"]) == set(one["output_parameters"])
    age = (SAMPLE_NOW - one["start_at"]) / timedelta(days=1)
    assert content["age_days"] == pytest.approx(age, rel=5.1e-4)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"status": "failed", "last_n": 7},
        {"qid": "12", "last_n": 9},
        {"task_name": "CheckRamsey", "status": "failed"},
        {"execution_id": "20260629-000", "last_n": 5},
        {"cooldown_id": "2026-001", "last_n": 4},
    ],
)
def test_a_search_finds_what_python_finds(on_sample: Callable[..., Tools], asked: dict[str, Any]) -> None:
    fields = {"name" if name == "task_name" else name: value for name, value in asked.items() if name != "last_n"}
    expected = newest("proj-alpha", "16Q-demo", **fields)[: asked.get("last_n", 10)]
    rows = on_sample("proj-alpha", "16Q-demo").rows("search_task_results", **asked)
    assert [row["task_id"] for row in rows] == [one["task_id"] for one in expected]
    for row, one in zip(rows, expected, strict=True):
        assert row["task_name"] == one["name"]
        assert (row["qid"], row["status"], row["message"]) == (one["qid"], one["status"], one["message"])
        assert row["end_at"] == f"{one['end_at']:%Y-%m-%d %H:%M}"
        assert row["elapsed_time"] == four_digits(one["elapsed_time"])
        assert list(row["output_parameters"] or {}) == list(one["output_parameters"])


def test_a_search_by_tags_wants_all_of_them_and_keeps_to_the_range(on_sample: Callable[..., Tools]) -> None:
    tools = on_sample("proj-alpha", "64Q-demo")
    stored = tools.content("search_task_results", tags=["weekly", "daily"], since="10d", until="2026-06-24T02:00")
    since, until = SAMPLE_NOW - timedelta(days=10), datetime(2026, 6, 24, 2, tzinfo=UTC)
    expected = [
        one["task_id"]
        for one in newest("proj-alpha", "64Q-demo")
        if {"daily", "weekly"} <= set(one["tags"]) and since <= one["start_at"] < until
    ]
    assert list(tools.store["task_results"]["results"]["task_id"]) == expected
    assert stored["results"]["_rows"] == len(expected) > 20


def test_many_results_are_two_tables_with_full_precision_and_a_summary(on_sample: Callable[..., Tools]) -> None:
    tools = on_sample("proj-beta", "16Q-demo")
    result = tools.asked("search_task_results", since="30d")
    expected = newest("proj-beta", "16Q-demo")
    stored = tools.store["task_results"]
    results, outputs = stored["results"], stored["outputs"]
    assert list(results["task_id"]) == [one["task_id"] for one in expected]
    assert list(results["elapsed_time"]) == [one["elapsed_time"] for one in expected]
    assert str(results["start_at"].dtype) == "datetime64[ms, UTC]"
    assert results.attrs["units"] == {"elapsed_time": "s"}
    assert int(results["excluded"].sum()) == 1
    records = [(one["task_id"], name, record) for one in expected for name, record in one["output_parameters"].items()]
    assert list(zip(outputs["task_id"], outputs["parameter"], strict=True)) == [one[:2] for one in records]
    for value, unit, (_, name, record) in zip(outputs["value"], outputs["unit"], records, strict=True):
        assert unit == (record["unit"] or "a.u.")  # of an amplitude QDash may write none
        assert value == record["value"] or (record["value"] == 0 and math.isnan(value)), name
    assert len(result.content) <= 1_200
    summary = json.loads(result.content)
    assert summary["statistics"]["status"] == dict(Counter(one["status"] for one in expected))
    failed = Counter(one["message"] for one in expected if one["status"] == "failed")
    assert {words: int(told.split(" × ")[0]) for words, told in summary["failed"].items()} == dict(failed)
    assert summary["excluded"] == {"CheckT1: bad fit": "1 × on 1"}


def test_counts_are_of_all_that_fit_and_the_worst_come_first(tools_of: Callable[..., Tools]) -> None:
    rows = [
        task("CheckT1", qid, n / 100, status=status, message="low R2")
        for qid, failures in (("2", 3), ("17", 5), ("4", 1))
        for n in range(1, 41)
        for status in ["failed" if n > 40 - failures else "completed"]
    ]
    tools = tools_of(a_chip() | {"task_result_history": rows})
    content = json.loads(tools.asked("search_task_results", last_n=30, total=True).content)
    assert (content["total"], content["results"]["_rows"]) == (120, 30)
    assert content["statistics"] == {"status": {"completed": 111, "failed": 9}, "tasks": {"CheckT1": 120}}
    assert content["failed"] == {"CheckT1": "9 × on 17 (5), 2 (3), 4"}
    few = json.loads(tools.asked("search_task_results", status="failed", last_n=4, total=True).content)
    assert (few["total"], len(told_rows(few))) == (9, 4)
    whole = json.loads(tools.asked("search_task_results", since="30d").content)
    assert "total" not in whole
    assert whole["failed"] == {"CheckT1: low R2": "9 × on 17 (5), 2 (3), 4"}


# -- small documents --------------------------------------------------------------------------------------------


def test_a_zero_that_means_no_fit_is_missing_and_text_is_no_number(tools_of: Callable[..., Tools]) -> None:
    outputs = {"t1": 0, "ramsey_frequency": {"value": 0, "unit": "MHz"}, "t2_echo": {"value": "n/a", "error": None}}
    tools = tools_of(a_chip() | {"task_result_history": [task("CheckT1", "3", 1, outputs)]})
    (row,) = tools.rows("search_task_results")
    assert row["output_parameters"] == {
        "t1": {"value": None, "unit": "μs", "error": 0.5, "missing": "no fit"},
        "ramsey_frequency": {"value": 0, "unit": "MHz"},
        "t2_echo": {"value": None, "unit": "μs", "missing": "unreadable: text 'n/a'"},
    }
    assert [problem.field for problem in tools.toolbox.context.reader.problems()] == ["output_parameters.t2_echo.value"]


@pytest.mark.parametrize(("parameters", "expected"), FACTS["compact_output_parameters"])
def test_outputs_are_shortened_as_qdash_does(
    tools_of: Callable[..., Tools], parameters: dict[str, Any], expected: dict[str, Any]
) -> None:
    tools = tools_of(a_chip() | {"task_result_history": [task("CheckT1", "3", 1, parameters)]})
    (row,) = tools.rows("search_task_results")
    assert (row["output_parameters"] or {}) == expected


def test_moments_have_their_year(tools_of: Callable[..., Tools]) -> None:
    rows = [task("CheckT1", "3", 1, {"t1": 50}), task("CheckT1", "3", 400, {"t1": 60})]
    found = tools_of(a_chip() | {"task_result_history": rows}).rows("get_task_history", task_name="CheckT1", qid="3")
    assert [row["start_at"] for row in found] == [f"{ago(days):%Y-%m-%d %H:%M}" for days in (1, 400)]


@pytest.mark.parametrize("asked", ["CheckT1", "check_t1", "checkt1", "Check T1"])
def test_a_task_s_name_may_be_written_in_many_ways(tools_of: Callable[..., Tools], asked: str) -> None:
    rows = [task("CheckT1", "3", 1, {"t1": 50}), task("CheckT1Average", "3", 2, {"t1": 60})]
    tools = tools_of(a_chip() | {"task_result_history": rows})
    (row,) = tools.rows("get_latest_task_result", task_name=asked, qid="qubit 3")
    assert row["output_parameters"]["t1"]["value"] == 50


def test_unknown_names_are_errors_that_name_the_nearest(tools_of: Callable[..., Tools]) -> None:
    rows = [task(name, "3", 1, {"t1": 50}, tags=["daily"]) for name in ("CheckT1", "CheckRamsey")]
    runs = [document(execution_id="20260629-000", tags=["daily"], start_at=ago(1))]
    cooldowns = [document(cooldown_id="2026-001", chip_ids=["c"], started_at=ago(90))]
    tools = tools_of(a_chip() | {"task_result_history": rows, "execution_history": runs, "cooldown": cooldowns})
    for asked, hint in (
        ({"task_name": "ChekT1"}, "CheckT1"),
        ({"qid": "33"}, "3"),
        ({"tags": ["dayly"]}, "daily"),
        ({"execution_id": "20260629-00"}, "20260629-000"),
        ({"cooldown_id": "2026-01"}, "2026-001"),
    ):
        failure = tools.failure("search_task_results", **asked)
        assert failure["kind"] == "not_found", asked
        assert hint in failure["try_instead"], asked
    for name in ("get_latest_task_result", "get_task_history"):
        assert tools.failure(name, task_name="ChekT1", qid="3")["kind"] == "not_found"
        assert tools.failure(name, task_name="CheckT1", qid="99")["kind"] == "not_found"


def test_the_current_cool_down(tools_of: Callable[..., Tools]) -> None:
    rows = [task("CheckT1", "3", n, {"t1": 50}, cooldown_id=f"2026-00{n}") for n in (1, 2)]
    whole = a_chip() | {"task_result_history": rows}
    whole["chip"][0]["current_cooldown_id"] = "2026-002"
    whole["cooldown"] = [document(cooldown_id=f"2026-00{n}", chip_ids=["c"], started_at=ago(n)) for n in (1, 2)]
    tools = tools_of(whole)
    assert [row["task_id"] for row in tools.rows("search_task_results", cooldown_id="current")] == [rows[1]["task_id"]]
    nothing = tools.failure("search_task_results", cooldown_id="current", status="failed")
    assert nothing["kind"] == "no_data"


def test_nothing_found_says_what_there_is(tools_of: Callable[..., Tools]) -> None:
    rows = [
        task("CheckT1", "3", 2, status="failed", message="low R2"),
        task("CheckT1", "4", 2, {"t1": 9999}, excluded=True, excluded_reason="heater"),
        task("CreateZX90", "4-1", 2, {"cr_amplitude": 0.1}),
    ]
    tools = tools_of(a_chip() | {"task_result_history": rows})
    failed = tools.failure("get_latest_task_result", task_name="CheckT1", qid="3")
    assert failed["kind"] == "no_data"
    assert failed["try_instead"].startswith("The newest result of CheckT1 on Q03 is from 2026-06-28 ")
    assert "(excluded)" in tools.failure("get_task_history", task_name="CheckT1", qid="4")["try_instead"]
    assert (
        "no results of CheckT1 on Q05" in tools.failure("get_task_history", task_name="CheckT1", qid="5")["try_instead"]
    )
    early = tools.failure("search_task_results", qid="3", until="2026-06-01")
    assert early["kind"] == "no_data"
    assert "from 2026-06-28 " in early["try_instead"]
    assert tools.failure("search_task_results", status="running")["kind"] == "no_data"


def test_choices_stand_in_the_schema_and_bounds_in_the_error(tools_of: Callable[..., Tools]) -> None:
    tools = tools_of(a_chip() | {"task_result_history": [task("CheckT1", "3", 1)]})
    spec = tools.toolbox.specs["search_task_results"]
    properties = spec.schema()["parameters"]["properties"]
    assert properties["status"]["enum"] == [
        "scheduled",
        "running",
        "completed",
        "failed",
        "pending",
        "skipped",
        "cancelled",
    ]
    assert properties["last_n"] == {"maximum": 5_000, "type": "integer"}
    assert '"maximum":5000,"minimum":1,' in tools.failure("search_task_results", last_n=5_001)["try_instead"]
    for wrong in ({"status": "done"}, {"last_n": 0}, {"last_n": 5_001}, {"since": "1d", "until": "2d"}):
        assert tools.failure("search_task_results", **wrong)["kind"] == "invalid_arguments", wrong


def test_a_long_message_is_cut_for_the_model_and_whole_in_the_table(tools_of: Callable[..., Tools]) -> None:
    message = "fit failed: " + "x" * 5_000
    rows = [task("CheckT1", "3", n + 1, status="failed", message=message) for n in range(3)]
    tools = tools_of(a_chip() | {"task_result_history": rows})
    (row, *_) = tools.rows("search_task_results")
    assert row["message"] == f"{message[:200]}… (+{len(message) - 200} characters)"
    tools.result("search_task_results")
    assert list(tools.store["task_results"]["results"]["message"]) == [message] * 3
