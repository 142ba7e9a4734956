"""A session of its own for each command that may be given up: by that the server knows which one is to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pymongo.client_session import ClientSession
from pymongo.errors import PyMongoError

from qdash_jupyter.data.mongo.connection import MongoDatabase
from qdash_jupyter.domain.work import Errand, current_work

_TRIES = 2
_END_S = 1.0
"""A command that has not ended by then may have reached the server behind the first request to end it."""


class CommandSessions:
    """Sessions of one client's commands. Safe to use from several threads."""

    def __init__(self, database: MongoDatabase) -> None:
        """Of the client, and for the servers, that `database` is read with."""
        self._client = database.client
        self._read_preference = database.read_preference

    @contextmanager
    def one(self) -> Iterator[ClientSession | None]:
        """For one command and its batches; None where nobody can give it up, or the server has no sessions."""
        work = current_work()
        if work is None or self._client.topology_description.logical_session_timeout_minutes is None:
            yield None
            return
        session = self._client.start_session(causal_consistency=False)
        errand = Errand(session.session_id)
        work.note(errand, self.end)
        try:
            yield session
        finally:
            errand.ended.set()
            # One that is being ended goes back to nobody: the next command in it would be ended, too.
            if work.strike(errand):
                session.end_session()

    def end(self, errands: Sequence[Errand]) -> None:
        """Ask the server to end what runs in these sessions. Where it refuses, their time limit has to do."""
        left = list(errands)
        for _ in range(_TRIES):
            command: dict[str, Any] = {"killSessions": [errand.name for errand in left]}
            try:
                self._client.admin.command(command, read_preference=self._read_preference)
            except PyMongoError:
                return
            left = [errand for errand in left if not errand.ended.wait(_END_S)]
            if not left:
                return
