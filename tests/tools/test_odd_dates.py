"""A result from the future, or of a date that cannot be: marked, never the newest, in no window that ends now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.tools.qdash_documents import NOW, a_chip, ago, document, task
from tests.tools.toolbench import Tools, told_rows

SOON, LATE = NOW + timedelta(minutes=10), NOW + timedelta(minutes=11)
YEAR_9999, EPOCH = datetime(9999, 6, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)
BOTH = pytest.mark.parametrize("kind", ["snapshot", pytest.param("mongo", marks=pytest.mark.mongo)])


def t1(value: float, at: datetime, task_id: str = "") -> dict[str, Any]:
    return {"value": value, "unit": "μs", "error": 0.5, "calibrated_at": at, "task_id": task_id}


def odd(value: float, at: datetime, **more: Any) -> dict[str, Any]:
    whole = {"start_at": at, "end_at": at} | more
    return task("CheckT1", "0", 0, {"t1": t1(value, at)}, **whole)


def chip_of(*odd_ones: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    results = [task("CheckT1", "0", days, {"t1": t1(40 + days, ago(days))}) for days in range(1, 9)]
    return a_chip(4) | {"task_result_history": [*results, *odd_ones]}


@BOTH
@pytest.mark.parametrize("at", [LATE, YEAR_9999, EPOCH, YEAR_9999.isoformat()])
def test_it_is_marked_and_never_the_newest(opened: Callable[..., Any], kind: str, at: Any) -> None:
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    wrong = odd(99.0, moment, start_at=at, task_id="wrong")
    tools = Tools(opened(kind, chip_of(wrong)))
    (latest,) = told_rows(tools.content("get_latest_task_result", task_name="CheckT1", qid="0"))
    assert (latest["output_parameters"]["t1"]["value"], latest["start_at"]) == (41, "2026-06-29 00:00")
    rows = tools.rows("search_task_results", last_n=20)
    assert [row["flag"] for row in rows if row["flag"]] == [
        f"suspicious: start_at {moment:%Y-%m-%d %H:%M}Z; suspicious: end_at {moment:%Y-%m-%d %H:%M}Z"
    ]
    assert rows[-1]["task_id"] == "wrong", "what has no date comes last"
    assert rows[-1]["start_at"] is None
    assert tools.content("search_task_results", last_n=3, total=True)["total"] == 9
    for asked in ({}, {"last_n": 3}, {"since": "30d"}):
        content = tools.content("get_parameter_timeseries", parameter_name="t1", qid="0", **asked)
        assert 99 not in [row["v"] for row in told_rows(content)]
        assert (content["latest"], content["age_days"]) == (41, 1)
    if moment != EPOCH:
        window = tools.rows("search_task_results", since="30d")
        assert "wrong" not in [row["task_id"] for row in window]
    assert "start_at" in [problem.field for problem in tools.toolbox.context.reader.problems()]


@BOTH
def test_a_clock_that_is_ten_minutes_ahead_is_believed(opened: Callable[..., Any], kind: str) -> None:
    tools = Tools(opened(kind, chip_of(odd(77.0, SOON))))
    (latest,) = told_rows(tools.content("get_latest_task_result", task_name="CheckT1", qid="0"))
    assert (latest["output_parameters"]["t1"]["value"], latest["flag"]) == (77, None)


@BOTH
def test_a_current_value_from_the_future_gives_way_to_the_newest_that_counts(
    opened: Callable[..., Any], kind: str
) -> None:
    documents = chip_of(odd(99.0, YEAR_9999, task_id="wrong"))
    documents["qubit"][0]["data"] = {"t1": t1(99.0, YEAR_9999, "wrong")}
    documents["qubit"][1]["data"] = {"t1": t1(50.0, LATE, "only")}
    tools = Tools(opened(kind, documents))
    (of_0,), (of_1,) = (told_rows(tools.content("get_qubit_params", qid=qid)) for qid in "01")
    assert (of_0["value"], of_0["age_days"]) == (41, 1)
    assert of_0["flag"] == "suspicious: calibrated_at 9999-06-01 00:00Z: 99 μs"
    assert (of_1["value"], of_1["age_days"], of_1["calibrated_at"]) == (50, None, None)
    assert of_1["flag"] == "suspicious: calibrated_at 2026-06-30 00:11Z"


@BOTH
def test_a_run_from_the_future_is_no_newest_run(opened: Callable[..., Any], kind: str) -> None:
    runs = [
        document(execution_id=name, name="daily", status="completed", tags=[], start_at=at, end_at=None, message="")
        for name, at in (("now", ago(1)), ("late", YEAR_9999), ("then", ago(2)))
    ]
    tools = Tools(opened(kind, a_chip(4) | {"execution_history": runs}))
    assert [row["execution_id"] for row in tools.rows("get_execution_history")] == ["now", "then", "late"]
    assert [row["execution_id"] for row in tools.rows("get_execution_history", last_n=1)] == ["now"]
    assert [row["execution_id"] for row in tools.rows("get_execution_history", since="7d")] == ["now", "then"]
    assert tools.rows("get_execution_history")[-1]["flag"] == "suspicious: start_at 9999-06-01 00:00Z"


@BOTH
def test_the_counts_of_a_window_leave_it_out(opened: Callable[..., Any], kind: str) -> None:
    tools = Tools(opened(kind, chip_of(odd(99.0, YEAR_9999), odd(98.0, LATE))))
    content = tools.content("search_task_results", since="30d", last_n=2, total=True)
    assert content["total"] == 8


@BOTH
@pytest.mark.parametrize("asked", [{}, {"last_n": 3}, {"since": "30d"}])
@pytest.mark.parametrize("at", [LATE, EPOCH, YEAR_9999.isoformat()])
def test_a_series_says_which_of_its_measurements_have_no_date(
    opened: Callable[..., Any], kind: str, at: Any, asked: dict[str, Any]
) -> None:
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    wrong = odd(99.0, moment, start_at=at, task_id="wrong")
    excluded = odd(98.0, moment, excluded=True, excluded_reason="heater")
    tools = Tools(opened(kind, chip_of(wrong, excluded)))
    said = f"suspicious: start_at {moment:%Y-%m-%d %H:%M}Z; suspicious: end_at {moment:%Y-%m-%d %H:%M}Z"
    for tool, which in (("get_chip_parameter_timeseries", {}), ("get_parameter_timeseries", {"qid": "0"})):
        content = tools.content(tool, parameter_name="t1", **which, **asked)
        if not which:
            assert content["flagged"] == {"0": f"1 of {3 + 1 if asked == {'last_n': 3} else 8 + 1}: {said}"}
        table = tools.toolbox.context.store[content["data_key"]]["odd_dates"]
        assert table[["qid", "v", "task_id", "flag"]].to_numpy().tolist() == [["0", 99.0, "wrong", said]]
    assert tools.content("generate_chip_heatmap", metric_name="t1")["flagged"] == {"0 t1": said}


@BOTH
def test_of_a_parameter_with_no_other_dates_that_is_said(opened: Callable[..., Any], kind: str) -> None:
    documents = a_chip(4) | {"task_result_history": [odd(99.0, YEAR_9999)]}
    tools = Tools(opened(kind, documents))
    assert "9999-06-01" in tools.failure("get_chip_parameter_timeseries", parameter_name="t1")["error"]


@BOTH
def test_lists_in_which_it_is_not_say_so(opened: Callable[..., Any], kind: str) -> None:
    runs = [
        document(execution_id=name, name="daily", status="completed", tags=[], start_at=at, end_at=None, message="")
        for name, at in (("now", ago(1)), ("late", YEAR_9999), ("then", ago(2)))
    ]
    tools = Tools(opened(kind, chip_of(odd(99.0, YEAR_9999)) | {"execution_history": runs}))
    result = "1, never newest, in no time range: suspicious: start_at 9999-06-01 00:00Z"
    on_q0 = {"task_name": "CheckT1", "qid": "0"}
    for content in (
        tools.content("search_task_results", since="30d"),
        tools.content("search_task_results", last_n=2),
        tools.content("get_latest_task_result", **on_q0),
        tools.content("get_task_history", **on_q0, last_n=3),
        tools.content("get_execution_history", since="7d"),
        tools.content("get_execution_history", last_n=1),
    ):
        assert content["odd_dates"].startswith(result)
    assert "odd_dates" not in tools.content("search_task_results", last_n=20)
    assert "odd_dates" not in tools.content("get_task_history", **on_q0, last_n=20)
