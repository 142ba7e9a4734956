"""Tools agree: on which results count, on what is not there, and on the direction of a coupling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.tools.conftest import AS_OF
from tests.tools.fault_documents import ON, TRUE_T1, faulty_chip
from tests.tools.qdash_documents import task, version
from tests.tools.toolbench import Tools

EITHER: dict[str, dict[str, Any]] = {
    "list_available_parameters": {},
    "get_parameter_timeseries": {"parameter_name": "zx90_gate_fidelity"},
    "get_latest_task_result": {"task_name": "CheckZX90"},
    "get_task_history": {"task_name": "CheckZX90"},
    "search_task_results": {},
    "get_result_curves": {"task_name": "CheckZX90"},
    "get_calibration_notes": {},
    "search_notes": {},
    "get_parameter_lineage": {"parameter_name": "zx90_gate_fidelity"},
    "get_coupling_params": {},
    "get_chip_parameter_timeseries": {"parameter_name": "zx90_gate_fidelity"},
    "compare_qubits": {},
}
"""What else is said in a call about a coupling, which may be named in either direction."""

NAMED = {"get_coupling_params": "coupling_id", "get_chip_parameter_timeseries": "qids", "compare_qubits": "qids"}


@pytest.fixture(scope="module")
def one_direction(opened: Callable[..., Any]) -> Tools:
    """A chip that knows couplings in one direction only, with something of each kind about them."""
    documents = faulty_chip()
    documents["coupling"] = [one for one in documents["coupling"] if one["qid"] in {"0-1", "4-1"}]
    documents["coupling"][1]["note"] = {"content": "bad", "updated_by": "aoi", "updated_at": AS_OF}
    documents["parameter_versions"].append(version(1, "zx90_gate_fidelity", "4-1"))
    return Tools(opened("snapshot", documents))


@pytest.mark.parametrize("tool", EITHER)
def test_a_coupling_is_found_in_either_direction(one_direction: Tools, tool: str) -> None:
    found = []
    for pair in ("4-1", "Q01-Q04"):
        asked: Any = [pair] if NAMED.get(tool) == "qids" else pair
        content = one_direction.content(tool, **EITHER[tool], **{NAMED.get(tool, "qid"): asked})
        for of_the_call in ("data_key", "_note"):
            content.pop(of_the_call, None)
        if tool == "get_coupling_params":
            assert (content.pop("note", None) is None) == (pair == "4-1")
        if tool == "search_notes":
            assert content["rows"][0]["content"] == "bad"
        found.append(content)
    assert found[0] == found[1]


def test_every_tool_that_takes_an_element_takes_couplings_in_either_direction() -> None:
    of_elements = {
        one.name
        for one in BUILTIN_TOOLS
        if {"qid", "qids", "coupling_id"} & set(one.args.model_json_schema()["properties"])
    }
    assert of_elements - {"get_qubit_params"} == set(EITHER)


def test_tools_agree_on_what_counts_where_a_start_cannot_be_read(opened: Callable[..., Any]) -> None:
    """Behind the snapshot; that both readers agree is for the conformance suite."""
    tools, qid = Tools(opened("snapshot", faulty_chip())), ON["unreadable start"]
    newest = [
        tools.rows("get_parameter_timeseries", parameter_name="t1", qid=qid)[-1]["v"],
        *(
            tools.rows(tool, qid=qid, **asked)[0]["output_parameters"]["t1"]["value"]
            for tool, asked in (
                ("get_latest_task_result", {"task_name": "CheckT1"}),
                ("get_task_history", {"task_name": "CheckT1"}),
                ("search_task_results", {"since": "36h"}),
            )
        ),
        tools.rows("get_qubit_params", qid=qid, param_names=["t1"])[0]["value"],
    ]
    tools.content("generate_chip_heatmap", metric_name="t1", since="36h")
    drawn = tools.store["heatmap_t1"].frame.set_index("qid")["value"]
    assert [*newest, drawn[qid]] == [TRUE_T1["unreadable start"]] * 6


def test_an_excluded_value_is_replaced_by_one_without_a_readable_start(opened: Callable[..., Any]) -> None:
    documents, qid = faulty_chip(), ON["unreadable start"]
    (qubit,) = (one for one in documents["qubit"] if one["qid"] == qid)
    qubit["data"]["t1"] |= {"task_id": "left out", "value": 1.0}
    documents["task_result_history"].append(task("CheckT1", qid, 0.1, {"t1": 1.0}, task_id="left out", excluded=True))
    tools = Tools(opened("snapshot", documents))
    (t1,) = tools.rows("get_qubit_params", qid=qid, param_names=["t1"])
    assert t1["value"] == TRUE_T1["unreadable start"]
    assert tools.content("generate_chip_heatmap", metric_name="t1")["newest_excluded"][qid] == 1


def test_no_tool_says_that_a_broken_document_has_no_results(opened: Callable[..., Any]) -> None:
    tools, qid, dead = Tools(opened("snapshot", faulty_chip())), ON["broken document"], ON["never measured"]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("get_qubit_params", {"qid": qid}),
        ("get_qubit_params", {"qid": qid, "param_names": ["t1"]}),
        ("compare_qubits", {"qids": [dead, qid]}),
    ]
    for tool, arguments in asked:
        failure = tools.failure(tool, **arguments)
        assert failure["error"].startswith("No current values of "), tool
        assert failure["try_instead"] == "There are results of t1. Read them as a time series."
    failure = tools.failure("get_qubit_params", qid=dead)
    assert (failure["error"], failure["try_instead"]) == (
        "Never calibrated on chip c: qubit 15.",
        "There are no results.",
    )


def test_a_broken_coupling_has_results_in_either_direction(opened: Callable[..., Any]) -> None:
    documents = faulty_chip()
    for one in documents["coupling"]:
        one["data"] = "broken"
    tools = Tools(opened("snapshot", documents))
    for pair in ("4-1", "1-4"):
        for tool, arguments in (("get_coupling_params", {"coupling_id": pair}), ("compare_qubits", {"qids": [pair]})):
            hint = tools.failure(tool, **arguments)["try_instead"]
            assert hint == "There are results of zx90_gate_fidelity. Read them as a time series."


def test_of_duplicates_the_one_that_counts_is_the_one_that_the_reader_promises(opened: Callable[..., Any]) -> None:
    """Of two documents of a qubit the value calibrated last; two results of one task are two measurements."""
    tools, qid = Tools(opened("snapshot", faulty_chip())), ON["duplicates"]
    values = {row["parameter"]: row["value"] for row in tools.rows("get_qubit_params", qid=qid)}
    assert (values["t1"], values["t2_echo"]) == (69, 80), "aoi's T2 echo is newer than bob's"
    rows = tools.rows("get_parameter_timeseries", parameter_name="t1", qid=qid)
    assert [row["v"] for row in rows] == [59, 69, 69.5]
    assert len(tools.rows("get_task_history", task_name="CheckT1", qid=qid)) == 3
    said = " ".join(str(QDashReader.current_parameters.__doc__).split())
    assert "the one calibrated last counts" in said
    assert "Two results of one task id are two measurements" in " ".join(
        str(QDashReader.parameter_series.__doc__).split()
    )
