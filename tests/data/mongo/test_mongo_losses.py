"""A server that goes away, and an answer that nobody waits for any more."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path
from typing import Any

import pymongo
import pytest
from pymongo import monitoring

from qdash_jupyter.data.mongo.connection import connect
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.errors import DatabaseError, DatabaseUnreachable
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.background import in_background, let_end
from tests.data.mongo.whole_protocol import CHIP, QUERIES, T1, Commands, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer, running
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.mongo


class Gate(Commands):
    """Holds the first query until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.opened = threading.Event(), threading.Event()

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        super().started(event)
        if event.command_name in QUERIES:
            self.reached.set()
            assert self.opened.wait(PATIENCE_S)


@pytest.mark.long
def test_a_server_that_comes_back_is_read_again(tmp_path: Path) -> None:
    rows = documents()
    rows["task_result_history"] = [result(hour, "1", float(hour)) for hour in range(1_500)]
    with running(str(tmp_path)) as port:
        with pymongo.MongoClient[Any]("127.0.0.1", port) as client:
            client.admin.command("ping")
            load_documents(rows, client["qdash"])
        reader = MongoReader(connect(f"mongodb://127.0.0.1:{port}/qdash", environ={}, timeout_seconds=3.0))
        before = reader.parameter_series(T1)
        long = reader.stream("task_result_history", {})
        next(long)
    with pytest.raises(DatabaseUnreachable) as caught:
        list(long)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    with pytest.raises(DatabaseUnreachable):
        reader.parameter_series(T1)
    with running(str(tmp_path), port=port):
        assert reader.parameter_series(T1).equals(before)
        assert len(list(reader.stream("task_result_history", {}))) == len(before) == 1_500
        reader.close()


def test_nothing_more_is_asked_when_nobody_waits(secantusd: MongoServer) -> None:
    database, gate = secantusd.fresh_database(), Gate()
    load_documents(documents(), database)
    client: pymongo.MongoClient = pymongo.MongoClient[Any](secantusd.uri, event_listeners=[gate])
    client.admin.command("ping")
    reader = MongoReader(client[database.name])

    async def stopped() -> None:
        reading = asyncio.create_task(in_background(lambda: reader.notes(CHIP), "a long read"))
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE_S)
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading
        gate.opened.set()

    asyncio.run(stopped())
    let_end(PATIENCE_S)
    assert len(gate.queries()) == 1
    assert reader.notes(CHIP) == []  # whoever asks next is answered
    assert len(gate.queries()) > 10
    reader.close()


def test_what_is_given_up_says_so(secantusd: MongoServer) -> None:
    database = secantusd.fresh_database()
    load_documents(documents(), database)
    reader, told = MongoReader(database), []

    async def stopped() -> None:
        may_read = threading.Event()

        def read() -> None:
            assert may_read.wait(PATIENCE_S)
            try:
                reader.parameter_series(T1)
            except DatabaseError as error:
                told.append(error.message)

        reading = asyncio.create_task(in_background(read, "a read"))
        await asyncio.sleep(0)
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading
        may_read.set()

    asyncio.run(stopped())
    let_end(PATIENCE_S)
    assert told == [Message("query-stopped")]
    reader.close()
