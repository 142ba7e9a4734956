"""What is kept of a chip is asked for once, looked up again when it is missed, and given up when it is old."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

import pymongo
import pytest
from pymongo.database import Database

from qdash_jupyter.data.mongo import facts as chip_facts
from qdash_jupyter.data.mongo.facts import ChipFacts
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.work import Work, begin, seconds_left, side_by_side
from qdash_jupyter.errors import DatabaseError
from tests.data.mongo.whole_protocol import CHIP, T0, T1, Commands, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer
from tests.patience import PATIENCE_S
from tests.tools.toolbench import Tools


class Clock:
    """Stands where it was put."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(chip_facts, "time", clock)
    return clock


def test_a_fact_is_asked_for_again_when_it_is_old(clock: Clock) -> None:
    facts, answers = ChipFacts(60), iter(range(9))

    def ask() -> int:
        return facts.get("key", lambda: next(answers))

    assert [ask(), ask()] == [0, 0]
    clock.now += 59
    assert ask() == 0
    clock.now += 1
    assert ask() == 1
    assert not facts.forget(), "it has just been asked for"
    clock.now += 2
    assert facts.forget()
    assert not facts.forget()
    assert ask() == 2


def test_nothing_is_kept_for_no_time(clock: Clock) -> None:
    facts, answers = ChipFacts(0), iter(range(9))
    assert [facts.get("key", lambda: next(answers)) for _ in range(3)] == [0, 1, 2]


def test_a_question_that_fails_is_no_fact(clock: Clock) -> None:
    facts = ChipFacts(60)
    with pytest.raises(ZeroDivisionError):
        facts.get("key", lambda: 1 // 0)
    assert facts.get("key", lambda: 5) == 5


def test_threads_wait_for_one_answer() -> None:
    facts, asked, go = ChipFacts(60), [], threading.Event()

    def ask() -> int:
        asked.append(1)
        go.wait(PATIENCE_S)
        return len(asked)

    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(facts.get, "key", ask) for _ in range(4)]
        go.set()
        assert [one.result(PATIENCE_S) for one in waiting] == [1] * 4


def test_steps_belong_to_the_work_of_their_thread() -> None:
    together = threading.Barrier(3)

    def step(place: int) -> tuple[int, bool]:
        together.wait(PATIENCE_S)
        return place, seconds_left() < PATIENCE_S

    begin(Work(until=time.monotonic() + PATIENCE_S))
    try:
        assert side_by_side([partial(step, place) for place in range(3)]) == [(n, True) for n in range(3)]
    finally:
        begin(Work())
    assert side_by_side([]) == []


def test_the_error_of_a_step_is_raised() -> None:
    def fail() -> None:
        raise DatabaseError("lost", "")

    with pytest.raises(DatabaseError, match="lost"):
        side_by_side([fail, lambda: None, lambda: None])


@pytest.fixture
def database(secantusd: MongoServer) -> Database[Any]:
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    return database


@pytest.fixture
def commands() -> Commands:
    return Commands()


@pytest.fixture
def reader(secantusd: MongoServer, database: Database[Any], commands: Commands) -> Iterator[MongoReader]:
    reader = MongoReader(pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])[database.name])
    yield reader
    reader.close()


@pytest.mark.mongo
def test_what_is_new_is_found_though_facts_are_kept(reader: MongoReader, database: Database[Any], clock: Clock) -> None:
    tools = Tools(reader)
    tools.content("get_latest_task_result", task_name="CheckT1", qid="1")
    database["qubit"].insert_one({"project_id": "p1", "chip_id": "c1", "qid": "9", "data": {}})
    database["task_result_history"].insert_one(result(0, "9", 3.0, name="CheckNew"))
    database["chip"].insert_one({"project_id": "p1", "chip_id": "c2", "size": 4, "activity_status": "inactive"})
    clock.now += 2
    assert tools.rows("get_latest_task_result", task_name="CheckNew", qid="9")[0]["output_parameters"]
    assert tools.content("get_chip_topology", chip_id="c2")["chip_id"] == "c2"
    failed = tools.result("get_latest_task_result", task_name="CheckNew", qid="10").failure
    assert failed is not None
    assert failed.kind == "not_found"


@pytest.mark.mongo
def test_a_text_for_a_start_is_looked_for_again_after_a_time(
    reader: MongoReader, database: Database[Any], clock: Clock
) -> None:
    tools = Tools(reader)
    asked = {"task_name": "CheckT1", "qid": "1", "last_n": 1}
    tools.content("get_task_history", **asked)
    database["task_result_history"].insert_one(result(0, "1", 77.0) | {"start_at": "2026-03-05T00:00:00"})
    clock.now += 61
    assert "77" in tools.result("get_task_history", **asked).content


@pytest.mark.mongo
def test_a_series_is_read_by_the_tasks_that_give_it(
    reader: MongoReader, database: Database[Any], commands: Commands, clock: Clock
) -> None:
    results = database["task_result_history"]
    results.insert_one(result(0, "1", 3.0, name="CheckOther") | {"output_parameters": {"f": {"value": 1.0}}})
    newest = replace(T1, last_n=30)
    assert len(reader.parameter_series(newest)) == 80
    commands.sent.clear()
    assert len(reader.parameter_series(newest)) == 80
    (command,) = commands.queries()
    assert "'name': 'CheckT1'" in str(command), "an index leads to the tasks"
    nameless = result(1, "1", 4.0) | {"task_id": "nameless"}
    del nameless["name"]
    results.insert_many([nameless, result(2, "1", 5.0, name="CheckNew") | {"task_id": "new"}])
    clock.now += 61
    assert {"nameless", "new"} < set(reader.parameter_series(newest)["task_id"])


@pytest.mark.mongo
def test_the_server_works_no_longer_than_somebody_waits(reader: MongoReader, commands: Commands) -> None:
    try:
        begin(Work(until=time.monotonic() + 15))  # half of what a query may take
        reader.parameter_series(T1)
        reader.task_names(ChipRef("p1", "c1"))
        reader.parameter_names(CHIP)
    finally:
        begin(Work())
    assert {command["maxTimeMS"] <= 15_000 for command in commands.queries()} == {True}


@pytest.mark.mongo
def test_a_result_is_asked_once_whether_it_is_excluded_but_for_no_longer_than_a_fact(
    reader: MongoReader, database: Database[Any], commands: Commands, clock: Clock
) -> None:
    results = database["task_result_history"]
    results.insert_many([result(hour, "1", value) for hour, value in ((900, 4.0), (901, 5.0))])
    record = {"value": 5.0, "unit": "μs", "calibrated_at": T0, "task_id": "1/901", "execution_id": "e"}
    database["qubit"].update_one({"qid": "1"}, {"$set": {"data": {"t1": record}}})

    def value() -> float:
        commands.sent.clear()
        found = reader.current_parameters(CurrentQuery(CHIP, "qubit", parameters=["t1"], qids=["1"]))
        return float(found["value"].iloc[0])

    assert value() == 5
    assert value() == 5
    assert len(commands.queries()) == 1
    results.update_one({"task_id": "1/901"}, {"$set": {"excluded": True}})
    clock.now += 59
    assert value() == 5
    clock.now += 1
    assert value() == 4
    database["qubit"].update_one({"qid": "1"}, {"$set": {"data.t1.task_id": "1/900", "data.t1.value": 4.0}})
    results.update_one({"task_id": "1/900"}, {"$set": {"excluded": True}})
    assert value() != 4, "a result that nobody asked about is asked about at once"
