"""How many commands a call sends to MongoDB once the chip is known: continuations of a cursor do not count."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pymongo
import pytest

from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.people_notes import NOTE_COLLECTIONS
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from tests.data.mongo.whole_protocol import T0, Commands, documents
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer
from tests.tools.toolbench import Tools

pytestmark = pytest.mark.mongo

MOST = 3
DEPTH = 2
MORE = {
    # The values; which are excluded; what was measured instead of these, in three parts side by side.
    **dict.fromkeys(("get_chip_summary", "get_qubit_params", "compare_qubits"), 5),
    # One for each collection, one for the issues' tasks.
    "search_notes": len(NOTE_COLLECTIONS) + 1,
    # The origin; the edges of each level and behind the last one; all values, all tasks; the newest ones.
    "get_provenance_lineage_graph": 1 + DEPTH + 1 + 2 + 1,
}
SINCE = "2026-01-01"

Arguments = dict[str, Any]

CALLS: dict[str, tuple[Arguments, Arguments]] = {
    "get_chip_summary": ({}, {"param_names": ["t1"]}),
    "get_chip_parameter_timeseries": ({"parameter_name": "t1"}, {"parameter_name": "t1", "qids": ["2"]}),
    "get_qubit_params": ({"qid": "1"}, {"qid": "2"}),
    "get_coupling_params": ({"coupling_id": "0-1"}, {"qubit_id": "1"}),
    "compare_qubits": ({"qids": ["0", "1"]}, {"qids": ["2", "3"]}),
    "get_parameter_timeseries": (
        {"parameter_name": "t1", "qid": "1"},
        {"parameter_name": "t1", "qid": "2", "since": SINCE},
    ),
    "get_chip_topology": ({}, {}),
    "list_available_parameters": ({}, {"qid": "2"}),
    "generate_chip_heatmap": ({"metric_name": "t1", "since": SINCE}, {"metric_name": "t1", "since": SINCE}),
    "get_latest_task_result": ({"task_name": "CheckT1", "qid": "1"}, {"task_name": "CheckT1", "qid": "2"}),
    "get_task_history": ({"task_name": "CheckT1", "qid": "1"}, {"task_name": "CheckT1", "qid": "2"}),
    "search_task_results": ({}, {"task_name": "CheckT1", "qid": "2", "since": SINCE}),
    "get_result_curves": ({"task_name": "CheckT1", "qid": "1"}, {"task_name": "CheckT1", "qid": "2"}),
    "get_execution_history": ({}, {"since": SINCE}),
    "get_calibration_notes": ({}, {"qid": "2", "since": SINCE}),
    "search_notes": ({}, {"qid": "2"}),
    "get_parameter_lineage": ({"parameter_name": "t1", "qid": "1"}, {"parameter_name": "t1", "qid": "2"}),
    "get_provenance_lineage_graph": (
        {"entity_id": "t1:1:e:1/0", "max_depth": DEPTH},
        {"entity_id": "t1:2:e:2/0", "max_depth": DEPTH},
    ),
}
"""By tool, a first call and the one that is looked at, about another element where there is one."""


def lab(odd: bool) -> dict[str, list[dict[str, Any]]]:
    """A chip of four qubits; `odd`: with a text for a start, an id as a person writes it, and values of results that
    are excluded."""
    of_chip: Arguments = {"project_id": "p1", "chip_id": "c1"}
    whole = documents()
    qubits = [str(number) for number in range(4)]
    record = {"value": 0.97, "calibrated_at": T0, "task_id": "0-1/0", "execution_id": "e"}
    whole["coupling"] = [of_chip | {"qid": qid, "data": {"zx90_gate_fidelity": record}} for qid in ("0-1", "1-3")]
    for qubit in whole["qubit"]:
        qubit["data"] = {"t1": {"value": 5.0, "calibrated_at": T0, "task_id": f"{qubit['qid']}/0"}}
    whole["execution_history"] = [of_chip | {"execution_id": "e", "status": "completed", "start_at": T0}]
    notes = {"rabi_params": {f"Q0{qid}": {"amplitude": 0.1} for qid in qubits}}
    whole["calibration_note"] = [of_chip | {"execution_id": "e", "task_id": "master", "timestamp": T0, "note": notes}]
    for qid in qubits:
        entity, before = f"t1:{qid}:e:{qid}/0", f"f:{qid}:e:{qid}/0"
        names = {"parameter_name": "t1", "qid": qid, "execution_id": "e", "task_id": f"{qid}/0", "version": 1}
        edges = [("wasGeneratedBy", entity, f"e:{qid}/0"), ("used", f"e:{qid}/0", before)]
        made = {
            "parameter_versions": [of_chip | names | {"entity_id": entity, "value": 1.0, "valid_from": T0}],
            "provenance_activities": [of_chip | {"activity_id": f"e:{qid}/0", "task_name": "CheckT1", "qid": qid}],
            "provenance_relations": [
                of_chip | {"relation_type": kind, "source_id": source, "target_id": target}
                for kind, source, target in edges
            ],
        }
        made["parameter_versions"].append(
            made["parameter_versions"][0] | {"entity_id": before, "parameter_name": "f", "valid_from": T0}
        )
        for collection, rows in made.items():
            whole.setdefault(collection, []).extend(rows)
    if odd:
        whole["task_result_history"][1:4] = [task | {"excluded": True} for task in whole["task_result_history"][1:4]]
        late = (T0 + timedelta(days=1)).isoformat()
        first = whole["task_result_history"][0]
        whole["task_result_history"] += [first | {"qid": "Q2", "task_id": "odd"}, first | {"start_at": late}]
    return whole


@pytest.fixture(scope="module")
def commands() -> Commands:
    return Commands()


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "odd"])
def tools(secantusd: MongoServer, commands: Commands, request: pytest.FixtureRequest) -> Iterator[Tools]:
    database = secantusd.fresh_database()
    load_documents(lab(request.param), database)
    reader = MongoReader(pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])[database.name])
    yield Tools(reader)
    reader.close()


def test_no_tool_is_forgotten() -> None:
    assert set(CALLS) == {tool.name for tool in BUILTIN_TOOLS if tool.effect == "read"} - {"describe"}
    page = Path(__file__).parents[2].joinpath("docs", "data.md").read_text(encoding="utf-8")
    assert [name for name in CALLS if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", CALLS)
def test_a_call_sends_few_commands(tools: Tools, commands: Commands, name: str, request: pytest.FixtureRequest) -> None:
    first, second = CALLS[name]
    tools.content(name, **first)
    commands.sent.clear()
    tools.content(name, **second)
    sent = [f"{next(iter(one))} {next(iter(one.values()))}" for one in commands.queries()]
    marks = "odd-" in request.node.name  # one more command looks for dates that cannot be, where the chip has any
    assert len(sent) <= MORE.get(name, MOST) + marks, sent


ABOUT_ONE: dict[str, Arguments] = {
    "list_available_parameters": {"qid": "2"},
    "get_parameter_timeseries": {"parameter_name": "t1", "qid": "2"},
    "get_chip_parameter_timeseries": {"parameter_name": "t1", "qids": ["2"]},
    "get_qubit_params": {"qid": "2"},
    "compare_qubits": {"qids": ["2", "3"]},
    "get_latest_task_result": {"task_name": "CheckT1", "qid": "2"},
    "get_task_history": {"task_name": "CheckT1", "qid": "2", "last_n": 2},
    "search_task_results": {"execution_id": "e", "last_n": 2},
}


@pytest.mark.parametrize("name", ABOUT_ONE)
def test_the_first_question_about_one_element_goes_through_no_chip(
    tools: Tools, commands: Commands, name: str, secantusd: MongoServer
) -> None:
    known: Any = tools.toolbox.context.reader
    database = known._database.name
    reader = MongoReader(pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])[database])
    commands.sent.clear()
    Tools(reader).content(name, **ABOUT_ONE[name])
    reader.close()
    of_results = [one["pipeline"][0]["$match"] for one in commands.queries() if "task_result_history" in one.values()]
    through_all = [one for one in of_results if set(one) <= {"project_id", "chip_id", "start_at"}]
    assert [one for one in through_all if one["project_id"] is not None] == [], "but what names no project"
