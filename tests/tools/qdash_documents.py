"""Documents in QDash's shapes: the sample that QDash itself wrote, and small ones made by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import Any

from tests.data.conformance.documents import qdash_sample

SMALL_CHIP = 16
NOW = datetime(2026, 6, 30, tzinfo=UTC)
SAMPLE_NOW = datetime(2026, 7, 1, tzinfo=UTC)
"""QDash wrote the last results of the sample on the evening before."""

Document = dict[str, Any]
_ids = count(1)


@cache
def sample() -> dict[str, list[Document]]:
    """Without the task results of the large chip's other 48 qubits: the tests' own server reads them slowly."""
    documents = qdash_sample()
    results = documents["task_result_history"]
    documents["task_result_history"] = [one for one in results if int(one["qid"].partition("-")[0]) < SMALL_CHIP]
    return documents


def of_chip(collection: str, project_id: str, chip_id: str) -> list[Document]:
    """The sample's documents of one chip."""
    return [one for one in sample()[collection] if (one["project_id"], one["chip_id"]) == (project_id, chip_id)]


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def document(**fields: Any) -> Document:
    return {"_id": f"{next(_ids):024x}", "project_id": "p", "chip_id": "c", "username": "aoi"} | fields


def a_chip(qubits: int = 16, **more: Any) -> dict[str, list[Document]]:
    """A chip with its qubits and two couplings, each pair in both directions."""
    chip = document(size=qubits, topology_id=f"square-lattice-mux-{qubits}", activity_status="active", **more)
    pairs = ("0-1", "1-0", "4-1", "1-4")
    return {
        "chip": [chip],
        "qubit": [document(qid=str(qid), data={}, **more) for qid in range(qubits)],
        "coupling": [document(qid=pair, data={}, **more) for pair in pairs],
    }


def task(name: str, qid: str, days_ago: float, outputs: dict[str, Any] | None = None, **more: Any) -> Document:
    start = ago(days_ago)
    whole = {
        "task_id": f"task-{next(_ids)}",
        "name": name,
        "qid": qid,
        "status": "completed",
        "execution_id": f"{start:%Y%m%d}-000",
        "output_parameters": {
            parameter: value if isinstance(value, dict) else {"value": value, "unit": "μs", "error": 0.5}
            for parameter, value in (outputs or {}).items()
        },
        "start_at": start,
        "end_at": start + timedelta(seconds=30),
        "elapsed_time": 30.0,
        "message": "",
        "excluded": False,
        "tags": [],
        "cooldown_id": "",
    }
    return document(**whole | more)


def version(number: int, parameter: str = "t1", qid: str = "0", **more: Any) -> Document:
    at = ago(100 - number)
    run, task_id = f"{at:%Y%m%d}-000", f"task-{number}"
    whole = {
        "entity_id": f"{parameter}:{qid}:{run}:{task_id}",
        "parameter_name": parameter,
        "qid": qid,
        "value": 50.0 + number,
        "unit": "μs",
        "error": 1.23456,
        "version": number,
        "valid_from": at,
        "valid_until": None,
        "execution_id": run,
        "task_id": task_id,
        "task_name": "CheckT1",
    }
    return document(**whole | more)


def activity(made: Document, **more: Any) -> Document:
    """The task that made a version."""
    whole = {
        "activity_id": f"{made['execution_id']}:{made['task_id']}",
        "task_name": made["task_name"],
        "qid": made["qid"],
        "status": "completed",
        "execution_id": made["execution_id"],
        "task_id": made["task_id"],
        "started_at": made["valid_from"] - timedelta(minutes=2),
        "ended_at": made["valid_from"],
    }
    return document(**whole | more)


def edge(relation: str, source: str, target: str, **more: Any) -> Document:
    ends = {"source_id": source, "target_id": target}
    kinds = {end.replace("_id", "_type"): "entity" if ends[end].count(":") > 1 else "activity" for end in ends}
    return document(relation_type=relation, relation_id=f"{relation}:{source}:{target}", **ends, **kinds, **more)
