"""Topology, lists of parameters, and which chip is meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from demo_chip import DemoChip

from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.tools.chips import ChipScope, known_qids
from tests.tools.toolbench import Tools


def chip(number: int, project_id: str, chip_id: str, **more: Any) -> dict[str, Any]:
    whole = {"_id": f"{number:024x}", "project_id": project_id, "chip_id": chip_id, "size": 16}
    return whole | {"topology_id": "square-lattice-mux-16", "activity_status": "active"} | more


TWO_PROJECTS = {"chip": [chip(1, "alpha", "64Q"), chip(2, "beta", "64Q"), chip(3, "beta", "16Q")]}


def test_positions_and_couplings(tools: Tools) -> None:
    content = tools.content("get_chip_topology")
    stored = tools.store["topology"]
    assert content["num_qubits"] == 64
    assert content["grid_size"] == 8
    assert (content["topology_id"], content["layout_type"]) == ("square-lattice-mux-64", "grid")
    couplings, qubits = content["couplings"], content["qubits"]
    assert [couplings["targets"][control] for control in ("0", "3", "4")] == ["1 2", "1 2 6 17", "1 5 6"]
    assert qubits["grid"][2].split()[:3] == ["16", "17", "20"]
    assert len({qid for line in qubits["grid"] for qid in line.split()}) == 64
    pairs = stored["couplings"]
    assert [f"{a}-{b}" for a, b in zip(pairs["control"], pairs["target"], strict=True)] == list(pairs["coupling_id"])
    assert len(json.dumps(content, separators=(",", ":"))) < 1_100


def test_a_large_chip_s_topology_is_summarised(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on({"chip": [chip(1, "p", "big", size=1024, topology_id=None)]})
    result = tools.result("get_chip_topology")
    assert len(result.content) <= 600
    assert len(tools.store["topology"]["couplings"]) == 1984


def counted(demo: DemoChip, qid: str | None) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in demo.documents["task_result_history"]:
        if row["status"] == "completed" and not row["excluded"] and qid in (None, row["qid"]):
            for name in row["output_parameters"]:
                counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


@pytest.mark.parametrize(("asked", "qid"), [(None, None), ("Q007", "7"), (7, "7"), ("4-1", "4-1"), ("", None)])
def test_what_was_ever_measured(demo: DemoChip, tools: Tools, asked: Any, qid: str | None) -> None:
    content = tools.content("list_available_parameters", qid=asked)
    assert content == {"chip_id": "64Q-demo", "qid": qid, "results": counted(demo, qid)}


def test_nothing_was_measured_on_a_dead_qubit(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure("list_available_parameters", qid=demo.truth.dead[0])
    assert failure["kind"] == "no_data"
    assert failure["error"].startswith(f"Nothing was measured on {demo.truth.dead[0]} of")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_chip_summary", {}),
        ("get_qubit_params", {"qid": "7"}),
        ("get_coupling_params", {"coupling_id": "4-1"}),
        ("compare_qubits", {"qids": ["7", "12"]}),
        ("get_parameter_timeseries", {"parameter_name": "t1", "qid": "7"}),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1"}),
        ("get_chip_topology", {}),
        ("list_available_parameters", {}),
        ("generate_chip_heatmap", {"metric_name": "t1"}),
    ],
)
def test_every_tool_asks_which_chip_and_knows_the_nearest(
    tools_on: Callable[..., Tools], name: str, arguments: dict[str, Any]
) -> None:
    tools = tools_on(TWO_PROJECTS)
    several = tools.failure(name, **arguments)
    assert several["kind"] == "ambiguous"
    for listed in ("alpha/64Q", "beta/64Q", "beta/16Q"):
        assert listed in several["error"]
    twice = tools.failure(name, **arguments, chip_id="64Q")
    assert twice["kind"] == "ambiguous"
    assert "alpha/64Q, beta/64Q" in twice["error"]
    assert "project/chip" in twice["try_instead"]
    assert "16Q" not in twice["error"]
    unknown = tools.failure(name, **arguments, chip_id="64-Q")
    assert (unknown["kind"], unknown["try_instead"]) == ("not_found", "Did you mean 64Q or 16Q?")
    for wrong in ({"chip_id": "64Q", "project_id": "betta"}, {"chip_id": "betta/64Q"}):
        nowhere = tools.failure(name, **arguments, **wrong)
        assert (nowhere["kind"], nowhere["try_instead"]) == ("not_found", "Did you mean beta?")


@pytest.mark.parametrize(
    ("arguments", "scope", "project"),
    [
        ({"chip_id": "64Q", "project_id": "beta"}, ChipScope(), "beta"),
        ({"chip_id": "beta/64Q"}, ChipScope(project_id="alpha"), "beta"),
        ({"chip_id": "64q"}, ChipScope(project_id="alpha"), "alpha"),
        ({}, ChipScope("beta", "64Q"), "beta"),
        ({"project_id": "alpha"}, ChipScope("beta", "64Q"), "alpha"),
        ({"project_id": "alpha"}, ChipScope(), "alpha"),
    ],
)
def test_the_chip_that_is_meant(
    tools_on: Callable[..., Tools], arguments: dict[str, str], scope: ChipScope, project: str
) -> None:
    tools = tools_on(TWO_PROJECTS, scope)
    tools.content("get_chip_topology", **arguments)
    assert tools.store["topology"].source.arguments == {"project_id": project, "chip_id": "64Q"}


def test_an_id_with_a_slash_is_that_chip_before_it_is_a_project_and_a_chip(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on({"chip": [chip(1, "alpha", "64Q"), chip(2, "beta", "alpha/64Q")]})
    for written, meant in (("alpha/64Q", ("beta", "alpha/64Q")), ("beta/alpha/64Q", ("beta", "alpha/64Q"))):
        tools.content("get_chip_topology", chip_id=written)
        arguments = tools.store["topology"].source.arguments
        assert (arguments["project_id"], arguments["chip_id"]) == meant


@pytest.mark.parametrize(
    ("name", "arguments", "key"),
    [
        ("get_chip_summary", {}, "chip_summary"),
        ("get_qubit_params", {"qid": "7"}, "qubit_7"),
        ("get_coupling_params", {"coupling_id": "4-1"}, "coupling_4-1"),
        ("compare_qubits", {"qids": ["7", "12"]}, "comparison"),
        ("get_parameter_timeseries", {"parameter_name": "t1", "qid": "7"}, "t1_of_7"),
        ("get_chip_parameter_timeseries", {"parameter_name": "t1"}, "t1"),
        ("generate_chip_heatmap", {"metric_name": "t1"}, "heatmap_t1"),
    ],
)
def test_every_stored_result_knows_its_chip(tools: Tools, name: str, arguments: dict[str, Any], key: str) -> None:
    assert tools.result(name, **arguments).ok
    asked = tools.store[key].source.arguments
    assert asked.items() >= {"project_id": "demo", "chip_id": "64Q-demo", **arguments}.items()


def test_the_only_active_chip_needs_no_name(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on({"chip": [chip(1, "p", "old", activity_status="inactive"), chip(2, "p", "new")]})
    assert tools.content("get_chip_topology")["chip_id"] == "new"


def test_the_current_chip_may_change_and_nothing_is_overwritten(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(TWO_PROJECTS, ChipScope("alpha", "64Q"))
    tools.content("get_chip_topology")
    tools.scope.project_id, tools.scope.chip_id = "beta", "16Q"
    tools.content("get_chip_topology")
    assert {key: stored["chip_id"] for key, stored in tools.store.items()} == {"topology": "64Q", "topology_2": "16Q"}


def test_a_question_has_one_result_however_it_is_spelled_and_wherever_it_is_kept(tools: Tools) -> None:
    for qid in ("7", "Q07", "007", "qubit 7"):
        tools.content("get_qubit_params", qid=qid, param_names=["T1" if qid == "7" else "t1"])
    for since in ("2026-06-01", "2026-06-01T00:00:00Z"):
        tools.content("get_chip_parameter_timeseries", parameter_name="t1", since=since)
    assert [(key, stored.version) for key, stored in tools.store.items()] == [("qubit_7", 4), ("t1", 2)]
    tools.store["mine"] = tools.store["t1"]
    tools.content("get_chip_parameter_timeseries", parameter_name="T1", since="2026-06-01")
    assert [(key, stored.version) for key, stored in tools.store.items()] == [("qubit_7", 4), ("mine", 3)]


def test_an_empty_database(tools_on: Callable[..., Tools]) -> None:
    assert tools_on({}).failure("get_chip_topology")["kind"] == "no_data"


def test_many_ids_are_checked_with_one_read_of_each_kind(
    demo_reader: SnapshotReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    (chip,) = demo_reader.chips()
    read, asked = demo_reader.element_ids, []

    def counted(ref: Any, kind: Any, qids: Any = None) -> list[str]:
        asked.append(kind)
        return read(ref, kind, qids)

    monkeypatch.setattr(demo_reader, "element_ids", counted)
    assert known_qids(demo_reader, chip, ["Q07", "7", "36-38", "8"]) == ["7", "36-38", "8"]
    assert asked == ["qubit", "coupling"]
