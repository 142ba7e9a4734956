"""Every list that is cut says how many there are, and which of them it gives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.panel_state.frames import frames_of
from tests.tools.qdash_documents import a_chip, ago, document, task, version
from tests.tools.toolbench import Tools

BOTH = pytest.mark.parametrize("kind", ["snapshot", pytest.param("mongo", marks=pytest.mark.mongo)])
EACH = 30


def lab(**odd: Any) -> dict[str, list[dict[str, Any]]]:
    results = [
        task("CheckT1", str(qid), day + qid / 10, {"t1": 50.0 + day}, tags=["odd" if day % 2 else "even"])
        for qid in range(3)
        for day in range(1, EACH + 1)
    ]
    results += [task("CheckT1", "3", 5, {"t1": 40.0}), task("CheckT1", "0", 2, {"t1": 1.0}, excluded=True)]
    results += [task("CheckT1", "0", 3, {}, status="failed"), task("CheckZX90", "0-1", 3, {"t1": 1.0})]
    results += [task("CheckT1", "0", 4, {"t1": 60.0}, **odd)] if odd else []
    runs = [
        document(execution_id=f"r{n}", name="daily", status="completed", tags=[], start_at=ago(n + 1), end_at=None)
        for n in range(EACH)
    ]
    notes = [
        document(execution_id=f"r{n}", task_id="master", note={"kind": {"Q00": {"a": n}}}, timestamp=ago(n + 1))
        for n in range(EACH)
    ]
    others = {"execution_history": runs, "calibration_note": notes}
    return (
        a_chip(4) | others | {"task_result_history": results, "parameter_versions": [version(n) for n in range(1, 30)]}
    )


@pytest.fixture(scope="module")
def on_lab(opened: Callable[..., Any]) -> Callable[..., Tools]:
    """Tools behind a reader of a kind on that lab, which is written once."""
    reader = cache(lambda kind, **odd: opened(kind, lab(**odd)))
    return lambda kind, **odd: Tools(reader(kind, **odd))


@BOTH
@pytest.mark.parametrize("odd", [{}, {"start_at": "2026-06-20T00:00:00"}], ids=["plain", "odd"])
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("get_parameter_timeseries", {"qid": "1", "last_n": 7}, (30, "newest 7 of each, 7 of 30")),
        ("get_parameter_timeseries", {"qid": "1", "last_n": 2, "since": "10d"}, (9, "newest 2 of each, 2 of 9")),
        ("get_parameter_timeseries", {"qid": "1", "last_n": 2, "tags": ["odd"]}, (15, "newest 2 of each, 2 of 15")),
        ("get_chip_parameter_timeseries", {"qids": ["1", "2"]}, (60, "newest 10 of each, 20 of 60")),
        ("get_chip_parameter_timeseries", {"qids": ["1", "3"], "last_n": 1}, (31, "newest 1 of each, 2 of 31")),
        ("search_task_results", {"qid": "1"}, ("≥ 11", "newest 10 of ≥ 11; total: true counts them")),
        ("search_task_results", {"qid": "1", "since": "10d", "last_n": 3, "total": True}, (9, "newest 3 of 9")),
        ("get_task_history", {"task_name": "CheckT1", "qid": "2"}, ("≥ 6", "newest 5 of ≥ 6; total: true counts them")),
        ("get_task_history", {"task_name": "CheckT1", "qid": "2", "total": True}, (30, "newest 5 of 30")),
        ("get_execution_history", {}, (30, "newest 10 of 30")),
        ("get_calibration_notes", {}, (30, "newest 10 of 30")),
        ("get_parameter_lineage", {"parameter_name": "t1", "qid": "0"}, (29, "newest 10 of 29")),
    ],
)
def test_a_cut_list_says_its_total(  # noqa: PLR0917 - its parameters
    on_lab: Callable[..., Tools], kind: str, odd: Any, tool: str, arguments: dict[str, Any], said: tuple[int | str, str]
) -> None:
    tools = on_lab(kind, **odd)
    asked = ({"parameter_name": "t1"} if "timeseries" in tool else {}) | arguments
    content = tools.content(tool, **asked)
    assert (content["total"], content["cut"]) == said
    assert "All rows" not in str(content)


@BOTH
def test_the_whole_chip_counts_its_qubits_alone(on_lab: Callable[..., Tools], kind: str) -> None:
    content = on_lab(kind).content("get_chip_parameter_timeseries", parameter_name="t1")
    assert (content["total"], content["cut"]) == (91, "newest 10 of each, 31 of 91")
    assert content["_note"] == "Rows: data['t1']"


def test_people_read_that_it_is_cut_too(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(lab())
    tools.content("get_chip_parameter_timeseries", parameter_name="t1")
    assert repr(tools.store["t1"]).endswith("; the newest of 91>")
    assert "the newest of 91" in tools.store["t1"]._repr_html_()
    notes = {entry["note"] for entry in frames_of(tools.store)}
    assert [str(note) for note in notes] == ["Only the newest of 91 are here."]
    tools.content("get_chip_parameter_timeseries", parameter_name="t1", last_n=50)
    assert "newest" not in repr(tools.store["t1_2"] if "t1_2" in tools.store else tools.store["t1"])


@BOTH
def test_a_list_that_is_whole_says_so(on_lab: Callable[..., Tools], kind: str) -> None:
    tools = on_lab(kind)
    series = tools.content("get_chip_parameter_timeseries", parameter_name="t1", last_n=31)
    assert series["_note"] == "All rows: data['t1']"
    for content in (
        series,
        tools.content("get_parameter_timeseries", parameter_name="t1", qid="3"),
        tools.content("search_task_results", qid="1", last_n=30),
        tools.content("get_execution_history", last_n=40),
    ):
        assert {"total", "cut"}.isdisjoint(content)


def test_the_limit_of_a_query_stands_in_the_schema() -> None:
    limits = {}
    for spec in BUILTIN_TOOLS:
        if line := spec.schema()["parameters"]["properties"].get("last_n"):
            limits[spec.name] = line["maximum"]
    assert limits["search_task_results"] == 5_000
    assert len(limits) == 9
