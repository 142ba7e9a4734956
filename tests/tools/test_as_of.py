"""`at`: the values of a date, by QDash's history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from demo_chip import DemoChip

from tests.tools.qdash_documents import a_chip, ago, document, task
from tests.tools.toolbench import Tools, told_rows


def held(value: float, days_ago: float, task_id: str = "") -> dict[str, Any]:
    return {"value": value, "unit": "μs", "error": 0.5, "calibrated_at": ago(days_ago), "task_id": task_id}


def row(qid: str, days_ago: float, data: dict[str, Any]) -> dict[str, Any]:
    """Written then, in the lab's zone (Asia/Tokyo)."""
    return document(qid=qid, data=data, recorded_date=f"{ago(days_ago) + timedelta(hours=9):%Y%m%d}")


def chip_with_a_past() -> dict[str, list[dict[str, Any]]]:
    days = [(9.4, 40.0), (5.4, 50.0), (2.4, 60.0)]  # 14:24 UTC
    results = [
        task("CheckT1", "0", past, {"t1": held(value, past)}, task_id=f"t-{value:g}", excluded=value == 50)
        for past, value in days
    ]
    rows = [row("0", past, {"t1": held(value, past, f"t-{value:g}")}) for past, value in days]
    pair = [
        row("4-1", past, {"zx90_gate_fidelity": held(value / 100, past) | {"unit": "a.u."}}) for past, value in days
    ]
    rows += [row("1", 20.4, {"t1": held(33.0, 20.4)})]
    cooldowns = [
        document(cooldown_id="2026-001", chip_ids=["c"], started_at=ago(30), ended_at=ago(10)),
        document(cooldown_id="2026-002", chip_ids=["c"], started_at=ago(10), ended_at=None),
    ]
    whole = a_chip(3, current_cooldown_id="2026-002") | {"qubit_history": rows, "coupling_history": pair}
    whole["qubit"][0]["data"] = rows[2]["data"]
    whole["coupling"][2]["data"] = pair[2]["data"]
    return whole | {"task_result_history": results, "cooldown": cooldowns}


@pytest.mark.parametrize(
    ("at", "value", "as_of"),
    [
        ("2026-06-21", 40, "2026-06-21 23:59Z"),
        ("2026-06-20", 40, "2026-06-20 23:59Z"),
        ("2026-06-20T14:30", 40, "2026-06-20 14:29Z"),
        ("2026-06-27", 60, "2026-06-27 23:59Z"),
        ("2026-06-27T14:00Z", None, "2026-06-27 13:59Z"),
        ("1d", 60, "2026-06-28 23:59Z"),
        ("2027-01-01", 60, "2026-06-29 23:59Z"),
    ],
)
def test_the_values_of_a_date(tools_of: Callable[..., Tools], at: str, value: float | None, as_of: str) -> None:
    tools = tools_of(chip_with_a_past())
    found = tools.content("get_qubit_params", qid="0", at=at)
    assert found["as_of"] == as_of
    (record,) = told_rows(found)
    assert record["value"] == (value or 40)
    # The result of the 24th is excluded: the newest of then that counts stands in for it, not the one of today.
    assert (record["flag"] or None) == (None if value else "excluded: 50 μs")
    assert record["age_days"] >= 0


