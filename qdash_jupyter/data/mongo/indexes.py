"""The indexes of QDash's that our commands begin with, and which of them a database lacks."""

from __future__ import annotations

from collections.abc import Iterator

from qdash_jupyter.data.mongo.connection import MongoDatabase

NEEDED: dict[str, tuple[str, ...]] = {
    "qubit": ("project_id chip_id qid",),
    "coupling": ("project_id chip_id qid",),
    "task_result_history": (
        "project_id chip_id start_at",
        "project_id chip_id name qid",
        "project_id chip_id task_type qid",
        "project_id task_id",
        "project_id execution_id",
    ),
    "execution_history": ("project_id chip_id start_at",),
    "calibration_note": ("project_id chip_id timestamp", "project_id execution_id"),
    "parameter_versions": ("project_id parameter_name qid version", "entity_id"),
    "provenance_relations": ("project_id source_type source_id",),
    "provenance_activities": ("activity_id",),
}
"""By collection that grows, the fields with which an index has to begin, in either direction."""


def missing_indexes(database: MongoDatabase) -> Iterator[tuple[str, str]]:
    """Collection and first fields of each index that is not there; a collection that is not there needs none."""
    for collection, wanted in NEEDED.items():
        keys = [[str(name) for name in index["key"]] for index in database[collection].list_indexes()]
        for fields in wanted:
            names = fields.split()
            if keys and not any(key[: len(names)] == names for key in keys):
                yield collection, fields
