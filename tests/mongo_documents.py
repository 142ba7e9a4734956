"""Documents in MongoDB as QDash would have written them, with the indexes that queries meet in a lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bson import ObjectId
from pymongo import ASCENDING, DESCENDING, IndexModel
from pymongo.database import Database

INDEXES: dict[str, tuple[str, ...]] = {
    "project": ("project_id",),
    "chip": (
        "project_id chip_id username",
        "project_id username -installed_at",
        "project_id user_id -installed_at",
    ),
    "qubit": ("project_id chip_id qid username", "project_id chip_id"),
    "coupling": ("project_id chip_id qid username", "project_id chip_id"),
    "qubit_history": ("project_id chip_id qid username recorded_date",),
    "coupling_history": ("project_id chip_id qid username recorded_date",),
    "task_result_history": (
        "project_id task_id",
        "project_id execution_id",
        "project_id chip_id -start_at",
        "project_id chip_id name qid -end_at",
        "project_id chip_id task_type qid -start_at",
        "project_id chip_id tags start_at",
        "chip_id username task_type status -start_at",
    ),
    "execution_history": (
        "project_id execution_id",
        "project_id chip_id -start_at",
        "project_id chip_id",
        "project_id username -start_at",
        "project_id user_id -start_at",
    ),
    "calibration_note": (
        "project_id execution_id task_id username chip_id",
        "project_id chip_id timestamp",
    ),
    "parameter_versions": (
        "entity_id",
        "project_id parameter_name qid version",
        "project_id parameter_name qid -version",
        "project_id parameter_name qid valid_until",
        "project_id execution_id",
        "project_id task_id",
        "project_id chip_id -valid_from",
    ),
    "provenance_relations": (
        "relation_id",
        "project_id source_type source_id relation_type",
        "project_id target_type target_id relation_type",
        "project_id execution_id",
        "project_id relation_type -created_at",
    ),
    "provenance_activities": (
        "activity_id",
        "project_id execution_id",
        "project_id task_name qid -started_at",
    ),
    "cooldown": ("project_id cooldown_id", "project_id chip_ids -started_at"),
    "chip_note": ("project_id chip_id scope_key",),
    "target_note": ("project_id chip_id target_type target_id scope_key",),
    "metric_note": ("project_id chip_id target_type target_id metric_key scope_key",),
    "issue": ("project_id task_id system_info.created_at",),
    "issue_knowledge": ("project_id -system_info.created_at",),
    "forum_post": ("project_id parent_id is_deleted system_info.created_at",),
}
"""By collection, as in QDash's models of July 2026, without the sparse and the partial ones; fields that descend are
marked with `-`. None is unique here: real databases hold documents from before QDash had these indexes.
"""


def index_model(fields: str) -> IndexModel:
    names = fields.split()
    return IndexModel([(name.removeprefix("-"), DESCENDING if name.startswith("-") else ASCENDING) for name in names])


def load_documents(documents: Mapping[str, Sequence[Mapping[str, Any]]], database: Database[Any]) -> None:
    """Documents by collection; an `_id` of 24 hexadecimal digits becomes an ObjectId."""
    for name, rows in documents.items():
        if name in INDEXES:
            database[name].create_indexes([index_model(fields) for fields in INDEXES[name]])
        if rows:
            database[name].insert_many([_with_object_id(row) for row in rows])


def _with_object_id(row: Mapping[str, Any]) -> dict[str, Any]:
    identity = row.get("_id")
    is_one = isinstance(identity, str) and ObjectId.is_valid(identity)
    return {**row, "_id": ObjectId(identity)} if is_one else dict(row)
