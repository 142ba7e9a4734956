"""Generated documents go into an empty database only."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from bson import ObjectId

from qdash_jupyter.data.mongo.indexes import INDEXES
from qdash_jupyter.data.mongo.load import load_documents
from qdash_jupyter.errors import DatabaseError

pytestmark = pytest.mark.mongo

IDENTITY = "0123456789abcdef01234567"
DOCUMENTS = {
    "chip": [{"_id": IDENTITY, "chip_id": "c1", "installed_at": datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)}],
    "task_result_history": [{"project_id": "p1", "task_id": str(n), "qid": str(n)} for n in range(2500)],
    "coupling": [],
}


def test_documents_arrive_as_qdash_writes_them(secantusd) -> None:  # noqa: ANN001
    database = secantusd.fresh_database()
    assert load_documents(DOCUMENTS, database) == {"chip": 1, "task_result_history": 2500, "coupling": 0}
    chip = database["chip"].find_one({"_id": ObjectId(IDENTITY)})
    assert chip == {**DOCUMENTS["chip"][0], "_id": ObjectId(IDENTITY)}
    assert DOCUMENTS["chip"][0]["_id"] == IDENTITY
    assert database["task_result_history"].count_documents({}) == 2500
    assert set(database.list_collection_names()) == {"chip", "task_result_history", "coupling"}
    for collection in database.list_collection_names():
        found = [index["key"] for index in database[collection].index_information().values()]
        keys = [" ".join(f"-{name}" if order < 0 else name for name, order in key) for key in found]
        assert sorted(keys) == sorted(["_id", *INDEXES[collection]])


@pytest.mark.parametrize("held", ["chip", "user", "something_else"])
def test_a_database_that_holds_anything_is_left_alone(secantusd, held: str) -> None:  # noqa: ANN001
    database = secantusd.fresh_database()
    database[held].insert_one({"_id": 1})
    with pytest.raises(DatabaseError, match=held):
        load_documents(DOCUMENTS, database)
    assert database.list_collection_names() == [held]
    assert list(database[held].find()) == [{"_id": 1}]


def test_documents_that_are_not_taken_are_named_by_the_servers_code(secantusd) -> None:  # noqa: ANN001
    twice = {"user": [{"_id": IDENTITY}, {"_id": IDENTITY}]}
    with pytest.raises(DatabaseError, match=r"did not take all documents \(error 11000\)"):
        load_documents(twice, secantusd.fresh_database())
