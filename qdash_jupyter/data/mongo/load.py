"""Writes generated documents into an empty MongoDB database: for the demo and for tests, never for a lab's data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bson import ObjectId

from qdash_jupyter.data.mongo.connection import MongoDatabase, label_of
from qdash_jupyter.data.mongo.failure import answered
from qdash_jupyter.data.mongo.indexes import INDEXES, index_model
from qdash_jupyter.errors import DatabaseError

_BATCH = 1000


def load_documents(documents: Mapping[str, Sequence[Mapping[str, Any]]], database: MongoDatabase) -> dict[str, int]:
    """Write `documents` (by collection) into `database`, with QDash's indexes.

    Args:
        documents: documents in QDash's shapes; an `_id` of 24 hexadecimal digits becomes an ObjectId.
        database: a database that holds no collection at all.

    Returns:
        How many documents each collection got.

    Raises:
        DatabaseError: the database holds something already, or cannot be written.
    """
    where = label_of(database)
    held = answered(database.list_collection_names, where)
    if held:
        raise DatabaseError(
            f"The database {where} is not empty: it holds {', '.join(sorted(held)[:5])}.",
            "Generated data go into an empty database only, so that a lab's data cannot be overwritten.",
        )
    return answered(lambda: {name: _load(rows, name, database) for name, rows in documents.items()}, where)


def _load(rows: Sequence[Mapping[str, Any]], name: str, database: MongoDatabase) -> int:
    collection = database[name]
    if name in INDEXES:
        collection.create_indexes([index_model(fields) for fields in INDEXES[name]])
    for batch in _batches(rows):
        collection.insert_many(batch, ordered=True)
    return len(rows)


def _batches(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), _BATCH):
        yield [_with_object_id(row) for row in rows[start : start + _BATCH]]


def _with_object_id(row: Mapping[str, Any]) -> dict[str, Any]:
    identity = row.get("_id")
    return (
        {**row, "_id": ObjectId(identity)} if isinstance(identity, str) and ObjectId.is_valid(identity) else dict(row)
    )
