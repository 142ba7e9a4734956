"""The live reader sends queries only, keeps to its limits, and can be used from several threads."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pymongo
import pytest
from bson import ObjectId
from bson.datetime_ms import DatetimeMS
from pymongo.database import Database
from pymongo.monitoring import CommandListener

from qdash_jupyter.data.mongo.load import load_documents
from qdash_jupyter.data.mongo.pipelines import ALLOWED_STAGES, FORBIDDEN_OPERATORS
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.errors import DatabaseError, DatabaseUnreachable

pytestmark = pytest.mark.mongo

CHIP = ChipRef("p1", "c1")
T0 = datetime(2026, 3, 1, tzinfo=UTC)
HANDSHAKE = {"hello", "ismaster", "ping", "endSessions", "buildInfo", "saslStart", "saslContinue"}


class Commands(CommandListener):
    """What was sent."""

    def __init__(self) -> None:
        self.sent: list[dict] = []

    def started(self, event) -> None:  # noqa: ANN001
        self.sent.append(dict(event.command))

    def succeeded(self, event) -> None:  # noqa: ANN001
        pass

    def failed(self, event) -> None:  # noqa: ANN001
        pass


def result(hour: int, qid: str, value: object, **more: object) -> dict:
    return {
        "project_id": "p1",
        "chip_id": "c1",
        "task_id": f"{qid}/{hour}",
        "name": "CheckT1",
        "status": "completed",
        "qid": qid,
        "execution_id": "e",
        "start_at": T0 + timedelta(hours=hour),
        "end_at": T0 + timedelta(hours=hour + 1),
        "output_parameters": {"t1": {"value": value, "error": 1.0, "unit": "μs"}},
        "excluded": False,
    } | more


def documents() -> dict[str, list[dict]]:
    data = {"t1": {"value": 5.0, "calibrated_at": T0}}
    return {
        "project": [{"project_id": "p1", "name": "One"}],
        "chip": [{"project_id": "p1", "chip_id": "c1", "size": 4}],
        "qubit": [{"project_id": "p1", "chip_id": "c1", "qid": str(q), "data": data} for q in range(4)],
        "coupling": [{"project_id": "p1", "chip_id": "c1", "qid": "0-1", "data": {}}],
        "task_result_history": [result(hour, str(q), hour + q / 10) for hour in range(20) for q in range(4)],
    }


@pytest.fixture(scope="module")
def database(secantusd) -> Database:  # noqa: ANN001
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    return database


@pytest.fixture
def commands() -> Commands:
    return Commands()


@pytest.fixture
def reader(secantusd, database: Database, commands: Commands) -> Iterator[MongoReader]:  # noqa: ANN001
    client = pymongo.MongoClient(secantusd.uri, event_listeners=[commands])
    client.admin.command("ping")
    reader = MongoReader(client[database.name])
    yield reader
    reader.close()


def ask_everything(reader: QDashReader) -> list[object]:
    return [
        reader.origin,
        reader.now(),
        reader.projects(),
        reader.chips(),
        reader.chips("p1"),
        *(reader.element_ids(CHIP, kind) for kind in ("qubit", "coupling")),
        reader.parameter_names(CHIP),
        reader.parameter_names(CHIP, "1"),
        reader.current_parameters(CHIP, "qubit"),
        reader.current_parameters(CHIP, "coupling", parameters=["t1"], qids=["0-1"]),
        reader.parameter_series(CHIP, "t1", "qubit"),
        reader.parameter_series(CHIP, "t1", "qubit", qids=["1"], since=T0, until=T0 + timedelta(days=1), last_n=3),
        reader.parameter_series(CHIP, "a.b", "coupling", last_n=3),
        reader.parameter_series(CHIP, "t1", "qubit", cooldown_id="2026-001", tags=["daily"], last_n=3),
        reader.task_results(CHIP, qid="1", last_n=2),
        reader.task_results(CHIP, task_name="CheckT1", status="completed", tags=["t"], since=T0),
        reader.executions(CHIP, status="completed", last_n=3),
        reader.calibration_notes(CHIP, execution_id="e", last_n=3),
        reader.parameter_versions(CHIP, "t1", "1", last_n=3),
        reader.entities(CHIP, ["t1:1:e:1/0"]),
        reader.activities(CHIP, ["e:1/0"]),
        reader.relations_from(CHIP, ["t1:1:e:1/0"]),
        reader.cooldowns(CHIP),
        reader.notes(CHIP),
        list(reader.stream("chip", {})),
        reader.problems(),
    ]


def test_nothing_is_ever_written(reader: MongoReader, commands: Commands) -> None:
    ask_everything(reader)
    reader.close()
    sent = {next(iter(command)) for command in commands.sent}
    assert sent - HANDSHAKE == {"find", "aggregate", "distinct"}
    for command in commands.sent:
        if "pipeline" in command:
            stages = [name for stage in command["pipeline"] for name in stage]
            assert set(stages) <= ALLOWED_STAGES
        assert not any(f"'{operator}'" in repr(command) for operator in FORBIDDEN_OPERATORS)
        assert "Regex(" not in repr(command)
        assert "re.compile" not in repr(command)


def test_every_query_has_a_time_limit(reader: MongoReader, commands: Commands) -> None:
    ask_everything(reader)
    for command in commands.sent:
        if {"find", "aggregate", "distinct"} & set(command):
            assert 0 < command["maxTimeMS"] <= (3_600_000 if "sort" in command and "_id" in command["sort"] else 30_000)


def test_the_newest_are_picked_by_the_server(reader: MongoReader) -> None:
    picked = reader.parameter_series(CHIP, "t1", "qubit", last_n=2)
    assert list(picked["qid"]) == ["0", "1", "2", "3"] * 2
    assert list(picked["v"]) == [18.0, 18.1, 18.2, 18.3, 19.0, 19.1, 19.2, 19.3]


def test_threads_may_share_a_reader(reader: MongoReader) -> None:
    alone = repr(ask_everything(reader)[2:])
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: repr(ask_everything(reader)[2:]), range(8)))
    assert set(together) == {alone}


def test_the_origin_names_server_and_database(reader: MongoReader, database: Database, secantusd) -> None:  # noqa: ANN001
    assert reader.origin.kind == "mongodb"
    assert reader.origin.label.endswith(f"/{database.name}")
    if secantusd.port:
        assert f"127.0.0.1:{secantusd.port}" in reader.origin.label
    assert reader.origin.as_of is None
    assert not reader.origin.is_demo


def test_now_is_the_clock(reader: MongoReader, database: Database) -> None:
    assert abs(reader.now() - datetime.now(UTC)) < timedelta(seconds=5)
    assert MongoReader(database, as_of=T0).now() == T0


def test_a_closed_reader_says_so(reader: MongoReader) -> None:
    reader.close()
    with pytest.raises(DatabaseError, match="closed"):
        reader.projects()


def test_a_lost_server_is_an_error_of_ours() -> None:
    client = pymongo.MongoClient(
        "mongodb://aoi:s3cr3t@127.0.0.1:9/?directConnection=true", serverSelectionTimeoutMS=200, connectTimeoutMS=200
    )
    reader = MongoReader(client["qdash"])
    with pytest.raises(DatabaseUnreachable) as caught:
        reader.parameter_series(CHIP, "t1", "qubit")
    reader.close()
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "s3cr3t" not in "".join(traceback.format_exception(caught.value))
    assert "s3cr3t" not in repr(reader.origin)


def test_dates_that_python_cannot_hold_are_problems(secantusd) -> None:  # noqa: ANN001
    far = DatetimeMS(10**15)
    database = secantusd.fresh_database()
    rows = documents()
    rows["task_result_history"] = [
        result(0, "1", 1.0, start_at=far, end_at=T0, _id=ObjectId()),
        *(result(hour, "1", float(hour)) for hour in (1, 2)),
    ]
    try:
        load_documents(rows, database)
    except DatabaseError:
        pytest.skip("this server holds no such dates (SecantusDB); run with QDASH_TEST_MONGO_URI")
    reader = MongoReader(database)
    assert list(reader.parameter_series(CHIP, "t1", "qubit")["v"]) == [1.0, 1.0, 2.0]
    assert list(reader.parameter_series(CHIP, "t1", "qubit", last_n=1)["v"]) == [2.0]
    assert list(reader.parameter_names(CHIP)["last_at"]) == [T0 + timedelta(hours=2)]
    assert {problem.field for problem in reader.problems()} == {"start_at"}
    reader.close()
