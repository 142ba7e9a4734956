"""The graph behind a value: shortest paths, both ends of every edge, dates, and stale inputs."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from qdash_jupyter.domain.told_table import rows_of
from tests.tools.qdash_documents import a_chip, activity, edge, sample, version
from tests.tools.tool_truth import graph_behind
from tests.tools.toolbench import Tools

TOOL = "get_provenance_lineage_graph"
NODE_KEYS = ["type", "id", "depth", "param", "qid", "value", "unit", "ver", "task", "exec_id", "valid_from", "status"]
Documents = dict[str, list[dict[str, Any]]]


def nodes_of(graph: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: said for name, said in row.items() if said not in (None, "")} for row in rows_of(graph["nodes"])]


def triples(graph: dict[str, Any]) -> set[tuple[str, str, str]]:
    ids = [node["id"] for node in nodes_of(graph)]
    return {(relation, ids[one], ids[other]) for relation, pairs in graph["edges"].items() for one, other in pairs}


@pytest.mark.parametrize("depth", [1, 2, 5, 20])
def test_the_graphs_of_the_sample(on_sample: Callable[..., Tools], depth: int) -> None:
    documents = sample()
    versions = {(one["project_id"], one["entity_id"]): one for one in documents["parameter_versions"]}
    tasks = {(one["project_id"], one["activity_id"]): one for one in documents["provenance_activities"]}
    for (project, origin), one in list(versions.items())[::41]:
        graph = on_sample(project, one["chip_id"]).content(TOOL, entity_id=origin, max_depth=depth)
        depths, edges = graph_behind(documents, project, origin, depth)
        assert {node["id"]: node["depth"] for node in nodes_of(graph)} == depths
        assert triples(graph) == edges
        assert (graph["origin"], graph["num_nodes"], graph["num_edges"]) == (origin, len(depths), len(edges))
        assert graph["max_depth"] == depth
        assert [node["depth"] for node in nodes_of(graph)] == sorted(depths.values())
        for told in nodes_of(graph):
            node = dict.fromkeys(NODE_KEYS, "") | told
            stored = versions.get((project, node["id"])) or tasks[project, node["id"]]
            assert node["exec_id"] == stored["execution_id"]
            assert (node["task"], node["qid"]) == (stored["task_name"], stored["qid"])
            if node["type"] == "entity":
                assert node["valid_from"] == stored["valid_from"].isoformat(timespec="seconds")
                assert (node["param"], node["unit"]) == (stored["parameter_name"], stored["unit"])
                assert node["value"] == pytest.approx(stored["value"], rel=5.1e-4)
            else:
                assert node["started_at"] == stored["started_at"].isoformat(timespec="seconds")
                assert node["status"] == stored["status"]


def test_a_version_tells_the_newest_one_of_its_chip(on_sample: Callable[..., Tools]) -> None:
    versions = [one for one in sample()["parameter_versions"] if one["project_id"] == "proj-alpha"]
    newest: dict[tuple[str, ...], int] = {}
    for one in versions:
        key = (one["chip_id"], one["parameter_name"], one["qid"])
        newest[key] = max(newest.get(key, 0), one["version"])
    stale = foreign = 0
    for one in versions[::17]:
        graph = on_sample("proj-alpha", one["chip_id"]).content(TOOL, entity_id=one["entity_id"])
        for node in nodes_of(graph):
            if node["type"] == "activity":
                assert "ver" not in node
                continue
            (stored,) = [known for known in versions if known["entity_id"] == node["id"]]
            number, latest = stored["version"], newest[stored["chip_id"], node["param"], node["qid"]]
            assert node["ver"] == (number if number == latest else f"{number}/{latest}")
            assert node.get("chip_id", one["chip_id"]) == stored["chip_id"]
            stale += number != latest
            foreign += "chip_id" in node
    assert stale > 5
    assert foreign > 0, "QDash derives a chip's first value from another chip's"


# -- small graphs -----------------------------------------------------------------------------------------------


def graph_of(versions: list[dict[str, Any]], edges: list[dict[str, Any]], **more: Any) -> Documents:
    tasks = [activity(one) for one in versions]
    return a_chip() | {
        "parameter_versions": versions,
        "provenance_activities": tasks,
        "provenance_relations": edges,
        **more,
    }


def a_chain(length: int) -> tuple[list[dict[str, Any]], Documents]:
    """Each version derived from the one before it, through its task and directly."""
    versions = [version(number) for number in range(1, length + 1)]
    made = {one["entity_id"]: f"{one['execution_id']}:{one['task_id']}" for one in versions}
    edges = [edge("wasGeneratedBy", entity, task) for entity, task in made.items()]
    for before, after in pairwise(versions):
        edges.append(edge("used", made[after["entity_id"]], before["entity_id"]))
        edges.append(edge("wasDerivedFrom", after["entity_id"], before["entity_id"]))
    return versions, graph_of(versions, edges)


def test_the_depth_is_the_shortest_path(tools_of: Callable[..., Tools]) -> None:
    versions, documents = a_chain(5)
    graph = tools_of(documents).content(TOOL, entity_id=versions[-1]["entity_id"])
    depths = {node["id"]: node["depth"] for node in nodes_of(graph)}
    assert [depths[one["entity_id"]] for one in reversed(versions)] == [0, 1, 2, 3, 4]
    assert [depths[f"{one['execution_id']}:{one['task_id']}"] for one in reversed(versions)] == [1, 2, 3, 4, 5]
    assert "edges_beyond_max_depth" not in graph


@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_every_edge_has_both_ends_and_those_that_lead_farther_are_counted(
    tools_of: Callable[..., Tools], depth: int
) -> None:
    versions, documents = a_chain(12)
    origin = versions[-1]["entity_id"]
    tools = tools_of(documents)
    tools.content(TOOL, entity_id=origin, max_depth=depth)
    stored = tools.store["lineage_graph"]
    nodes, edges = set(stored["nodes"]["id"]), stored["edges"]
    depths, expected = graph_behind(documents, "p", origin, depth)
    assert nodes == set(depths)
    assert set(edges.itertuples(index=False, name=None)) == expected
    leading = [one for one in documents["provenance_relations"] if one["source_id"] in nodes]
    assert stored["edges_beyond_max_depth"] == len(leading) - len(edges)


def test_a_cycle_ends(tools_of: Callable[..., Tools]) -> None:
    versions = [version(number) for number in (1, 2, 3)]
    ids = [one["entity_id"] for one in versions]
    turns = [edge("wasDerivedFrom", ids[n], ids[(n + 1) % 3]) for n in range(3)]
    turns += [edge("wasDerivedFrom", ids[0], ids[0]), *turns[:1]]
    turns[-1] = turns[-1] | {"_id": "f" * 24}  # stored twice
    graph = tools_of(graph_of(versions, turns)).content(TOOL, entity_id=ids[0], max_depth=20)
    assert {node["id"]: node["depth"] for node in nodes_of(graph)} == {ids[0]: 0, ids[1]: 1, ids[2]: 2}
    assert graph["num_edges"] == 4


def test_an_edge_to_nothing_is_left_out_and_counted(tools_of: Callable[..., Tools]) -> None:
    (one,) = versions = [version(1)]
    gone = edge("wasDerivedFrom", one["entity_id"], "t1:0:20250101-000:gone")
    graph = tools_of(graph_of(versions, [gone])).content(TOOL, entity_id=one["entity_id"])
    assert (graph["num_nodes"], graph["edges"]) == (1, {})
    assert graph["edges_to_missing_nodes"] == 1


def test_only_what_lies_behind_is_lineage(tools_of: Callable[..., Tools]) -> None:
    old, new = versions = [version(1), version(2)]
    edges = [
        edge("wasInvalidatedBy", old["entity_id"], f"{new['execution_id']}:{new['task_id']}"),
        edge("wasAttributedTo", old["entity_id"], f"{new['execution_id']}:{new['task_id']}"),
        edge("wasDerivedFrom", new["entity_id"], old["entity_id"]),
        edge("wasDerivedFrom", old["entity_id"], new["entity_id"], project_id="elsewhere"),
    ]
    graph = tools_of(graph_of(versions, edges)).content(TOOL, entity_id=old["entity_id"])
    assert (graph["num_nodes"], graph["num_edges"]) == (1, 0)


def test_a_value_of_another_chip_of_the_project_says_so_and_is_compared_with_its_own_chip(
    tools_of: Callable[..., Tools],
) -> None:
    versions = [version(1, chip_id="other"), version(2), version(3, chip_id="other"), version(4, chip_id="other")]
    edges = [edge("wasDerivedFrom", versions[1]["entity_id"], versions[0]["entity_id"])]
    graph = tools_of(graph_of(versions, edges)).content(TOOL, entity_id=versions[1]["entity_id"])
    assert [(node["ver"], node.get("chip_id")) for node in nodes_of(graph)] == [(2, None), ("1/4", "other")]


def test_a_large_graph_is_two_tables_and_a_summary_of_what_went_wrong(tools_of: Callable[..., Tools]) -> None:
    inputs = [version(number, qid=str(number % 16), parameter=f"input_{number}") for number in range(1, 301)]
    inputs[4]["chip_id"] = "other"
    newer = [version(400, qid="1", parameter="input_1")]
    origin = version(500, value=1 / 3)
    versions = [origin, *inputs, *newer]
    edges = [edge("wasDerivedFrom", origin["entity_id"], one["entity_id"]) for one in inputs]
    edges += [edge("wasGeneratedBy", one["entity_id"], f"{one['execution_id']}:{one['task_id']}") for one in inputs]
    documents = graph_of(versions, edges)
    documents["provenance_activities"][7]["status"] = "failed"
    tools = tools_of(documents)
    result = tools.asked(TOOL, entity_id=origin["entity_id"])
    stored = tools.store["lineage_graph"]
    nodes = stored["nodes"].set_index("id")
    assert len(nodes) == 601
    assert len(stored["edges"]) == 600
    assert nodes.loc[origin["entity_id"], "value"] == 1 / 3
    assert nodes.loc[inputs[0]["entity_id"], "newest_version"] == 400
    assert str(nodes["started_at"].dtype) == str(nodes["valid_from"].dtype) == "datetime64[ms, UTC]"
    failed = documents["provenance_activities"][7]["activity_id"]
    summary = json.loads(result.content)
    assert len(result.content) <= 1_500
    assert summary["not_completed"] == {failed: "failed"}
    assert summary["stale_inputs"] == {inputs[0]["entity_id"]: "1/400"}
    assert summary["of_other_chips"] == {inputs[4]["entity_id"]: "other"}
    assert summary["values_nearest_first"][origin["entity_id"]] == "0.3333 μs"
    assert summary["num_nodes"] == 601


def test_ids_that_are_none_and_ids_that_are_not_there(tools_of: Callable[..., Tools]) -> None:
    versions, documents = a_chain(4)
    tools = tools_of(documents)
    known = versions[2]["entity_id"]
    for wrong in ("t1", "t1:0", "t1:0:20260626-000", f"{known}:x", ":0:a:b", "t1:0::b"):
        failure = tools.failure(TOOL, entity_id=wrong)
        assert failure["kind"] == "invalid_arguments"
        assert "<parameter>:<qid>:<execution_id>:<task_id>" in failure["try_instead"]
    near = tools.failure(TOOL, entity_id=known.replace("task-3", "task-33"))
    assert near["kind"] == "not_found"
    assert near["try_instead"].startswith(f"Did you mean {known}")
    assert tools.failure(TOOL, entity_id="t9:0:20260626-000:task-3")["kind"] == "not_found"
    assert tools.failure(TOOL, entity_id="t1:abc:20260626-000:task-3")["error"].startswith(
        "'abc' isn't the ID of a qubit or coupling"
    )
    assert tools.failure(TOOL, entity_id=known, max_depth=21)["kind"] == "invalid_arguments"
    assert tools.failure(TOOL, entity_id=known, max_depth=0)["kind"] == "invalid_arguments"


def test_an_id_with_a_padded_qubit_is_found(tools_of: Callable[..., Tools]) -> None:
    versions, documents = a_chain(2)
    asked = versions[0]["entity_id"].replace("t1:0:", "t1:Q00:")
    assert tools_of(documents).content(TOOL, entity_id=asked)["origin"] == versions[0]["entity_id"]


def test_one_read_a_level(tools_of: Callable[..., Tools]) -> None:
    versions, documents = a_chain(40)
    tools = tools_of(documents)
    reader = tools.toolbox.context.reader
    asked: list[str] = []
    for name in ("relations_from", "entities", "activities", "newest_versions"):
        whole = getattr(reader, name)

        def counted(*arguments: Any, name: str = name, whole: Any = whole) -> Any:
            asked.append(name)
            return whole(*arguments)

        setattr(reader, name, counted)
    tools.content(TOOL, entity_id=versions[-1]["entity_id"], max_depth=10)
    assert {name: asked.count(name) for name in asked} == {
        "entities": 2,
        "relations_from": 11 + 1,  # the tasks between the values, together
        "activities": 1,
        "newest_versions": 1,
    }
