"""Nothing is sent that MongoDB 5.0 does not know.

The list below says in which version of MongoDB each stage, operator and option came, by its manual and release notes
(what is older than 2.4 roughly). What is not on it fails here: look it up, and add it when it came with 5.0 or before.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pymongo
import pytest

import qdash_jupyter.data.mongo
from qdash_jupyter.data.documents import SHAPES, DocumentQuery
from qdash_jupyter.data.mongo import pipelines
from qdash_jupyter.data.mongo.export import export_snapshot
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import SeriesQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.domain.time_range import ANY_TIME, TimeRange
from tests.data.mongo.whole_protocol import CHIP, T0, Commands, ask_everything, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer

OLDEST = (5, 0)
"""The oldest MongoDB that is promised to work."""

SINCE: dict[str, tuple[int, ...]] = {
    # The commands, and what they are told
    "find": (3, 2),
    "find.filter": (3, 2),
    "find.projection": (3, 2),
    "find.projection of an expression": (4, 4),
    "find.sort": (3, 2),
    "find.limit": (3, 2),
    "find.batchSize": (3, 2),
    "find.maxTimeMS": (3, 2),
    "find.allowDiskUse": (4, 4),
    "aggregate": (2, 2),
    "aggregate.pipeline": (2, 2),
    "aggregate.cursor": (2, 6),
    "aggregate.allowDiskUse": (2, 6),
    "aggregate.maxTimeMS": (2, 6),
    "distinct": (1, 1),
    "distinct.key": (1, 1),
    "distinct.query": (1, 2),
    "distinct.maxTimeMS": (2, 6),
    # Stages
    "stage $match": (2, 2),
    "stage $project": (2, 2),
    "stage $group": (2, 2),
    "stage $sort": (2, 2),
    "stage $limit": (2, 2),
    "stage $setWindowFields": (5, 0),
    # In filters
    "filter $and": (2, 0),
    "filter $or": (1, 6),
    "filter $nor": (1, 8),
    "filter $not": (1, 4),
    "filter $in": (1, 0),
    "filter $nin": (1, 0),
    "filter $ne": (1, 0),
    "filter $gt": (1, 0),
    "filter $gte": (1, 0),
    "filter $lt": (1, 0),
    "filter $lte": (1, 0),
    "filter $all": (1, 0),
    "filter $exists": (1, 0),
    "filter $regex": (1, 0),
    "filter $type": (1, 0),
    "filter $type by name": (3, 2),
    "filter $type of a list": (3, 6),
    # In expressions
    "expression $and": (2, 2),
    "expression $cond": (2, 2),
    "expression $eq": (2, 2),
    "expression $gte": (2, 2),
    "expression $lte": (2, 2),
    "expression $map": (2, 6),
    "expression $type": (3, 4),
    "expression $objectToArray": (3, 4, 4),
    # In groups and windows
    "expression $sum": (2, 2),
    "expression $max": (2, 2),
    "expression $min": (2, 2),
    "expression $addToSet": (2, 2),
    "expression $rank": (5, 0),
}

NOT_OURS = {"$db", "$readPreference", "$clusterTime", "lsid", "txnNumber", "readConcern", "apiVersion"}
"""What the driver adds by itself."""

SCOPE = pipelines.in_scope(CHIP, is_only_project=True)
TIMES = (ANY_TIME, TimeRange(T0, T0))
DATES = pipelines.Dates(T0)
SERIES = [
    SeriesQuery(CHIP, "qubit", name, qids=qids, during=during, last_n=last_n, cooldown_id=cooldown, tags=["a", "b"])
    for name in ("t1", "a.b")
    for qids in (None, ["1"])
    for during in TIMES
    for last_n in (None, 2)
    for cooldown in (None, "", "2026-001")
]
CALLS: dict[str, Callable[[], list[Any]]] = {
    "in_scope": lambda: [pipelines.in_scope(CHIP, is_only_project=only) for only in (True, False)],
    "newest_with": lambda: [
        pipelines.newest_with(SCOPE, pipelines.of_elements(["1"]), names, during, DATES, has_odd_starts=has_odd_starts)
        for names in (["t1"], ["a.b"], None)
        for during in TIMES
        for has_odd_starts in (True, False)
    ],
    "matching": lambda: [pipelines.matching(SCOPE, {"_id": 1}, newest) for newest in (None, ("start_at", 2))],
    "any_of": lambda: [pipelines.any_of(filters) for filters in ([SCOPE], [SCOPE, {"status": "failed"}], [])],
    "with_ids": lambda: [pipelines.with_ids(ids) for ids in (None, [], ["1", "0-1"])],
    "odd_times": lambda: [pipelines.odd_times(shape, [SCOPE], DATES) for shape in SHAPES.values() if shape.newest_by],
    "groups": lambda: [
        pipelines.groups(DocumentQuery(CHIP, "task_result_history", tags=tags), [SCOPE], DATES) for tags in ((), ("t",))
    ],
    "documents": lambda: [
        filter_
        for collection, shape in SHAPES.items()
        for during in TIMES
        for excluded in (None, True, False)
        for filter_ in pipelines.documents(
            DocumentQuery(
                CHIP,
                collection,
                dict.fromkeys(shape.keys, ("a", "")),
                qid="1",
                tags=("t",),
                during=during,
                excluded=excluded,
                with_note=True,
            ),
            SCOPE,
            DATES,
        )
    ],
    "versions": lambda: [pipelines.versions(SCOPE, ["t1"], ["1"])],
    "since_or_undated": lambda: [pipelines.since_or_undated("start_at", T0)],
    "or_decides": lambda: [pipelines.or_decides(SCOPE, ["a"])],
    "with_fewer_values": lambda: pipelines.with_fewer_values({"$and": [{"task_id": {"$in": ["a"] * 300}}]}, 4),
    "counted": lambda: [pipelines.counted(SCOPE)],
    "elements_projection": lambda: [{"$project": pipelines.elements_projection(names)} for names in (None, ["t1"])],
    "history": lambda: [pipelines.history(SCOPE, "20260301", pipelines.elements_projection(["t1"]))],
    "of_elements": lambda: [pipelines.of_elements(qids) for qids in (None, ["1"])],
    "of_elements_apart": lambda: pipelines.of_elements_apart(["1"]),
    "tasks_giving": lambda: [pipelines.tasks_giving(name, SCOPE) for name in ("t1", "a.b")],
    "series": lambda: [
        pipelines.series(query, SCOPE, DATES, by_task=by_task) for query in SERIES for by_task in (True, False)
    ],
    "measured": lambda: [pipelines.measured(SCOPE, query, DATES, pipelines.with_ids(query.qids)) for query in SERIES],
    "parameter_counts": lambda: [
        pipelines.parameter_counts(SCOPE, part, DATES) for part in ({}, *pipelines.of_elements_apart(["1"]))
    ],
}
"""How to call everything in `pipelines` that makes a part of a query."""


def used_in_filter(filter_: object) -> Iterator[str]:
    if isinstance(filter_, Mapping):
        for key, value in filter_.items():
            if key.startswith("$"):
                yield f"filter {key}"
            if key == "$not" and "$regex" in value:
                yield "filter $not around $regex"
            if key == "$type":
                names = value if isinstance(value, list) else [value]
                yield from ["filter $type by name"] * any(isinstance(name, str) for name in names)
                yield from ["filter $type of a list"] * isinstance(value, list)
            if key == "$expr":
                yield from used_in_expression(value)
            elif key not in {"$in", "$nin", "$all", "$type", "$regex"}:
                yield from used_in_filter(value)
    elif isinstance(filter_, list):
        for part in filter_:
            yield from used_in_filter(part)


def used_in_expression(expression: object) -> Iterator[str]:
    if isinstance(expression, Mapping):
        for key, value in expression.items():
            if key.startswith("$"):
                yield f"expression {key}"
            yield from used_in_expression(value)
    elif isinstance(expression, list):
        for part in expression:
            yield from used_in_expression(part)
    elif isinstance(expression, str) and expression.startswith("$$") and not expression.startswith("$$entry"):
        yield f"variable {expression}"  # of the server's, such as $$NOW; `entry` is our own


def used_in_pipeline(pipeline: list[dict[str, Any]]) -> Iterator[str]:
    for stage in pipeline:
        for name, content in stage.items():
            yield f"stage {name}"
            yield from used_in_filter(content) if name == "$match" else used_in_expression(content)


def used_in_command(command: Mapping[str, Any]) -> Iterator[str]:
    name = next(iter(command))
    yield name
    for option, value in command.items():
        if option == name or option in NOT_OURS:
            continue
        yield f"{name}.{option}"
        if option in {"filter", "query"}:
            yield from used_in_filter(value)
        elif option == "pipeline":
            yield from used_in_pipeline(value)
        elif option == "projection":
            yield from ["find.projection of an expression"] * any(not isinstance(one, int) for one in value.values())
            yield from used_in_expression(value)


def used_in_calls() -> set[str]:
    """What `pipelines` can make, however they are called."""
    used: set[str] = set()
    for call in CALLS.values():
        for made in call():
            pipeline = made if isinstance(made, list) else [made if "$project" in made else {"$match": made}]
            used |= set(used_in_pipeline(pipeline))
    return used


def too_new(used: set[str]) -> dict[str, object]:
    return {name: SINCE.get(name, "not on the list") for name in used if SINCE.get(name, (99,)) >= (*OLDEST, 1)}


def test_what_the_pipelines_can_hold_is_known_to_the_oldest_server() -> None:
    assert too_new(used_in_calls()) == {}


def test_the_list_holds_nothing_newer_than_the_oldest_server() -> None:
    assert too_new(set(SINCE)) == {}
    assert too_new({"stage $densify"}) == {"stage $densify": "not on the list"}


def test_everything_that_makes_a_part_of_a_query_is_looked_at() -> None:
    makers = {
        name
        for name, made in vars(pipelines).items()
        if inspect.isfunction(made) and made.__module__ == pipelines.__name__ and not name.startswith("_")
    }
    assert makers - {"checked", "can_be_path", "stored_ids"} == set(CALLS)


def test_every_operator_in_the_source_was_seen_in_its_place() -> None:
    """An operator that no call above led to would be sent unseen."""
    folder = Path(qdash_jupyter.data.mongo.__file__).parent
    written = {operator for path in folder.glob("*.py") for operator in operators_in(path.read_text(encoding="utf-8"))}
    assert written == {name.split(" ")[1] for name in used_in_calls()}


def operators_in(source: str) -> Iterator[str]:
    """Every text that begins with `$` where a key may stand."""
    for node in ast.walk(ast.parse(source)):
        keys = node.keys if isinstance(node, ast.Dict) else [node.slice] if isinstance(node, ast.Subscript) else []
        for key in keys:
            for part in ast.walk(key) if key is not None else ():
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.startswith("$"):
                    yield part.value


@pytest.mark.mongo
def test_what_is_sent_is_known_to_the_oldest_server(secantusd: MongoServer, tmp_path: Path) -> None:
    rows = documents()
    # A value that no column can hold, and dates that are text
    rows["task_result_history"] += [result(30, "1", "5.5 us"), result(31, "1", 1.0, start_at="2026-03-02T00:00:00Z")]
    database = secantusd.fresh_database()
    load_documents(rows, database)
    commands = Commands()
    client = pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])
    client.admin.command("ping")
    live = MongoReader(client[database.name])
    ask_everything(live)
    export_snapshot(live, live.chips()[0], tmp_path / "whole")
    export_snapshot(live, live.chips()[0], tmp_path / "newest", since=T0)
    live.close()
    used = {name for command in commands.queries() for name in used_in_command(command)}
    assert too_new(used) == {}
    assert {"find.allowDiskUse", "stage $setWindowFields", "distinct.query"} <= used


def test_everything_asks_every_method() -> None:
    asked = set()

    class Recorder:
        def __getattr__(self, name: str) -> object:
            asked.add(name)
            return lambda *_, **__: None

    ask_everything(cast("QDashReader", Recorder()))
    methods = {name for name in vars(QDashReader) if not name.startswith("_")}
    assert asked == methods - {"close", "forget"}
