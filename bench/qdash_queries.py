"""The queries of QDash's copilot, as pymongo sends them: the same filters, orders and limits, whole documents.

Where it is not known how QDash asks, the cheaper way is taken here: the topology is not read from its file, couplings
of a qubit are asked for together, and no newer version is looked for in a lineage. QDash makes a model of each document
that it finds; here this is done, and what it costs measured, where `makes_models` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pymongo import DESCENDING
from qdash_documents import Row
from qdash_models import MODELS

if TYPE_CHECKING:
    from pymongo.database import Database

_ENTITY_COLONS = 3


class QDashQueries:
    """Answers out of MongoDB about one chip, whatever its project, as QDash's tools ask."""

    def __init__(self, database: Database[Row], chip_id: str, *, makes_models: bool = False) -> None:
        """Ask `database`."""
        self._database = database
        self._makes_models = makes_models
        self._of_chip = {"chip_id": chip_id}

    def chip(self) -> Row:
        """The first document of that id."""
        return self._first("chip", self._of_chip) or {}

    def elements(self, kind: str, qids: Sequence[str] | None = None) -> Sequence[Row]:
        """All of one kind, without a limit, or those of these ids."""
        of_ids = {} if qids is None else {"qid": {"$in": list(qids)}}
        return self._made(kind, self._database[kind].find(self._of_chip | of_ids))

    def element(self, kind: str, qid: str) -> Row:
        """One query for each."""
        return self._first(kind, self._of_chip | {"qid": qid}) or {"data": {}}

    def results(self, limit: int, **filters: Any) -> Sequence[Row]:
        """Newest first."""
        if (measured := filters.pop("measured", None)) is not None:
            filters["output_parameter_names"] = measured
        return self._newest("task_result_history", "start_at", limit, filters)

    def newest_of_qubits(self, parameter: str) -> Sequence[Row]:
        """Counted by the server, in the project of the chip."""
        output = f"output_parameters.{parameter}"
        match = self._of_chip | {"project_id": self.chip()["project_id"], "task_type": "qubit", "status": "completed"}
        match |= {"excluded": {"$ne": True}, output: {"$exists": True}}
        first = {"_id": "$qid", "value": {"$first": f"${output}.value"}}
        pipeline = [{"$match": match}, {"$sort": {"start_at": -1}}, {"$group": first}]
        return list(self._database["task_result_history"].aggregate(pipeline))

    def parameter_names(self, qid: str | None) -> list[str]:
        """Distinct ones, found by the server."""
        filters = self._of_chip | {"status": "completed"} | ({} if qid is None else {"qid": qid})
        return list(self._database["task_result_history"].distinct("output_parameter_names", filters))

    def runs(self, limit: int, **filters: Any) -> Sequence[Row]:
        """Newest first."""
        return self._newest("execution_history", "start_at", limit, filters)

    def notes(self, limit: int) -> Sequence[Row]:
        """Newest first."""
        return self._newest("calibration_note", "timestamp", limit, {})

    def versions(self, parameter: str, qid: str, limit: int) -> Sequence[Row]:
        """Newest first, in the project of the chip."""
        filters = {"project_id": self.chip()["project_id"], "parameter_name": parameter, "qid": qid}
        return self._newest("parameter_versions", "version", limit, filters)

    def node(self, node: str) -> Row:
        """One query for each."""
        is_entity = node.count(":") == _ENTITY_COLONS
        collection, field = (
            ("parameter_versions", "entity_id") if is_entity else ("provenance_activities", "activity_id")
        )
        return self._first(collection, {field: node}) or {}

    def edges(self, node: str, project_id: str) -> Sequence[Row]:
        """One query for each node."""
        kind = "entity" if node.count(":") == _ENTITY_COLONS else "activity"
        filters = {"project_id": project_id, "source_type": kind, "source_id": node}
        return self._made("provenance_relations", self._database["provenance_relations"].find(filters))

    def _newest(self, collection: str, order: str, limit: int, filters: Row) -> Sequence[Row]:
        found = self._database[collection].find(self._of_chip | filters)
        return self._made(collection, found.sort(order, DESCENDING).limit(limit))

    def _first(self, collection: str, filters: Row) -> Row | None:
        found = self._database[collection].find_one(filters)
        return None if found is None else self._made(collection, [found])[0]

    def _made(self, collection: str, found: Iterable[Row]) -> Sequence[Row]:
        """The documents, after a model was made of each where QDash makes one."""
        rows = list(found)
        if self._makes_models:
            for row in rows:
                MODELS[collection].model_validate(row)
        return rows
