"""Where the newest values came from: QDash's provenance graph, as far back as versions are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from demo_chip.documents import Document, Result, Scope, entity_id
from qdash_jupyter.domain.qid import is_coupling


def provenance(scope: Scope, kept: Mapping[str, Sequence[Result]]) -> tuple[list[Document], list[Document]]:
    """`provenance_activities` and `provenance_relations` of one element.

    Args:
        scope: Whose documents these are.
        kept: The results behind the kept versions of each parameter, oldest first. What came before has no entity, and
            no relation leads to it.
    """
    known = {(name, result.task_id): result for name, group in kept.items() for result in group}
    reached: dict[str, Result] = {}
    waiting = [group[-1] for group in kept.values()]
    relations: list[Document] = []
    while waiting:
        result = waiting.pop()
        if result.task_id in reached:
            continue
        reached[result.task_id] = result
        sources = {
            name: known[key] for name, record in result.inputs.items() if (key := (name, record["task_id"])) in known
        }
        waiting += sources.values()
        made = [entity_id(name, result) for name in result.readings if (name, result.task_id) in known]
        used = [entity_id(name, source) for name, source in sources.items()]
        relations += _relations(scope, result, made, used)
    return [_activity(scope, result) for result in reached.values()], relations


def _activity_id(result: Result) -> str:
    return f"{result.run.execution_id}:{result.task_id}"


def _activity(scope: Scope, result: Result) -> Document:
    return {
        "_id": scope.object_id(result.end_at, "activity", result.task_id),
        "activity_id": _activity_id(result),
        "execution_id": result.run.execution_id,
        "task_id": result.task_id,
        "task_name": result.task,
        "task_type": "coupling" if is_coupling(result.qid) else "qubit",
        "qid": result.qid,
        "started_at": result.start_at,
        "ended_at": result.end_at,
        "status": "completed",
        "project_id": scope.project_id,
        "chip_id": scope.chip_id,
    }


def _relations(scope: Scope, result: Result, made: Iterable[str], used: Iterable[str]) -> list[Document]:
    """A task's edges: what it made, what it used, and each of the first from each of the second."""
    activity = _activity_id(result)
    edges = [("wasGeneratedBy", "entity", one, "activity", activity) for one in made]
    edges += [("used", "activity", activity, "entity", one) for one in used]
    edges += [("wasDerivedFrom", "entity", one, "entity", origin) for one in made for origin in used]
    at = result.end_at + timedelta(seconds=1)  # when QDash writes the version
    return [
        {
            "_id": scope.object_id(at, kind, source, target),
            "relation_id": f"{kind}:{source}:{target}",
            "relation_type": kind,
            "source_type": source_type,
            "source_id": source,
            "target_type": target_type,
            "target_id": target,
            "created_at": at,
            "project_id": scope.project_id,
            "execution_id": result.run.execution_id,
        }
        for kind, source_type, source, target_type, target in edges
    ]
