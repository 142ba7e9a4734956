"""A MUX: four qubits that are read out together. A column of tables, and a way to name its qubits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from demo_chip import DemoChip

from tests.tools import plain_truth
from tests.tools.qdash_documents import a_chip, task
from tests.tools.toolbench import Tools

SERIES = "get_chip_parameter_timeseries"


def test_it_is_a_column_by_which_tables_are_grouped(demo: DemoChip, tools: Tools) -> None:
    tools.content("get_chip_summary")
    tools.content(SERIES, parameter_name="t1")
    tools.content("generate_chip_heatmap", metric_name="t1")
    tools.content("compare_qubits", qids=["3", "4", "63"])
    tools.content("get_chip_topology")
    for key, name in (
        ("chip_summary", "qubits"),
        ("chip_summary", "values"),
        ("t1", "qubits"),
        ("heatmap_t1", "heatmap"),
        ("comparison", "qubits"),
        ("topology", "qubits"),
    ):
        table = tools.store[key][name]
        assert list(table.columns[:2]) == ["qid", "mux"], key
        assert [int(mux) for mux in table["mux"]] == [int(qid) // 4 for qid in table["qid"]], key
    newest = {
        qid: data["t1"]["value"]
        for qid, data in plain_truth.current(demo).items()
        if "t1" in data and int(qid) // 4 == 2
    }
    medians = tools.store["chip_summary"]["qubits"].groupby("mux")["t1"].max()
    assert medians["2"] == max(newest.values())


@pytest.mark.parametrize("asked", ["MUX 2", "mux2", "Mux_02"])
def test_its_qubits_are_asked_for_by_its_number(tools: Tools, asked: str) -> None:
    tools.content(SERIES, parameter_name="t1", qids=[asked, "33"])
    assert list(tools.store["t1"]["qubits"]["qid"]) == ["8", "9", "10", "11", "33"]
    found = tools.content("compare_qubits", qids=[asked], param_names=["t1"])
    assert list(found["qubits"]) == ["8", "9", "10", "11"]


def test_one_that_is_not_there(tools: Tools) -> None:
    failure = tools.failure("compare_qubits", qids=["mux 16"])
    assert failure["error"] == "There is no MUX '16' on chip 64Q-demo."
    for name, arguments in (("get_qubit_params", {}), ("get_parameter_timeseries", {"parameter_name": "t1"})):
        assert tools.failure(name, qid="mux 2", **arguments)["kind"] == "not_found"


def test_a_chip_of_another_layout_has_none(tools_on: Callable[..., Tools]) -> None:
    chip = a_chip(16) | {"task_result_history": [task("CheckT1", "1", 1, {"t1": 50.0})]}
    chip["chip"][0]["topology_id"] = "linear-16"
    tools = tools_on(chip)
    tools.content(SERIES, parameter_name="t1")
    assert "mux" not in tools.store["t1"]["qubits"]
    assert "mux" not in tools.content("get_chip_topology")["qubits"]["_schema"]
    assert "There is no MUX '0'" in tools.failure("compare_qubits", qids=["mux 0"])["error"]
