"""Each query on a collection that grows with time is bounded by one of QDash's indexes.

SecantusDB's planner takes an index only for equalities at the top of a filter: its `explain` says nothing about ours,
which are conjunctions. So the condition is checked here as MongoDB states it: the fields that an index begins with must
be compared for equality (`$in` is that too), and one range or the order may follow. With QDASH_MONGO_URI_FOR_TESTS a
real server is asked as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

import pymongo
import pytest

from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.domain.time_range import TimeRange
from tests.data.mongo.whole_protocol import CHIP, T0, Commands, ask_everything, documents
from tests.mongo_documents import INDEXES, load_documents
from tests.mongo_server import MongoServer

BOUNDED_BY: dict[str, set[str]] = {
    "task_result_history": {"project_id chip_id"},
    "execution_history": {"project_id chip_id"},
    "calibration_note": {"project_id chip_id", "project_id execution_id"},
    "qubit": {"project_id chip_id"},
    "coupling": {"project_id chip_id"},
    "parameter_versions": {"project_id parameter_name qid", "entity_id"},
    "provenance_activities": {"activity_id"},
    # Between project and source stands the type of the source, of which there are two: the server skips.
    "provenance_relations": {"project_id"},
}
"""Collections that grow, and the equalities at the start of an index of which each query must hold one."""

EQUAL, RANGE = "equal", "range"


def conditions(filter_: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """How each field is bounded, for each part of the filter that the server looks up by itself."""
    if "$or" in filter_ and len(filter_) == 1:
        for part in filter_["$or"]:
            yield from conditions(part)
        return
    bounded: dict[str, str] = {}
    for name, condition in filter_.items():
        if name == "$and":
            # An alternative inside a conjunction is a filter on what the rest of it found.
            for part in condition:
                (inner,) = conditions({field: asked for field, asked in part.items() if field != "$or"})
                bounded |= {field: kind for field, kind in inner.items() if bounded.get(field) != EQUAL}
        elif not name.startswith("$") and (kind := kind_of(condition)):
            bounded[name] = kind
    yield bounded


def kind_of(condition: object) -> str | None:
    if not isinstance(condition, Mapping) or "$in" in condition:
        return EQUAL
    if condition.keys() & {"$gt", "$gte", "$lt", "$lte"}:
        return RANGE
    types = condition.get("$type", "array")
    return None if "array" in types else RANGE


def held(fields: str, bounded: Mapping[str, str]) -> list[str]:
    """The fields at the start of an index that are compared for equality."""
    return list(takewhile(lambda name: bounded.get(name) == EQUAL, names_of(fields)))


def names_of(fields: str) -> list[str]:
    return fields.replace("-", "").split()


def filter_of(command: Mapping[str, Any]) -> dict[str, Any]:
    if "pipeline" in command:  # MongoDB joins steps that follow each other
        steps = [stage["$match"] for stage in takewhile(lambda stage: "$match" in stage, command["pipeline"])]
        return {"$and": steps} if len(steps) > 1 else dict(steps[0])
    return dict(command.get("filter") or command.get("query") or {})


def order_of(command: Mapping[str, Any]) -> dict[str, int]:
    """The order in which the server reads, or nothing."""
    stages = [stage["$sort"] for stage in command.get("pipeline", ()) if "$sort" in stage]
    order = command.get("sort") or (stages[0] if stages else {})
    return {} if "_id" in order else dict(order)


def parts_of(command: Mapping[str, Any]) -> list[dict[str, str]]:
    parts = conditions(filter_of(command))
    return [part for part in parts if part != {"_id": EQUAL}]  # those that ask for nothing


@pytest.fixture(scope="module")
def sent(secantusd: MongoServer) -> list[dict[str, Any]]:
    """What is sent for the whole Protocol to a database where the chip's id is another project's too, and where not."""
    commands, found = Commands(), []
    for more in ([], [{"project_id": "p2", "chip_id": CHIP.chip_id}]):
        rows = documents()
        rows["chip"] += more
        database = secantusd.fresh_database()
        load_documents(rows, database)
        client: pymongo.MongoClient = pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])
        client.admin.command("ping")
        live = MongoReader(client[database.name])
        ask_everything(live)
        live.close()
        found += [command for command in commands.queries() if command[next(iter(command))] in BOUNDED_BY]
    return found


@pytest.mark.mongo
def test_every_query_is_bounded_by_an_index(sent: list[dict[str, Any]]) -> None:
    asked = set()
    for command in sent:
        collection = command[next(iter(command))]
        asked.add(collection)
        for part in parts_of(command):
            starts = [" ".join(held(fields, part)) for fields in INDEXES[collection]]
            assert any(
                start == wanted or start.startswith(f"{wanted} ")
                for start in starts
                for wanted in BOUNDED_BY[collection]
            ), f"{command}\n{part}"
    assert asked == set(BOUNDED_BY)


@pytest.mark.mongo
def test_the_newest_are_read_in_the_order_of_an_index(sent: list[dict[str, Any]]) -> None:
    ordered = [command for command in sent if order_of(command)]
    assert {command[next(iter(command))] for command in ordered} == {
        "task_result_history",
        "execution_history",
        "calibration_note",
        "parameter_versions",
    }
    for command in ordered:
        (field,) = order_of(command)
        for part in parts_of(command):  # the server merges what it finds by each
            starts = [(held(fields, part), names_of(fields)) for fields in INDEXES[command[next(iter(command))]]]
            assert any(start and field in names[1 : len(start) + 1] for start, names in starts), command


@pytest.mark.parametrize("qids", [None, ["1"]])
@pytest.mark.parametrize("during", [TimeRange(T0), TimeRange(None, T0), TimeRange(T0, T0)])
@pytest.mark.parametrize("is_only_project", [True, False])
def test_a_series_of_a_time_range_reads_that_range_of_the_chip(
    during: TimeRange, is_only_project: bool, qids: list[str] | None
) -> None:
    scope = pipelines.in_scope(CHIP, is_only_project=is_only_project)
    match = pipelines.measured(
        scope, SeriesQuery(CHIP, "qubit", "t1", during=during), pipelines.Dates(T0), pipelines.with_ids(qids)
    )
    fields = "project_id chip_id -start_at"
    assert fields in INDEXES["task_result_history"]
    parts = list(conditions(match))
    assert len(parts) == 5
    for part in parts:
        assert held(fields, part)[:2] == ["project_id", "chip_id"]
        assert part["start_at"] in {EQUAL, RANGE}


def test_what_no_index_can_bound_is_told_apart() -> None:
    assert list(conditions({"a": 1, "$and": [{"b": {"$gt": 2}}, {"$or": [{"c": 1}, {"d": 1}]}]})) == [
        {"a": EQUAL, "b": RANGE}
    ]
    assert list(conditions({"$or": [{"a": {"$in": [1]}}, {"b": {"$not": {"$gt": 1}}}]})) == [{"a": EQUAL}, {}]
    assert list(conditions({"$nor": [{"a": 1}], "b": {"$type": ["string", "array"]}, "c": {"$type": "string"}})) == [
        {"c": RANGE}
    ]
    assert held("a b c", {"a": EQUAL, "b": RANGE, "c": EQUAL}) == ["a"]


@pytest.mark.mongo
def test_a_real_server_reads_an_index(secantusd: MongoServer, sent: list[dict[str, Any]]) -> None:
    """On SecantusDB only the plainest query: the chip's results, newest first."""
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    plain = {"find": "task_result_history", "filter": {"project_id": "p1", "chip_id": "c1"}, "sort": {"start_at": -1}}
    asked = [plain] if secantusd.port else [plain, *sent]
    for command in asked:
        clean = {name: value for name, value in command.items() if not name.startswith("$") and name != "lsid"}
        plan = str(database.command({"explain": clean, "verbosity": "queryPlanner"})["queryPlanner"]["winningPlan"])
        assert "COLLSCAN" not in plan, (command, plan)
    assert "project_id_1_chip_id_1_start_at_-1" in str(
        database.command({"explain": plain, "verbosity": "queryPlanner"})["queryPlanner"]["winningPlan"]
    )
