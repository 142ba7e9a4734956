"""No command of a tool looks at every document of a collection that grows: what a real MongoDB plans for each.

The commands are those that `test_commands.py` counts, captured from calls of the tools. The tests' own server plans in
its own way, so there the commands are captured only, and every one of them must be one that can be explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pymongo
import pytest
from pymongo.database import Database

from qdash_jupyter.data.mongo.reader import MongoReader
from tests.data.mongo.whole_protocol import QUERIES, Commands
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer, real_server
from tests.tools.test_commands import CALLS, lab
from tests.tools.toolbench import Tools

pytestmark = pytest.mark.mongo

GROWING = {
    "task_result_history",
    "execution_history",
    "qubit",
    "coupling",
    "parameter_versions",
    "provenance_relations",
    "provenance_activities",
}
OURS = {
    "find": {"filter", "projection", "sort", "limit", "allowDiskUse"},
    "aggregate": {"pipeline", "cursor", "allowDiskUse"},
    "distinct": {"key", "query"},
}
"""What of a command is asked again; the rest is the driver's, and the limits of time."""

Command = dict[str, Any]


@pytest.fixture(scope="module", params=[pytest.param(False, marks=pytest.mark.long), True], ids=["plain", "odd"])
def captured(secantusd: MongoServer, request: pytest.FixtureRequest) -> tuple[Database, dict[str, list[Command]]]:
    """A database, and by tool the commands of its first call and of a second one."""
    database = secantusd.fresh_database()
    load_documents(lab(request.param), database)
    commands = Commands()
    sent: dict[str, list[Command]] = {}
    for tool, calls in CALLS.items():
        reader = MongoReader(pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])[database.name])
        tools = Tools(reader)
        commands.sent.clear()
        for arguments in calls:
            tools.content(tool, **arguments)
        sent[tool] = commands.queries()
        reader.close()
    return database, sent


def asked_again(command: Mapping[str, Any]) -> Command:
    """The command as it can be explained."""
    name = next(iter(command))
    return {name: command[name]} | {option: command[option] for option in command if option in OURS[name]}


def stages(plan: object) -> Iterator[str]:
    """The stages of whatever a server says it would do, those of each shard and branch."""
    if isinstance(plan, Mapping):
        if isinstance(stage := plan.get("stage"), str):
            yield stage
        for name, part in plan.items():
            if name != "rejectedPlans":
                yield from stages(part)
    elif isinstance(plan, list):
        for part in plan:
            yield from stages(part)


def test_every_command_can_be_asked_again(captured: tuple[Database, dict[str, list[Command]]]) -> None:
    database, sent = captured
    collections = set()
    for commands in sent.values():
        for command in commands:
            name = next(iter(command))
            collections.add(command[name])
            assert name in QUERIES
            assert list(stages(database.command({"explain": asked_again(command), "verbosity": "queryPlanner"})))
    assert collections >= GROWING


@pytest.mark.skipif(real_server() is None, reason="asks a real MongoDB: name one in QDASH_MONGO_URI_FOR_TESTS")
@pytest.mark.parametrize("tool", CALLS)
def test_no_command_looks_at_a_whole_collection(captured: tuple[Database, dict[str, list[Command]]], tool: str) -> None:
    database, sent = captured
    for command in sent[tool]:
        if command[next(iter(command))] in GROWING:
            told = database.command({"explain": asked_again(command), "verbosity": "executionStats"})
            assert "COLLSCAN" not in set(stages(told)), (command, told)


def test_stages_are_found_wherever_they_stand() -> None:
    plan = {"winningPlan": {"stage": "FETCH", "inputStage": {"stage": "IXSCAN"}}, "rejectedPlans": [{"stage": "SORT"}]}
    told = {"stages": [{"$cursor": {"queryPlanner": plan}}, {"$group": {}}]}
    assert list(stages(told)) == ["FETCH", "IXSCAN"]
