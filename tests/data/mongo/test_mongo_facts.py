"""What is kept of a chip is asked for once, looked up again when it is missed, and given up when it is old."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping
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
from qdash_jupyter.data.queries import ResultQuery
from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.domain.work import Work, begin, seconds_left, side_by_side
from qdash_jupyter.errors import DatabaseError
from tests.data.mongo.whole_protocol import CHIP, T0, T1, Commands, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer
from tests.mongo_steps import flat
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


def test_a_fact_is_kept_until_it_is_forgotten(clock: Clock) -> None:
    facts, answers = ChipFacts(), iter(range(9))

    def ask(seconds: float = math.inf) -> int:
        return facts.get("key", lambda: next(answers), seconds)

    assert [ask(), ask()] == [0, 0]
    clock.now += 1e6
    assert ask() == 0
    assert [ask(60), ask(60)] == [1, 1], "where it may be so old only"
    assert facts.forget()
    assert not facts.forget()
    assert ask() == 2


def test_what_a_work_has_asked_for_is_not_asked_again_for_it() -> None:
    facts, answers = ChipFacts(), iter(range(9))

    def ask() -> int:
        return facts.get_now("key", lambda: next(answers))

    assert [ask(), ask()] == [0, 1], "nobody's"
    try:
        for expected in (2, 3):
            begin(Work())
            assert [ask(), ask()] == [expected] * 2
            assert not facts.forget()
    finally:
        begin(Work())


def test_a_question_that_fails_is_no_fact() -> None:
    facts = ChipFacts()
    with pytest.raises(ZeroDivisionError):
        facts.get("key", lambda: 1 // 0)  # pyrefly: ignore[division-by-zero]
    assert facts.get("key", lambda: 5) == 5


def test_threads_wait_for_one_answer() -> None:
    facts, asked, go = ChipFacts(), [], threading.Event()

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
def test_a_text_for_a_start_is_seen_at_once_where_an_element_is_asked_about(
    reader: MongoReader, database: Database[Any]
) -> None:
    tools = Tools(reader)
    asked = {"task_name": "CheckT1", "qid": "1", "last_n": 1}
    tools.content("get_task_history", **asked)
    database["task_result_history"].insert_one(result(0, "1", 77.0) | {"start_at": "2026-03-05T00:00:00"})
    assert "77" in tools.result("get_task_history", **asked).content


@pytest.mark.mongo
def test_a_series_is_read_by_the_tasks_that_give_it_and_new_ones_are_learnt_from_what_is_newer(
    reader: MongoReader, database: Database[Any], commands: Commands
) -> None:
    results = database["task_result_history"]
    results.insert_one(result(0, "1", 3.0, name="CheckOther") | {"output_parameters": {"f": {"value": 1.0}}})
    newest = replace(T1, last_n=30)
    assert len(reader.parameter_series(newest)) == 80
    nameless = result(18, "1", 4.0) | {"task_id": "nameless"}
    del nameless["name"]
    results.insert_many([nameless, result(19, "1", 5.0, name="CheckNew") | {"task_id": "new"}])
    commands.sent.clear()
    begin(Work())
    assert {"nameless", "new"} < set(reader.parameter_series(newest)["task_id"])
    learnt, read = commands.queries()
    assert "$gte" in str(learnt["pipeline"][0]["$match"]["start_at"]), "a day before the newest known one"
    names = read["pipeline"][0]["$match"]["name"]["$in"]
    assert set(names) == {"CheckT1", None, "CheckNew"}, "an index leads there"


@pytest.mark.mongo
def test_the_first_series_learns_the_tasks_by_itself_those_of_old_results_too(
    reader: MongoReader, database: Database[Any], commands: Commands
) -> None:
    old = [result(-900, "1", 4.0, name=name) | {"task_id": name} for name in ("CheckOld", None)]
    database["task_result_history"].insert_many(old)
    reader.element_ids(CHIP, "qubit")
    commands.sent.clear()
    begin(Work())
    two = replace(T1, last_n=2)
    newest = reader.parameter_series(two)
    assert not {"CheckOld", "None"} & set(newest["task_id"])
    assert reader.count(two) == len(reader.parameter_series(T1))
    commands.sent.clear()
    begin(Work())
    reader.forget()
    reader.parameter_series(two)
    of_results = [command for command in commands.queries() if command.get("aggregate") == "task_result_history"]
    assert len(of_results) == 2, "orphans, and all"
    whole = reader.parameter_series(T1)
    assert "CheckOld" in set(whole["task_id"])
    assert set(commands.queries()[-1]["pipeline"][0]["$match"]["name"]["$in"]) == {"CheckT1", "CheckOld", None}
    database["task_result_history"].insert_one(result(1, "1", 4.0, name="CheckBad", excluded=True) | {"task_id": "bad"})
    begin(Work())
    left_out = reader.task_results(ResultQuery(CHIP, excluded=True, output="t1"))
    assert "bad" in {one.task_id for one in left_out}, "of a task that gave nothing that counts"


@pytest.mark.mongo
def test_a_parameter_of_excluded_results_alone_and_odd_names_are_found(
    reader: MongoReader, database: Database[Any]
) -> None:
    outputs = {"output_parameters": {"odd": {"value": 1.0}}}
    database["task_result_history"].insert_one(result(1, "1", 1.0, excluded=True) | outputs | {"task_id": "bad"})
    begin(Work())
    odd = replace(T1, parameter="odd", last_n=1)
    assert reader.parameter_series(odd).empty
    assert [one.task_id for one in reader.task_results(ResultQuery(CHIP, excluded=True, output="odd"))] == ["bad"]
    rows = [result(2, "1", 1.0, name=name) | outputs for name in ({"a": 1}, "CheckOdd")]
    database["task_result_history"].insert_many(rows)
    begin(Work())
    assert len(reader.parameter_series(replace(odd, last_n=9))) == 2


@pytest.mark.mongo
def test_new_elements_tasks_and_exclusions_are_seen_by_the_next_question(
    reader: MongoReader, database: Database[Any]
) -> None:
    tools, of_chip = Tools(reader), {"project_id": "p1", "chip_id": "c1"}
    record = {"value": 5.0, "unit": "μs", "calibrated_at": T0, "task_id": "1/0", "execution_id": "e"}
    database["qubit"].update_one({"qid": "1"}, {"$set": {"data": {"t1": record}}})
    assert tools.content("get_chip_summary")["num_qubits"] == 4
    assert tools.content("get_qubit_params", qid="1")
    database["qubit"].insert_one(of_chip | {"qid": "9", "data": {"t1": {"value": 7.0, "calibrated_at": T0}}})
    assert tools.content("get_chip_summary")["num_qubits"] == 5
    assert tools.content("get_qubit_params", qid="9")["parameters"]["rows"][0][:2] == ["t1", 7]
    assert len(tools.rows("get_task_history", task_name="check_t1", qid="1")) == 5
    database["task_result_history"].insert_one(result(20, "1", 3.0, name="CheckNew"))
    assert len(tools.rows("get_task_history", task_name="check_new", qid="1")) == 1
    database["task_result_history"].update_one({"task_id": "1/0"}, {"$set": {"excluded": True}})
    assert "excluded: 5 μs" in str(tools.content("get_qubit_params", qid="1"))
    database["task_result_history"].update_one({"task_id": "1/0"}, {"$set": {"excluded": False}})
    assert "excluded" not in str(tools.content("get_qubit_params", qid="1"))


def is_of_chip(command: Mapping[str, Any]) -> bool:
    """Whether the server has to look at all results of the chip."""
    pipeline = command.get("pipeline", [])
    if any("$limit" in stage for stage in pipeline):
        return False
    asked = flat(pipeline[0]["$match"] if pipeline else command["query"])
    return {"name", "qid", "task_id", "execution_id"}.isdisjoint(asked)


@pytest.mark.mongo
def test_what_does_not_exist_is_refused_with_few_commands(reader: MongoReader, commands: Commands) -> None:
    tools = Tools(reader)
    tools.content("get_chip_summary")
    for name, scans, arguments in (
        ("get_chip_parameter_timeseries", 2, {"parameter_name": "nothing"}),  # for the parameter, and for what there is
        ("get_task_history", 1, {"task_name": "Nothing", "qid": "1"}),
        ("get_qubit_params", 0, {"qid": "77"}),
    ):
        commands.sent.clear()
        failure = tools.result(name, **arguments).failure
        assert failure is not None
        assert failure.kind == "not_found"
        sent = commands.queries()
        assert len(sent) <= 9, sent
        assert len([one for one in sent if "task_result_history" in one.values() and is_of_chip(one)]) == scans, sent


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
