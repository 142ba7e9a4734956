from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from qdash_jupyter.data.demo import DemoChip
from tests.data.conformance.documents import at, chip, element, qdash_sample, record
from tests.tools import plain_truth
from tests.tools.toolbench import Tools

TOOL = "get_coupling_params"
FIDELITY = "zx90_gate_fidelity"


def rows(tools: Tools, **arguments: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(tools.result(TOOL, **arguments).content)["rows"]
    return found


def neighbours(qid: int, grid: int) -> set[frozenset[str]]:
    """Pairs of a qubit with what stands beside it on QDash's square lattice."""
    place = {}
    for q in range(grid * grid):
        mux, k = divmod(q, 4)
        place[q] = (2 * (mux // (grid // 2)) + k // 2, 2 * (mux % (grid // 2)) + k % 2)
    row, col = place[qid]
    beside = {(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)}
    return {frozenset((str(qid), str(q))) for q in place if place[q] in beside}


def test_one_coupling_with_units_errors_dates_and_percent(demo: DemoChip, tools: Tools) -> None:
    (data,) = [document["data"] for document in demo.documents["coupling"] if document["qid"] == "4-1"]
    (row,) = rows(tools, coupling_id="4-1")
    assert set(row) == {"coupling_id", "data"}
    assert row["coupling_id"] == "4-1"
    assert set(row["data"]) == set(data)
    for name, found in row["data"].items():
        assert found["value"] == float(f"{data[name]['value']:.4g}")
        assert found["error"] == float(f"{data[name]['error']:.4g}")
        assert (found["unit"], found["task_id"]) == (data[name]["unit"], data[name]["task_id"])
        assert found["calibrated_at"] == f"{data[name]['calibrated_at']:%Y-%m-%d %H:%M}Z"
    assert row["data"][FIDELITY]["shown"].startswith(f"{100 * data[FIDELITY]['value']:.4g} ± ")
    assert row["data"][FIDELITY]["shown"].endswith(" %")


@pytest.mark.parametrize("asked", ["1-4", "Q01-Q04", "Q1-Q4", "coupling 1-4", "01-004"])
def test_the_other_direction_is_understood_and_said(tools: Tools, asked: str) -> None:
    (row,) = rows(tools, coupling_id=asked)
    (straight,) = rows(tools, coupling_id="4-1")
    assert row.pop("note") == "1-4 was asked for; QDash keeps this pair's values as 4-1 (control-target)."
    assert row == straight


@pytest.mark.parametrize("asked", ["Q4-Q1", "04-01", "4_1", "qubit 4 - qubit 1"])
def test_ids_in_any_spelling(tools: Tools, asked: str) -> None:
    assert rows(tools, coupling_id=asked) == rows(tools, coupling_id="4-1")


@pytest.mark.parametrize("qid", ["9", 9, "Q09"])
def test_all_couplings_of_a_qubit(demo: DemoChip, tools: Tools, qid: Any) -> None:
    found = rows(tools, qubit_id=qid)
    assert {frozenset(row["coupling_id"].split("-")) for row in found} == neighbours(9, 8)
    stored = {document["qid"]: document["data"] for document in demo.documents["coupling"]}
    for row in found:
        for name, one in row["data"].items():
            assert one["value"] == float(f"{stored[row['coupling_id']][name]['value']:.4g}")


def test_a_coupling_of_a_dead_qubit_is_there_and_was_never_calibrated(demo: DemoChip, tools: Tools) -> None:
    dead = demo.truth.dead[0]
    beside = next(q for pair in neighbours(int(dead), 8) for q in pair if q != dead and q not in demo.truth.dead)
    found = {row["coupling_id"]: row for row in rows(tools, qubit_id=beside)}
    (unmeasured,) = [coupling for coupling in found if dead in coupling.split("-")]
    assert found[unmeasured] == {"coupling_id": unmeasured, "data": {}, "missing": "never calibrated"}


def test_a_dead_qubit_s_couplings_have_no_values(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, qubit_id=demo.truth.dead[0])
    assert failure["kind"] == "no_data"
    assert "never calibrated" in failure["error"]


def test_of_documents_that_qdash_wrote_only_the_filled_direction_counts(tools_on: Callable[..., Tools]) -> None:
    documents = qdash_sample()
    held = {
        document["qid"]: document["data"]
        for document in documents["coupling"]
        if (document["project_id"], document["chip_id"]) == ("proj-alpha", "64Q-demo")
    }
    assert held["1-4"] == {}, "QDash keeps both directions"
    assert held["4-1"]
    tools = tools_on(documents)
    of_4 = rows(tools, chip_id="64Q-demo", qubit_id="4")
    assert {frozenset(row["coupling_id"].split("-")) for row in of_4} == neighbours(4, 8)
    assert all(row["data"].keys() == held[row["coupling_id"]].keys() for row in of_4)
    (turned,) = rows(tools, chip_id="64Q-demo", coupling_id="1-4")
    assert turned["coupling_id"] == "4-1"


def test_only_the_parameters_asked_for(tools: Tools) -> None:
    for row in rows(tools, qubit_id="9", param_names=["ZX90 gate fidelity"]):
        assert list(row["data"]) == [FIDELITY]


def hexagon(*couplings: dict[str, Any]) -> dict[str, Any]:
    qubits = [element(str(q), {}) for q in range(8)]
    return {"chip": [chip(topology_id="a-lab-s-own", size=8)], "qubit": qubits, "coupling": list(couplings)}


def test_without_a_known_topology_the_ids_that_there_are_count(tools_on: Callable[..., Tools]) -> None:
    fidelity = {FIDELITY: record(0.97, unit="a.u.")}
    tools = tools_on(
        hexagon(
            element("1-2", {}),
            element("2-1", fidelity),
            element("3-1", fidelity),
            element("1-3", {}),
            element("1-7", {}),
            element("12-4", fidelity),
        )
    )
    found = {row["coupling_id"]: row for row in rows(tools, qubit_id="1")}
    assert list(found) == ["2-1", "3-1", "1-7"]
    assert found["1-7"]["missing"] == "never calibrated"
    assert "note" not in found["2-1"], "no direction was asked for"


def test_where_both_directions_hold_values_the_asked_one_is_given(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(hexagon(element("1-2", {"zz": record(1.0)}), element("2-1", {"zz": record(2.0)})))
    for asked, value in (("1-2", 1), ("2-1", 2)):
        (row,) = rows(tools, coupling_id=asked)
        assert (row["coupling_id"], row["data"]["zz"]["value"]) == (asked, value)
        assert "note" not in row


def test_a_qubit_without_couplings(tools_on: Callable[..., Tools]) -> None:
    failure = tools_on(hexagon(element("1-2", {}))).failure(TOOL, qubit_id="5")
    assert (failure["kind"], failure["try_instead"]) == ("no_data", "get_chip_topology lists all.")


def test_projects_with_the_same_chip_are_never_mixed(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(
        {
            "chip": [chip("p1"), chip("p2")],
            "coupling": [
                element("0-1", {"zz": record(1.0)}, "p1"),
                element("0-1", {"zz": record(2.0, calibrated_at=at(9))}, "p2"),
            ],
        }
    )
    for project, value in (("p1", 1), ("p2", 2)):
        (row,) = rows(tools, project_id=project, coupling_id="0-1")
        assert row["data"]["zz"]["value"] == value


@pytest.mark.parametrize(
    ("arguments", "kind", "hint"),
    [
        ({}, "invalid_arguments", "coupling_id"),
        ({"coupling_id": "", "qubit_id": ""}, "invalid_arguments", "coupling_id"),
        ({"coupling_id": "4-2"}, "not_found", "4-1"),
        ({"coupling_id": "4-99"}, "not_found", "4-"),
        ({"coupling_id": "CR"}, "not_found", "There are: 0-1"),
        ({"qubit_id": "Q633"}, "not_found", "63"),
        ({"coupling_id": "4-1", "param_names": ["zx90_fidelity"]}, "not_found", FIDELITY),
    ],
)
def test_what_is_not_there_names_the_nearest(tools: Tools, arguments: dict[str, Any], kind: str, hint: str) -> None:
    failure = tools.failure(TOOL, **arguments)
    assert failure["kind"] == kind
    assert hint in failure["try_instead"]


def test_the_table_behind_it(demo: DemoChip, tools: Tools) -> None:
    tools.result(TOOL, qubit_id="9")
    frame = tools.store["couplings_of_9"].frame
    stored = {document["qid"]: document["data"] for document in demo.documents["coupling"]}
    assert {frozenset(qid.split("-")) for qid in frame["qid"]} <= neighbours(9, 8)
    for row in frame.itertuples():
        assert row.value == plain_truth.value_of(row.parameter, stored[row.qid][row.parameter])
        assert row.unit == stored[row.qid][row.parameter]["unit"]
    tools.result(TOOL, coupling_id="1-4")
    assert set(tools.store["coupling_1-4"].frame["qid"]) == {"4-1"}


def test_many_values_are_stored_and_each_still_has_its_line(tools_on: Callable[..., Tools]) -> None:
    data = {f"parameter_{n:02d}": record(n + 0.5, unit="MHz", calibrated_at=at(0)) for n in range(12)}
    couplings = [element(qid, data) for qid in ("1-2", "1-3", "4-1")]
    tools = tools_on(hexagon(*couplings, element("1-5", {})))
    result = tools.asked(TOOL, qubit_id="1")
    content = json.loads(result.content)
    assert len(result.content) <= 600 + 60 * 36
    assert content["data_key"] == "couplings_of_1"
    assert {qid: len(found) for qid, found in content["current"].items()} == {"1-2": 12, "1-3": 12, "4-1": 12}
    assert content["current"]["1-3"]["parameter_07"].startswith("7.5 ± 0.5 MHz, ")
    assert content["never_calibrated"] == ["1-5"]


def test_coupling_by_coupling_is_for_the_tool_that_reads_many(tools: Tools) -> None:
    for coupling in ("4-1", "0-1", "0-2"):
        assert tools.asked(TOOL, coupling_id=coupling).ok
    refused = json.loads(tools.asked(TOOL, coupling_id="3-1").content)
    assert refused["kind"] == "call_limit"
    assert "compare_qubits" in refused["try_instead"]
