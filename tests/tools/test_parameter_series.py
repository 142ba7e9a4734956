from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from demo_chip import DemoChip

from qdash_jupyter.tools.timeseries import TREND_CHARS
from tests.data.conformance.documents import at, chip, element, record, result
from tests.tools.plain_truth import Measured, measurements, values
from tests.tools.toolbench import Tools, told_rows

TOOL = "get_parameter_timeseries"


def rows(tools: Tools, **arguments: Any) -> list[dict[str, Any]]:
    answer = tools.asked(TOOL, **arguments)
    assert answer.ok, answer.content
    return told_rows(json.loads(answer.content))


def failure(tools: Tools, **arguments: Any) -> dict[str, Any]:
    return tools.failure(TOOL, **arguments)


def of(demo: DemoChip, parameter: str, qid: str) -> list[Measured]:
    return [one for one in measurements(demo, parameter) if one.qid == qid]


def test_the_newest_ten_oldest_first_with_errors_and_units(demo: DemoChip, tools: Tools) -> None:
    found = rows(tools, parameter_name="T1", qid="Q7")
    documents = {row["task_id"]: row for row in demo.documents["task_result_history"]}
    assert found == [
        {
            "qid": "7",
            "t": f"{one.at:%Y-%m-%d %H:%M}",
            "execution_id": documents[one.task_id]["execution_id"],
            "task_name": "CheckT1",
            "v": float(f"{one.value:.4g}"),
            "error": float(f"{one.error:.4g}"),
            "flag": None,
        }
        for one in of(demo, "t1", "7")[-10:]
    ]
    content = tools.content(TOOL, parameter_name="T1", qid="Q7")
    assert content["timeseries"]["_schema"][:2] == ["t:UTC", "v:μs"]
    assert content["timeseries"]["not_shown"] == ["task_id"]
    assert list(tools.store["t1_of_7"].frame["v"]) == [one.value for one in of(demo, "t1", "7")[-10:]]


def test_a_fit_that_failed_is_null_and_counts_in_no_statistics(demo: DemoChip, tools: Tools) -> None:
    qid = demo.truth.nan_as_zero[0]
    tools.result(TOOL, parameter_name="t1", qid=qid, last_n=10_000)
    stored = tools.store[f"t1_of_{qid}"]
    measured = of(demo, "t1", qid)
    failed = [one for one in measured if one.value is None]
    assert failed
    assert stored["missing"] == len(failed)
    assert stored["statistics"]["count"] == len(measured) - len(failed)
    assert stored["statistics"]["mean"] == pytest.approx(statistics.fmean(values(measured)), rel=5.1e-4)
    around = failed[-1].at + timedelta(seconds=1)
    (row,) = rows(tools, parameter_name="t1", qid=qid, until=around.isoformat(), last_n=1)
    assert (row["v"], row["flag"]) == (None, "no fit")


@pytest.mark.parametrize(
    "window", [{"since": "20d"}, {"since": "40d", "until": "20d"}, {"until": "2026-06-10", "last_n": 4}]
)
def test_time_ranges(demo: DemoChip, tools: Tools, window: dict[str, Any]) -> None:
    ends = {"20d": demo.as_of - timedelta(days=20), "40d": demo.as_of - timedelta(days=40)}
    ends["2026-06-10"] = ends["20d"]
    since, until = ends.get(window.get("since", "")), ends.get(window.get("until", ""))
    inside = [m for m in of(demo, "t2_echo", "7") if (not since or m.at >= since) and (not until or m.at < until)]
    inside = inside[-window["last_n"] :] if "last_n" in window else inside
    assert inside
    tools.result(TOOL, parameter_name="t2_echo", qid="7", **window)
    assert list(tools.store["t2_echo_of_7"].frame["task_id"]) == [one.task_id for one in inside]


def test_many_rows_are_stored_and_the_summary_says_what_comes_first(demo: DemoChip, tools: Tools) -> None:
    qid = demo.truth.t1_falling[0]
    answer = tools.asked(TOOL, parameter_name="t1", qid=qid, since="60d")
    content = json.loads(answer.content)
    stored = tools.store[f"t1_of_{qid}"]
    inside = [one for one in of(demo, "t1", qid) if one.at >= demo.as_of - timedelta(days=60)]
    assert len(answer.content) <= 600 + TREND_CHARS
    assert content["test"] == "step"
    assert content["data_key"] == answer.frame_key == f"t1_of_{qid}"
    assert content["timeseries"]["_rows"] == answer.rows == len(inside) > 20
    assert (content["qid"], content["trend"]) == (qid, "down")
    assert content["timeseries"]["_schema"][:4] == ["qid", "t:UTC", "v:μs", "error"]
    assert answer.content.count("μs") == 2, "of the measurements, and of those before them"
    last = [one for one in inside if one.value is not None][-1]
    assert content["latest"] == float(f"{last.value:.4g}")
    assert content["newest"][0][0] == inside[-1].at.isoformat(timespec="seconds")
    assert content["statistics"]["count"] == len(values(inside))
    assert [None if math.isnan(v) else v for v in stored.frame["v"]] == [one.value for one in inside]
    assert stored.frame.attrs["units"] == {"v": "μs", "error": "μs"}


def test_results_of_a_cool_down_with_a_tag(tools_on: Callable[..., Tools]) -> None:
    results = [
        result("0", {"t1": record(10.0 * n, error=0)}, at(n), cooldown_id=cooldown, tags=tags)
        for n, (cooldown, tags) in enumerate([("a", ["daily"]), ("b", ["daily"]), ("b", []), ("b", ["daily", "x"])], 1)
    ]
    tools = tools_on({"chip": [chip()], "qubit": [element("0", {})], "task_result_history": results})
    found = rows(tools, parameter_name="t1", qid="0", cooldown_id="b", tags=["daily"])
    assert [row["v"] for row in found] == [20, 40]
    assert [row.get("error") for row in found] == [None, None], "0 is none"


def test_each_row_of_mixed_units_has_its_own(tools_on: Callable[..., Tools]) -> None:
    results = [result("0", {"zz": record(50.0)}, at(1)), result("0", {"zz": record(5e4, unit="ns")}, at(2))]
    tools = tools_on({"chip": [chip()], "qubit": [element("0", {})], "task_result_history": results})
    found = rows(tools, parameter_name="zz", qid="0")
    assert [(row["v"], row["unit"]) for row in found] == [(50, "μs"), (50_000, "ns")]
