"""A filter in steps is the same filter: its parts together, and what a server finds with it."""

from __future__ import annotations

from typing import Any

import pytest

from qdash_jupyter.data.mongo.pipelines import matching
from tests.mongo_server import MongoServer
from tests.mongo_steps import flat, led, steps_of

SCOPE = {"project_id": "p", "chip_id": "c"}
NO_LIST = {"$not": {"$type": "array"}}


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        ({}, {}),
        ({"$and": [SCOPE, {"status": {"$in": ["failed"]}}]}, SCOPE | {"status": "failed"}),
        ({"$and": [{"a": {"$gt": 1}}, {"$and": [{"a": {"$lt": 3}}]}]}, {"a": {"$gt": 1, "$lt": 3}}),
        ({"$and": [{"a": {"$gt": 1}}, {"a": {"$gt": 2}}]}, {"a": {"$gt": 1}, "$and": [{"a": {"$gt": 2}}]}),
        ({"$and": [{"a": 1}, {"a": 1}]}, {"a": 1}),
        ({"$and": [{"a": None}, {"a": 1}]}, {"a": None, "$and": [{"a": 1}]}),
        ({"$or": [{"a": 1}], "b": 2}, {"b": 2, "$or": [{"a": 1}]}),
        ({"a": {"$in": [7]}}, {"a": {"$in": [7]}}),
    ],
)
def test_conjunctions_become_fields(filter_: dict[str, Any], expected: dict[str, Any]) -> None:
    assert list(flat(filter_).items()) == list(expected.items())


@pytest.mark.parametrize(
    ("collection", "filter_", "expected"),
    [
        ("task_result_history", SCOPE | {"status": "failed"}, [SCOPE, {"status": "failed"}]),
        ("task_result_history", SCOPE, [SCOPE]),
        ("task_result_history", {"$or": [SCOPE, {"a": 1}]}, [{"$or": [SCOPE, {"a": 1}]}]),
        (
            "task_result_history",
            SCOPE | {"qid": "1", "name": "CheckT1", "start_at": {"$gte": 1}},
            [SCOPE | {"name": "CheckT1", "qid": "1"}, {"start_at": {"$gte": 1}}],
        ),
        (
            "task_result_history",
            SCOPE | {"start_at": {"$gte": 1, "$lt": 2, **NO_LIST}},
            [SCOPE | {"start_at": {"$gte": 1, "$lt": 2}}, {"start_at": NO_LIST}],
        ),
        (
            "task_result_history",
            SCOPE | {"start_at": {"$gte": 1}, "task_id": {"$in": ["a", "b"]}},
            [{"project_id": "p", "task_id": {"$in": ["a", "b"]}}, {"chip_id": "c", "start_at": {"$gte": 1}}],
        ),
        (
            "provenance_relations",
            {"project_id": "p", "source_type": None, "source_id": {"$in": ["a"]}},
            [{"project_id": "p", "source_type": None, "source_id": "a"}],
        ),
        ("issue", {"project_id": "p"}, [{"project_id": "p"}]),
        ("issue", {"project_id": None}, [{"project_id": None}]),
        ("issue", {}, [{}]),
    ],
)
def test_the_first_step_is_what_an_index_leads_to(
    collection: str, filter_: dict[str, Any], expected: list[dict[str, Any]]
) -> None:
    assert steps_of(collection, filter_) == expected


@pytest.mark.mongo
def test_a_server_finds_the_same(secantusd: MongoServer) -> None:
    values: list[Any] = [None, "a", "b", 1, 2, 2.0, ["a", 1], [3], {"x": 1}]
    results = secantusd.fresh_database()["task_result_history"]
    results.insert_many(
        {"project_id": "p", "chip_id": "c", "name": one, "qid": two} for one in values for two in values
    )
    results.insert_many({"project_id": "p", "chip_id": "c", "qid": two} for two in values)
    conditions: list[Any] = [
        *values,
        {"$in": ["a"]},
        {"$in": ["a", None]},
        {"$gt": 0, "$lt": 3},
        {"$gt": 1, **NO_LIST},
        {"$nin": ["", None]},
        {"$exists": True},
    ]
    for number, one in enumerate(conditions):
        for other in conditions[number:]:
            filter_ = {"$and": [SCOPE, {"name": one}, {"$and": [{"name": other}, {"qid": other}]}]}
            found = results.aggregate(led("task_result_history", matching(filter_)))
            plain = results.find(filter_)
            assert {row["_id"] for row in found} == {row["_id"] for row in plain}, (one, other)
