"""After Stop, or at a tool's time limit, the server is asked to end just those commands that run for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import pymongo
import pytest
from pymongo.errors import OperationFailure

from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.data.queries import CurrentQuery, SeriesQuery
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.domain.work import side_by_side
from qdash_jupyter.errors import DatabaseError
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox
from tests.data.mongo.endless_server import EndlessServer, endless_server
from tests.data.mongo.whole_protocol import CHIP, T1, Commands, documents
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer
from tests.patience import PATIENCE_S, until
from tests.tools.toolbench import Tools

pytestmark = pytest.mark.mongo

RESULTS = "task_result_history"
BUSY = "const end = Date.now() + 500; while (Date.now() < end) {} return true;"
"""For each document half a second."""


@contextmanager
def connected(server: EndlessServer) -> Iterator[MongoReader]:
    client = pymongo.MongoClient[Any](server.uri)
    client.admin.command("ping")
    reader = MongoReader(client["qdash"])
    try:
        yield reader
    finally:
        reader.close()


def stopped_when(running: Callable[[], object], *reads: Callable[[], object]) -> list[str]:
    """Begin the reads as one work, and stop it when that holds; what each read was told, when its thread has ended."""
    told: list[str] = []

    def read_one(read: Callable[[], object]) -> None:
        try:
            read()
            told.append("an answer")
        except DatabaseError as error:
            told.append(str(error.message))

    async def stopped() -> None:
        steps = [partial(read_one, read) for read in reads]
        reading = asyncio.create_task(in_background(lambda: side_by_side(steps), "a long read"))
        await asyncio.to_thread(until, running)
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading

    asyncio.run(stopped())
    until(lambda: len(told) == len(reads))
    return told


def killed(commands: Sequence[dict[str, Any]]) -> list[bytes]:
    """The sessions that were asked to be killed."""
    return [bytes(one["id"]) for command in commands if "killSessions" in command for one in command["killSessions"]]


@pytest.mark.parametrize("query", [T1, replace(T1, last_n=1)], ids=["columns", "documents"])
def test_stop_ends_the_command_that_runs(query: SeriesQuery) -> None:
    with endless_server(RESULTS) as server, connected(server) as reader:
        told = stopped_when(lambda: server.running, lambda: reader.parameter_series(query))
        assert told == ["The query was stopped."]
        assert not server.running
        (command,) = server.named("killSessions")
        (ran,) = [one for one in server.named("find", "aggregate") if RESULTS in one.values()]
        assert command["killSessions"] == [ran["lsid"]]
        assert command["$db"] == "admin"


def test_stop_ends_commands_that_run_side_by_side() -> None:
    with endless_server(RESULTS, "qubit") as server, connected(server) as reader:
        reads = [lambda: reader.parameter_series(replace(T1, last_n=1)), lambda: reader.element_ids(CHIP, "qubit")]
        assert len(stopped_when(lambda: len(server.running) == len(reads), *reads)) == len(reads)
        assert not server.running
        (command,) = server.named("killSessions")
        asked = [(one["aggregate"], bytes(one["lsid"]["id"])) for one in server.named("aggregate")]
        # Another command may have its answer and not know yet.
        assert {session for name, session in asked if name in (RESULTS, "qubit")} <= set(killed([command]))
        assert set(killed([command])) <= {session for _, session in asked}


def test_a_command_that_comes_behind_the_request_is_ended_by_a_second_one() -> None:
    with endless_server(RESULTS, misses=1) as server, connected(server) as reader:
        stopped_when(lambda: server.running, lambda: reader.parameter_series(T1))
        assert not server.running
        first, second = killed(server.sent)
        assert first == second


def test_a_session_that_was_killed_is_not_used_again() -> None:
    with endless_server(RESULTS) as server, connected(server) as reader:
        stopped_when(lambda: server.running, lambda: reader.parameter_series(T1))
        (gone,) = killed(server.sent)
        before = len(server.sent)
        reader.forget()
        for _ in range(3):
            reader.current_parameters(CurrentQuery(CHIP, "qubit"))
        later = server.sent[before:]
        assert later
        assert gone not in {bytes(one["lsid"]["id"]) for one in later}


def test_another_question_goes_on() -> None:
    with endless_server(RESULTS, "qubit") as server, connected(server) as reader:
        other: list[str] = []

        def ask() -> None:
            async def asked() -> None:
                with contextlib.suppress(DatabaseError):
                    await in_background(lambda: reader.element_ids(CHIP, "qubit"), "another read")

            asyncio.run(asked())
            other.append("ended")

        thread = threading.Thread(target=ask)
        thread.start()
        until(lambda: server.running)
        (others,) = server.running
        stopped_when(lambda: len(server.running) > 1, lambda: reader.parameter_series(T1))
        assert others not in killed(server.sent)
        assert list(server.running) == [others]
        assert other == []
        server.let_go()
        thread.join(PATIENCE_S)
        assert other == ["ended"]


class Nothing(ToolArguments):
    pass


def timed_out(reader: MongoReader, timeout_s: float) -> ToolResult:
    def read(_: Nothing, context: ToolContext) -> ToolOutput:
        context.reader.parameter_series(T1)
        return ToolOutput(content={})

    spec = ToolSpec("Reading", "", read, "read", Nothing, "Use it.", timeout_s=timeout_s)
    return asyncio.run(Toolbox([spec], Tools(reader).toolbox.context).call("read", {}))


def test_the_time_limit_of_a_tool_ends_its_command() -> None:
    with endless_server(RESULTS) as server, connected(server) as reader:
        failure = timed_out(reader, 0.5).failure
        assert failure is not None
        assert "timed out after 0.5 s" in str(failure.message)
        until(lambda: not server.running)
        (ran,) = [one for one in server.named("find", "aggregate") if RESULTS in one.values()]
        assert killed(server.sent) == [bytes(ran["lsid"]["id"])]


def test_a_server_that_cannot_end_commands_is_read_as_any_other() -> None:
    with endless_server(RESULTS, kills=False) as server, connected(server) as reader:
        assert reader.element_ids(CHIP, "qubit") == []

        def let_go_when_asked() -> None:
            until(lambda: server.named("killSessions"))
            server.let_go()  # its time limit

        threading.Thread(target=let_go_when_asked).start()
        told = stopped_when(lambda: server.running, lambda: reader.parameter_series(T1))
        assert told == ["The query was stopped."]
        assert len(server.named("killSessions")) == 1


def test_a_server_without_sessions_is_read_without_them() -> None:
    with endless_server(RESULTS, sessions=False) as server, connected(server) as reader:

        async def ids() -> list[str]:
            return await in_background(lambda: reader.element_ids(CHIP, "qubit"), "a read")

        assert asyncio.run(ids()) == []

        def let_go_when_running() -> None:
            until(lambda: server.running)
            server.let_go()

        threading.Thread(target=let_go_when_running).start()
        with pytest.raises(DatabaseError, match="refused the command"):
            timed_out(reader, PATIENCE_S)
        assert not any("lsid" in command for command in server.sent)
        assert server.named("killSessions") == []


def test_a_question_that_is_answered_kills_nothing(secantusd: MongoServer) -> None:
    database, commands = secantusd.fresh_database(), Commands()
    load_documents(documents(), database)
    reader = MongoReader(pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])[database.name])
    tools = Tools(reader)
    for _ in range(2):
        assert tools.result("get_chip_parameter_timeseries", parameter_name="t1").failure is None
    assert commands.queries()
    assert killed(commands.sent) == []
    # A session goes back when its command has ended, and serves the next one.
    assert len({bytes(one["lsid"]["id"]) for one in commands.queries()}) < len(commands.queries())
    reader.close()


def test_mongodb_itself_has_nothing_left_to_run(secantusd: MongoServer) -> None:
    database, watching = secantusd.fresh_database(), secantusd.client()
    load_documents(documents(), database)
    try:
        database["chip"].find_one(in_javascript("return true;"))
        running(watching, database.name)
    except OperationFailure:
        pytest.skip("this server has no slow query and ends none (SecantusDB); run with QDASH_MONGO_URI_FOR_TESTS")
    reader = MongoReader(secantusd.client()[database.name], query_seconds=10 * PATIENCE_S)
    told = stopped_when(
        lambda: running(watching, database.name),
        lambda: list(reader._find(RESULTS, in_javascript(BUSY), None)),
    )
    assert told == ["The query was stopped."]
    until(lambda: not running(watching, database.name))
    reader.close()


def in_javascript(body: str) -> dict[str, Any]:
    return {"$expr": {"$function": {"body": f"function() {{ {body} }}", "args": [], "lang": "js"}}}


def running(client: pymongo.MongoClient[Any], database: str) -> list[dict[str, Any]]:
    """What the server does in that database."""
    pipeline: list[dict[str, Any]] = [
        {"$currentOp": {}},
        {"$match": {"ns": {"$regex": f"^{database}\\."}, "active": True}},
    ]
    return list(client.admin.aggregate(pipeline))
