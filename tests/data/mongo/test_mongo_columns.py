"""Batches that pymongo hands on as they are: read our way and its own, by columns and by the decoder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from bson import Decimal128, Int64, ObjectId, decode, encode, raw_bson
from bson.codec_options import CodecOptions
from pymongo.collection import Collection
from pymongo.errors import OperationFailure

from qdash_jupyter.data.decode import DocumentDecoder, ProblemLog
from qdash_jupyter.data.mongo.columns import columns_of, read_columns, series_of
from qdash_jupyter.data.mongo.reader import _decoded
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.data.tables import SERIES_COLUMNS
from tests.mongo_server import MongoServer

COUNT = 2500
LATEST = datetime(2026, 11, 28, tzinfo=UTC)
T1 = SeriesQuery(ChipRef("p1", "c1"), "qubit", "t1")
OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(tz_aware=True)
TYPES = {"t": pa.timestamp("ms", tz="UTC"), "v": pa.float64(), "error": pa.float64()}
EMPTY = pa.schema([(name, TYPES.get(name, pa.string())) for name in SERIES_COLUMNS if name != "flag"]).empty_table()


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
            "output_parameters": {"t1": {"value": 1 + number / 8, "error": 0.5, "unit": "μs"}},
        }
        for number in range(COUNT)
    )
    return collection


@pytest.mark.mongo
def test_no_object_is_made_of_a_document(results: Collection[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0
    real = raw_bson.RawBSONDocument.__init__

    def counting(self: raw_bson.RawBSONDocument, *args: Any, **options: Any) -> None:
        nonlocal made
        made += 1
        real(self, *args, **options)

    monkeypatch.setattr(raw_bson.RawBSONDocument, "__init__", counting)
    assert read(results, {}).num_rows == COUNT
    assert made < 100


@pytest.mark.parametrize("filter_", [{}, {"qid": "3"}, {"qid": "none"}], ids=["all", "some", "none"])
@pytest.mark.mongo
def test_the_same_where_pymongo_looks_different(
    results: Collection[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, filter_: dict[str, Any]
) -> None:
    ours = read(results, filter_)
    monkeypatch.delattr(raw_bson, "_RAW_ARRAY_BSON_OPTIONS")
    assert ours.num_rows == results.count_documents(filter_)
    assert ours.equals(read(results, filter_))


@pytest.mark.mongo
def test_the_servers_error_is_raised(results: Collection[dict[str, Any]]) -> None:
    with pytest.raises(OperationFailure):
        read(results, {"$nonsense": 1})


def read(results: Collection[dict[str, Any]], filter_: dict[str, Any]) -> pa.Table:
    """The measurements, none of which is left to the decoder."""
    batches = results.aggregate_raw_batches([{"$match": filter_}])
    found = read_columns(batches, results.codec_options, T1, LATEST)
    assert not found.others
    return pa.concat_tables([*found.tables, EMPTY])


START = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN: dict[str, Any] = {
    "_id": ObjectId(),
    "qid": "7",
    "start_at": START,
    "name": "CheckT1",
    "execution_id": "run",
    "task_id": "task",
    "output_parameters": {"t1": {"value": 5.5, "error": 0.5, "unit": "μs", "calibrated_at": START}},
}


def written(**fields: Any) -> dict[str, Any]:
    """A result with other fields; those of its record by their names with `t1_` before."""
    record = {**PLAIN["output_parameters"]["t1"], **{k[3:]: v for k, v in fields.items() if k.startswith("t1_")}}
    others = {name: value for name, value in fields.items() if not name.startswith("t1_")}
    return {**PLAIN, "output_parameters": {"t1": record}, **others}


READ = [
    PLAIN,
    dict(reversed(PLAIN.items())),
    written(end_at=START, tags=["a", "b"], more={"deep": [{"x": 1}]}, is_new=True, raw=b"1"),
    written(t1_value=5, t1_error=Int64(1)),
    written(t1_error=None),
    written(t1_error=float("inf")),
    written(qid="Q07"),
    written(qid="07-08", name="", execution_id=None),
    written(qid=""),
    written(task_id="量子" * 40),
]
LEFT = [
    written(qid=7),
    written(qid="seven"),
    written(t1_value=0.0),
    written(t1_value="5.5"),
    written(t1_value=True),
    written(t1_value=float("nan")),
    written(t1_value=-1.0),
    written(t1_unit="ns"),
    written(t1_unit=None),
    written(start_at="2026-01-01"),
    written(start_at=None),
    written(start_at=START.replace(year=2099)),
    written(start_at=START.replace(year=1970)),
    written(name=["CheckT1"]),
    written(output_parameters={"t1": 5.5}),
    written(output_parameters=[{"t1": {"value": 5.5}}]),
    written(decimal=Decimal128("1.5")),
]


@pytest.mark.parametrize("qids", [None, ("7",)], ids=["any", "one"])
@pytest.mark.parametrize("times", [1, 50])
def test_what_is_no_plain_measurement_is_left_to_the_decoder(times: int, qids: tuple[str, ...] | None) -> None:
    """Both together are what the decoder alone would read."""
    query, log = replace(T1, qids=qids), ProblemLog(lambda: LATEST)
    tables: list[pa.Table] = [EMPTY]
    all_ = [document for pair in zip_longest(READ * times, LEFT * times) for document in pair if document]
    number, others = columns_of(b"".join(map(encode, all_)), query, LATEST, tables)
    left = [decode(one, OPTIONS) for one in others]
    assert number == len(all_)
    assert len(left) == times * len(LEFT)

    def decoded(documents: Iterable[dict[str, Any]]) -> pd.DataFrame:
        return _decoded((DocumentDecoder("task_result_history", one, log) for one in documents), query)

    ours = pd.concat([series_of(tables), decoded(left)], ignore_index=True)
    columns = list(ours.columns)
    ours, theirs = (frame.sort_values(columns, ignore_index=True) for frame in (ours, decoded(all_)))
    pd.testing.assert_frame_equal(ours, theirs)


def test_a_text_that_is_no_utf8_is_left_to_the_decoder() -> None:
    tables: list[pa.Table] = []
    broken = encode(written(task_id="broken")).replace(b"broken", b"br\xffken")
    number, others = columns_of(encode(PLAIN) + broken, T1, LATEST, tables)
    assert (number, len(list(others)), tables) == (2, 2, [])


def test_more_ways_to_write_than_are_looked_for_are_left_to_the_decoder() -> None:
    tables: list[pa.Table] = []
    documents = [written(**{f"field_{number}": 1}) for number in range(40)]
    _, others = columns_of(b"".join(map(encode, documents)), T1, LATEST, tables)
    assert sum(table.num_rows for table in tables) == 40 - len(list(others)) == 32
