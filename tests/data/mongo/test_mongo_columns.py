"""Batches that pymongo hands on as they are, read our way and its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from bson import raw_bson
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from qdash_jupyter.data.mongo.columns import read_columns
from tests.mongo_server import MongoServer

pytestmark = pytest.mark.mongo

COUNT = 2500


@pytest.fixture(scope="module")
def results(secantusd: MongoServer) -> Collection[dict[str, Any]]:
    """More measurements than the server sends at once."""
    collection = secantusd.fresh_database()["task_result_history"]
    start = datetime(2026, 1, 1, tzinfo=UTC)
    collection.insert_many(
        {
            "qid": str(number % 7),
            "name": "CheckT1",
            "execution_id": f"run-{number // 10}",
            "task_id": f"task-{number}",
            "start_at": start + timedelta(seconds=number),
            "output_parameters": {"t1": {"value": number / 8, "error": 0.5, "unit": "μs"}},
        }
        for number in range(COUNT)
    )
    return collection


def test_no_object_is_made_of_a_document(results: Collection[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    real = raw_bson.RawBSONDocument.__init__

    def counting(self: raw_bson.RawBSONDocument, *args: Any, **options: Any) -> None:
        nonlocal made
        made += 1
        real(self, *args, **options)

    monkeypatch.setattr(raw_bson.RawBSONDocument, "__init__", counting)
    assert read_columns(results, {}, "t1", limit_ms=30_000).num_rows == COUNT
    assert made < 100


@pytest.mark.parametrize("filter_", [{}, {"qid": "3"}, {"qid": "none"}], ids=["all", "some", "none"])
def test_the_same_where_pymongo_looks_different(
    results: Collection[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, filter_: dict[str, Any]
) -> None:
    ours = read_columns(results, filter_, "t1", limit_ms=30_000)
    monkeypatch.delattr(raw_bson, "_RAW_ARRAY_BSON_OPTIONS")
    assert ours.num_rows == results.count_documents(filter_)
    assert ours.equals(read_columns(results, filter_, "t1", limit_ms=30_000))


def test_the_servers_error_is_raised(results: Collection[dict[str, Any]]) -> None:
    with pytest.raises(OperationFailure):
        read_columns(results, {"$nonsense": 1}, "t1", limit_ms=30_000)
