"""Long reads say how much they have read, and end where nobody waits any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import replace
from typing import Any

import pymongo
import pytest

from qdash_jupyter.data.mongo import columns
from qdash_jupyter.data.mongo.reader import MongoReader
from qdash_jupyter.domain.work import Work, begin
from qdash_jupyter.errors import DatabaseError
from tests.data.mongo.whole_protocol import T1, Commands, documents, result
from tests.mongo_documents import load_documents
from tests.mongo_server import MongoServer
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.mongo

ROWS = 2500
Read = tuple[int, int]


@pytest.fixture(scope="module")
def commands() -> Commands:
    return Commands()


@pytest.fixture(scope="module")
def long(secantusd: MongoServer, commands: Commands) -> Iterator[MongoReader]:
    database = secantusd.fresh_database()
    load_documents(
        documents() | {"task_result_history": [result(hour, "1", 1.0 + hour) for hour in range(ROWS)]}, database
    )
    client: pymongo.MongoClient = pymongo.MongoClient[Any](secantusd.uri, event_listeners=[commands])
    reader = MongoReader(client[database.name], query_seconds=PATIENCE_S)
    yield reader
    reader.close()


@pytest.fixture
def reader(long: MongoReader, commands: Commands, monkeypatch: pytest.MonkeyPatch) -> MongoReader:
    monkeypatch.setattr(columns, "ROWS_AT_ONCE", ROWS // 3)
    commands.sent.clear()
    return long


class Heard(Work):
    """Says each time what is counted."""

    def __init__(self, hear: Callable[[Read], None]) -> None:
        self.hear: Callable[[Read], None] = lambda _: None
        super().__init__()
        self.hear = hear

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "nbytes":  # the second of the two
            self.hear((self.documents, self.nbytes))


def working(work: Work, read: Callable[[], object]) -> None:
    """Read as that work's thread would."""

    def run() -> None:
        begin(work)
        read()

    copy_context().run(run)


@pytest.mark.parametrize("by_columns", [True, pytest.param(False, marks=pytest.mark.long)])
def test_what_was_read_is_counted_as_it_comes(reader: MongoReader, *, by_columns: bool) -> None:
    heard: list[Read] = []
    reader.forget()
    working(Heard(heard.append), lambda: reader.parameter_series(T1 if by_columns else replace(T1, last_n=ROWS)))
    assert len(heard) > 2
    assert heard == sorted(heard)
    chips = 1  # the documents that say whose the chip is
    assert heard[-1][0] == ROWS + chips
    assert (heard[-1][1] > 60 * ROWS) == by_columns  # a task's id alone has 36 characters


def test_the_server_is_asked_for_no_more_when_nobody_waits(reader: MongoReader, commands: Commands) -> None:
    def give_up(read: Read) -> None:
        if read[0] > 1:
            work.give_up()

    work = Heard(give_up)
    with pytest.raises(DatabaseError, match="was stopped"):
        working(work, lambda: reader.parameter_series(T1))
    assert work.documents < ROWS
    names = [next(iter(command)) for command in commands.sent]
    assert names.count("getMore") <= 1, names
    assert len(reader.parameter_series(T1)) == ROWS
