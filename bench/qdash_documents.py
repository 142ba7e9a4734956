"""What QDash's tools read of a chip: which questions they ask, and their answers out of documents in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Row = dict[str, Any]


class QDashData(Protocol):
    """The questions. Rows are whole documents; those of one chip, whatever its project, as QDash asks."""

    def chip(self) -> Row:
        """The chip's own document."""

    def elements(self, kind: str, qids: Sequence[str] | None = None) -> Sequence[Row]:
        """The chip's `qubit` or `coupling`, all or those of these ids."""

    def element(self, kind: str, qid: str) -> Row:
        """One of them."""

    def results(self, limit: int, **filters: Any) -> Sequence[Row]:
        """The newest task results; the parameter of `measured` is among what they gave."""

    def newest_of_qubits(self, parameter: str) -> Sequence[Row]:
        """`_id` (the qubit's id) and `value` of each qubit's newest result that nobody excluded."""

    def parameter_names(self, qid: str | None) -> list[str]:
        """What completed results gave, in any order."""

    def runs(self, limit: int, **filters: Any) -> Sequence[Row]:
        """The newest runs of flows."""

    def notes(self, limit: int) -> Sequence[Row]:
        """The newest calibration notes."""

    def versions(self, parameter: str, qid: str, limit: int) -> Sequence[Row]:
        """The newest versions of a parameter."""

    def node(self, node: str) -> Row:
        """An entity or an activity of the provenance graph; empty where there is none."""

    def edges(self, node: str, project_id: str, /) -> Sequence[Row]:
        """What leads back from a node."""


class QDashDocuments:
    """Answers out of a chip's documents, by collection."""

    def __init__(self, documents: Mapping[str, Sequence[Row]]) -> None:
        """Answer out of `documents`."""
        self._documents = documents
        versions, activities = documents["parameter_versions"], documents["provenance_activities"]
        self._nodes = {one["entity_id"]: one for one in versions} | {one["activity_id"]: one for one in activities}

    def chip(self) -> Row:
        """The chip's own document."""
        return self._documents["chip"][0]

    def elements(self, kind: str, qids: Sequence[str] | None = None) -> Sequence[Row]:
        """All of one kind, or those of these ids."""
        return [one for one in self._documents[kind] if qids is None or one["qid"] in qids]

    def element(self, kind: str, qid: str) -> Row:
        """One of them."""
        return next(one for one in self._documents[kind] if one["qid"] == qid)

    def results(self, limit: int, **filters: Any) -> Sequence[Row]:
        """Newest first."""
        measured = filters.pop("measured", None)
        found = self._newest("task_result_history", "start_at", filters)
        return [row for row in found if measured is None or measured in row["output_parameter_names"]][:limit]

    def newest_of_qubits(self, parameter: str) -> Sequence[Row]:
        """Of each qubit the newest one."""
        newest: dict[str, Row] = {}
        for row in self._newest("task_result_history", "start_at", {"status": "completed", "task_type": "qubit"}):
            if parameter in row["output_parameters"] and not row["excluded"]:
                value = row["output_parameters"][parameter]["value"]
                newest.setdefault(row["qid"], {"_id": row["qid"], "value": value})
        return list(newest.values())

    def parameter_names(self, qid: str | None) -> list[str]:
        """In any order."""
        filters = {"status": "completed"} | ({} if qid is None else {"qid": qid})
        found = self._newest("task_result_history", "start_at", filters)
        return list({name for row in found for name in row["output_parameter_names"]})

    def runs(self, limit: int, **filters: Any) -> Sequence[Row]:
        """Newest first."""
        return self._newest("execution_history", "start_at", filters)[:limit]

    def notes(self, limit: int) -> Sequence[Row]:
        """Newest first."""
        return self._newest("calibration_note", "timestamp", {})[:limit]

    def versions(self, parameter: str, qid: str, limit: int) -> Sequence[Row]:
        """Newest first."""
        return self._newest("parameter_versions", "version", {"parameter_name": parameter, "qid": qid})[:limit]

    def node(self, node: str) -> Row:
        """By its id."""
        return self._nodes.get(node, {})

    def edges(self, node: str, _: str) -> Sequence[Row]:
        """By their source."""
        return [one for one in self._documents["provenance_relations"] if one["source_id"] == node]

    def _newest(self, collection: str, order: str, filters: Row) -> list[Row]:
        rows = self._documents[collection]
        found = [row for row in rows if all(row[name] == value for name, value in filters.items())]
        return sorted(found, key=lambda row: row[order], reverse=True)
