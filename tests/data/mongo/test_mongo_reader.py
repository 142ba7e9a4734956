"""The live reader sends queries only, keeps to its limits, and can be used from several threads."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pymongo
import pytest
from bson import ObjectId
from bson.datetime_ms import DatetimeMS
from pymongo.database import Database
from pymongo.errors import OperationFailure

from qdash_jupyter.data.mongo.pipelines import ALLOWED_STAGES, FORBIDDEN_OPERATORS
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.domain.work import Work, begin
from qdash_jupyter.errors import DatabaseError, DatabaseUnreachable
from tests.data.mongo.whole_protocol import CHIP, QUERIES, T0, T1, Commands, ask_everything, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer

pytestmark = pytest.mark.mongo

HANDSHAKE = {"hello", "ismaster", "ping", "endSessions", "buildInfo", "saslStart", "saslContinue"}


@pytest.fixture(scope="module")
def database(secantusd: MongoServer) -> Database[Any]:
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    return database


@pytest.fixture
def commands() -> Commands:
    return Commands()


@pytest.fixture
def reader(secantusd: MongoServer, database: Database[Any], commands: Commands) -> Iterator[MongoReader]:
    client = pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])
    client.admin.command("ping")
    reader = MongoReader(client[database.name])
    yield reader
    reader.close()


def test_nothing_is_ever_written(reader: MongoReader, commands: Commands) -> None:
    ask_everything(reader)
    list(reader.stream("chip", {}))
    reader.close()
    sent = {next(iter(command)) for command in commands.sent}
    assert sent - HANDSHAKE == {*QUERIES, "getMore"}
    for command in commands.sent:
        if "pipeline" in command:
            stages = [name for stage in command["pipeline"] for name in stage]
            assert set(stages) <= ALLOWED_STAGES
        assert not any(f"'{operator}'" in repr(command) for operator in FORBIDDEN_OPERATORS)
        assert "Regex(" not in repr(command)
        assert "re.compile" not in repr(command)


def test_every_query_has_a_time_limit(reader: MongoReader, commands: Commands) -> None:
    ask_everything(reader)
    list(reader.stream("chip", {}))
    for command in commands.queries():
        assert 0 < command["maxTimeMS"] <= (3_600_000 if "sort" in command and "_id" in command["sort"] else 30_000)


def test_what_stands_for_excluded_values_is_picked_by_the_server(secantusd: MongoServer) -> None:
    def record(name: str, hour: int) -> dict[str, Any]:
        return {name: {"value": 10.0 + hour, "unit": "μs", "task_id": f"1/{hour}"}}

    both = [0, 1, 4]
    results = [
        result(hour, "1", 0, output_parameters=record("t1", hour) | (record("t2_echo", hour) if hour in both else {}))
        for hour in range(5)
    ]
    results[-1]["excluded"] = True
    whole = documents() | {"task_result_history": results}
    whole["qubit"] = [{"project_id": "p1", "chip_id": "c1", "qid": "1", "data": record("t1", 4) | record("t2_echo", 4)}]
    database, work = secantusd.fresh_database(), Work()
    load_documents(whole, database)
    reader = MongoReader(database)

    def current() -> list[tuple[str, float]]:
        begin(work)
        values = reader.current_parameters(CurrentQuery(CHIP, "qubit"))
        return list(zip(values["parameter"], values["value"], strict=True))

    assert copy_context().run(current) == [("t1", 13.0), ("t2_echo", 11.0)]
    before = work.documents
    copy_context().run(current)
    assert work.documents - before == 1 + 1 + 2  # the qubit; what is excluded; the newest with t1, the newest with both


def test_the_newest_are_picked_by_the_server(reader: MongoReader) -> None:
    picked = reader.parameter_series(replace(T1, last_n=2))
    assert list(picked["qid"]) == ["0", "1", "2", "3"] * 2
    assert list(picked["v"]) == [18.0, 18.1, 18.2, 18.3, 19.0, 19.1, 19.2, 19.3]


@pytest.mark.long
def test_threads_may_share_a_reader(reader: MongoReader) -> None:
    alone = repr(ask_everything(reader)[2:])
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: repr(ask_everything(reader)[2:]), range(8)))
    assert set(together) == {alone}


def test_the_origin_names_server_and_database(
    reader: MongoReader, database: Database[Any], secantusd: MongoServer
) -> None:
    assert reader.origin.kind == "mongodb"
    assert str(reader.origin.label).endswith(f"/{database.name}")
    if secantusd.port:
        assert f"127.0.0.1:{secantusd.port}" in str(reader.origin.label)
    assert reader.origin.as_of is None


def test_now_is_the_clock(reader: MongoReader, database: Database[Any]) -> None:
    assert abs(reader.now() - datetime.now(UTC)) < timedelta(seconds=5)
    assert MongoReader(database, as_of=T0).now() == T0


def test_a_closed_reader_says_so(reader: MongoReader) -> None:
    reader.close()
    with pytest.raises(DatabaseError, match="closed"):
        reader.chips()


def test_a_lost_server_is_an_error_of_ours() -> None:
    client = pymongo.MongoClient[Any](
        "mongodb://aoi:s3cr3t@127.0.0.1:9/?directConnection=true", serverSelectionTimeoutMS=200, connectTimeoutMS=200
    )
    reader = MongoReader(client["qdash"])
    with pytest.raises(DatabaseUnreachable) as caught:
        reader.parameter_series(T1)
    reader.close()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "s3cr3t" not in "".join(traceback.format_exception(caught.value))
    assert "s3cr3t" not in repr(reader.origin)


def test_dates_that_python_cannot_hold_are_problems(secantusd: MongoServer) -> None:
    far = DatetimeMS(10**15)
    database = secantusd.fresh_database()
    rows = documents()
    rows["task_result_history"] = [
        result(0, "1", 1.0, start_at=far, end_at=T0, _id=ObjectId()),
        *(result(hour, "1", float(hour)) for hour in (1, 2)),
    ]
    try:
        load_documents(rows, database)
    except OperationFailure:
        pytest.skip("this server holds no such dates (SecantusDB); run with QDASH_MONGO_URI_FOR_TESTS")
    reader = MongoReader(database)
    assert list(reader.parameter_series(T1)["v"]) == [1.0, 1.0, 2.0]
    assert list(reader.parameter_series(replace(T1, last_n=1))["v"]) == [2.0]
    assert list(reader.parameter_names(CHIP)["last_at"]) == [T0 + timedelta(hours=2)]
    assert {problem.field for problem in reader.problems()} == {"start_at"}
    reader.close()
