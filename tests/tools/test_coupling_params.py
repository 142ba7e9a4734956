from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from demo_chip import DemoChip

from tests.data.conformance.documents import at, chip, element, qdash_sample, record
from tests.tools.toolbench import Tools, told_rows

TOOL = "get_coupling_params"
FIDELITY = "zx90_gate_fidelity"


def by_coupling(tools: Tools, **arguments: Any) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in told_rows(tools.content(TOOL, **arguments)):
        found.setdefault(row["qid"], {})[row["parameter"]] = row
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


@pytest.mark.parametrize("asked", ["1-4", "Q01-Q04", "Q1-Q4", "coupling 1-4", "01-004"])
def test_the_other_direction_is_understood_and_said(tools: Tools, asked: str) -> None:
    turned, straight = (tools.told(TOOL, coupling_id=one) for one in (asked, "4-1"))
    assert turned.pop("note") == "1-4 was asked for; QDash keeps this pair's values as 4-1 (control-target)."
    assert turned == straight


@pytest.mark.parametrize("qid", ["9", 9, "Q09"])
def test_all_couplings_of_a_qubit(demo: DemoChip, tools: Tools, qid: Any) -> None:
    found = by_coupling(tools, qubit_id=qid)
    assert {frozenset(coupling.split("-")) for coupling in found} == neighbours(9, 8)
    stored = {document["qid"]: document["data"] for document in demo.documents["coupling"]}
    for coupling, values in found.items():
        for name, one in values.items():
            assert one["value"] == float(f"{stored[coupling][name]['value']:.4g}")


def test_a_coupling_of_a_dead_qubit_was_never_calibrated(demo: DemoChip, tools: Tools) -> None:
    dead = demo.truth.dead[0]
    beside = next(q for pair in neighbours(int(dead), 8) for q in pair if q != dead and q not in demo.truth.dead)
    assert set(tools.told(TOOL, qubit_id=beside)["never_calibrated"].split("-")) == {beside, dead}


def test_a_dead_qubit_s_couplings_have_no_values(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, qubit_id=demo.truth.dead[0])
    assert failure["kind"] == "no_data"
    assert "Never calibrated" in failure["error"]


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
    of_4 = by_coupling(tools, chip_id="64Q-demo", qubit_id="4")
    assert {frozenset(coupling.split("-")) for coupling in of_4} == neighbours(4, 8)
    assert all(values.keys() == held[coupling].keys() for coupling, values in of_4.items())
    assert list(by_coupling(tools, chip_id="64Q-demo", coupling_id="1-4")) == ["4-1"]


def test_only_the_parameters_asked_for(tools: Tools) -> None:
    for values in by_coupling(tools, qubit_id="9", param_names=["ZX90 gate fidelity"]).values():
        assert list(values) == [FIDELITY]


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
    assert list(by_coupling(tools, qubit_id="1")) == ["2-1", "3-1"]
    told = tools.told(TOOL, qubit_id="1")
    assert told["never_calibrated"] == "1-7"
    assert "note" not in told, "no direction was asked for"


def test_where_both_directions_hold_values_the_asked_one_is_given(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(hexagon(element("1-2", {"zz": record(1.0)}), element("2-1", {"zz": record(2.0)})))
    for asked, value in (("1-2", 1), ("2-1", 2)):
        found = by_coupling(tools, coupling_id=asked)
        assert {coupling: values["zz"]["value"] for coupling, values in found.items()} == {asked: value}
        assert "note" not in tools.told(TOOL, coupling_id=asked)


def test_a_qubit_without_couplings(tools_on: Callable[..., Tools]) -> None:
    failure = tools_on(hexagon(element("1-2", {}))).failure(TOOL, qubit_id="5")
    assert (failure["kind"], failure["try_instead"]) == ("no_data", "get_chip_topology lists all couplings.")


def test_many_values_are_stored_and_each_still_has_its_line(tools_on: Callable[..., Tools]) -> None:
    data = {f"parameter_{n:02d}": record(n + 0.5, unit="MHz", calibrated_at=at(0)) for n in range(12)}
    couplings = [element(qid, data) for qid in ("1-2", "1-3", "4-1")]
    tools = tools_on(hexagon(*couplings, element("1-5", {})))
    result = tools.asked(TOOL, qubit_id="1")
    content = json.loads(result.content)
    assert len(result.content) <= 600 + 60 * 36
    assert content["data_key"] == "couplings_of_1"
    assert {qid: len(found) for qid, found in content["current"].items()} == {"1-2": 12, "1-3": 12, "4-1": 12}
    assert content["current"]["1-3"]["parameter_07"].startswith("7.50 ± 0.50 MHz, ")
    assert content["never_calibrated"] == "1-5"