def test_ages_count_from_that_date(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(chip_with_a_past())
    (record,) = told_rows(tools.content("get_qubit_params", qid="0", at="2026-06-20"))
    assert record["age_days"] == 0.4
    assert "as_of" not in tools.content("get_qubit_params", qid="0")


def test_couplings_and_the_whole_chip_of_a_date(tools_of: Callable[..., Tools]) -> None:
    tools = tools_of(chip_with_a_past())
    found = tools.content("get_coupling_params", coupling_id="1-4", at="2026-06-21")
    (pair,) = told_rows(found)
    assert (found["as_of"], pair["parameter"], pair["value"]) == ("2026-06-21 23:59Z", "zx90_gate_fidelity", 0.4)
    summary = tools.content("get_chip_summary", at="2026-06-21")
    assert summary["as_of"] == "2026-06-21 23:59Z"
    assert summary["other_cooldowns"] == {"2026-001": ["1"]}
    assert summary["no_values"] == ["2"]
    assert list(tools.store["chip_summary"]["qubits"]["t1"][:2]) == [40, 33]
    earlier = tools.content("get_chip_summary", at="2026-06-11")
    assert "other_cooldowns" not in earlier, "of the cool-down of then"


@pytest.mark.parametrize("at", ["2026-06-01", "2026-06-08"])
def test_before_the_history_an_error_says_so(tools_of: Callable[..., Tools], at: str) -> None:
    failure = tools_of(chip_with_a_past()).failure("get_qubit_params", qid="1", at=at)
    assert failure["kind"] == "no_data"
    assert f"history nor results have values of qubit 1 on chip c before {at} 23:59Z" in failure["error"]


def test_without_a_history_an_error_says_so(tools_on: Callable[..., Tools]) -> None:
    documents = chip_with_a_past()
    tools = tools_on(
        {name: rows for name, rows in documents.items() if name not in {"qubit_history", "coupling_history"}}
    )
    before = tools.failure("get_chip_summary", at="2026-06-01")
    assert "Neither QDash's history nor results have values of any qubit of chip c before 2026-06-01" in before["error"]
    assert before["try_instead"] == "The first result of any task is from 2026-06-20 14:24 UTC."
    assert tools.content("get_chip_summary", at="1d")["calibrated"] == "2026-06-27 14:24Z", "results tell"
    assert tools.failure("get_qubit_params", qid="0", param_names=["t7"], at="1d")["kind"] == "not_found"
    assert tools.failure("get_chip_summary", at="some day")["error"].startswith("at is 'some day'")


@pytest.mark.parametrize("kind", ["snapshot", pytest.param("mongo", marks=pytest.mark.mongo)])
def test_results_tell_what_the_history_has_no_row_of(opened: Callable[..., Any], kind: str) -> None:
    documents = chip_with_a_past()
    documents["task_result_history"] += [
        task("CheckT1", "1", 15.2, {"t1": held(34.0, 15.2)}),
        task("CheckT1", "1", 12.2, {"t1": held(35.0, 12.2), "t1_std": held(2.0, 12.2)}),
        task("CheckT1", "1", 11.5, {"t1": held(99.0, 11.5)}, excluded=True),
        task("CheckT1", "2", 13.0, {"t1": held(36.0, 13.0)}),
        task("CheckT1", "0", 0.1, {"t1": held(61.0, 0.1)}),
    ]
    tools = Tools(opened(kind, documents))
    summary = tools.content("get_chip_summary", at="2026-06-18")
    assert (summary["as_of"], summary["calibrated"]) == (
        "2026-06-18 23:59Z",
        "2026-06-17 00:00Z to 2026-06-17 19:12Z",
    )
    assert list(tools.store["chip_summary"]["qubits"]["t1"].fillna(0)) == [0, 35, 36]
    for at, value in (("2026-06-10", 33), ("2026-06-15", 34), ("2026-06-18", 35), ("2026-06-29", 35)):
        content = tools.content("get_qubit_params", qid="1", at=at, param_names=["t1"])
        assert [row["value"] for row in told_rows(content)] == [value]
    assert content["calibrated"] == "2026-06-17 19:12Z"
    assert [row["parameter"] for row in told_rows(tools.content("get_qubit_params", qid="1", at="1d"))] == [
        "t1",
        "t1_std",
    ]
    assert tools.failure("get_qubit_params", qid="2", at="2026-06-16T00:00")["kind"] == "no_data"


def test_the_demo_chip_has_a_history(demo: DemoChip, tools: Tools) -> None:
    (qid,) = demo.truth.excluded_now
    tools.content("get_chip_summary", at="2026-06-15")
    values = tools.store["chip_summary"]["values"]
    end = demo.as_of - timedelta(days=14)
    rows = [row for row in demo.documents["task_result_history"] if row["end_at"] < end and not row["excluded"]]
    seen = {name for one in rows if one["qid"] == qid for name in one["output_parameters"]}
    assert set(values.loc[values["qid"] == qid, "parameter"]) == seen
    assert (values["calibrated_at"] < end).all()
    newest = {(one["qid"], name): one["task_id"] for one in rows for name in one["output_parameters"]}
    assert all(newest[each.qid, each.parameter] == each.task_id for each in values.itertuples())
