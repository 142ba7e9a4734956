"""What the service keeps, in a file of SQLite: chat sessions, and replies to issues. MongoDB is never written."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from qdash_jupyter.config.disk import user_folder
from qdash_jupyter.data.records import IssuePost
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import PersonError

MOST_SESSIONS = 10_000
"""A user; the oldest ones go when there are more."""

_TABLES = """
create table if not exists copilot_chat_session (
    username text, session_id text, title text, context text, messages text, created_at text, updated_at text,
    primary key (username, session_id)
);
create index if not exists newest on copilot_chat_session (username, updated_at desc);
create table if not exists issue_reply (
    reply_id text primary key, issue_id text, task_id text, username text, content text, created_at text
);
create index if not exists of_issue on issue_reply (issue_id, created_at);
"""


class KeptSessions:
    """Sessions in the shape of QDash's `copilot_chat_session`, each its user's own, and replies in that of `issue`.

    All methods block, may be called from any thread, and raise PersonError where the file cannot be used.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """The file is made when it is first needed, for its owner alone."""
        self._folder = folder
        self._lock = Lock()

    def sessions(self, username: str) -> list[JsonObject]:
        """All of a user, without their messages: newest first."""
        with self._opened() as database:
            rows = database.execute(
                "select username, session_id, title, context, created_at, updated_at, "
                "json_array_length(messages) as message_count "
                "from copilot_chat_session where username = ? order by updated_at desc, session_id",
                (username,),
            ).fetchall()
        return list(map(_session_of, rows))

    def session(self, username: str, session_id: str) -> JsonObject | None:
        """One with its messages; None where the user has none of that id."""
        with self._opened() as database:
            return _found(database, username, session_id)

    def put(self, username: str, session_id: str, session: JsonObject) -> None:
        """Keep a session (`title`, `context`, `messages`) in place of what it was before."""
        with self._opened() as database:
            _put(database, username, session_id, session)

    def change(self, username: str, session_id: str, changed: JsonObject) -> None:
        """Put what is given in the place of what was, where there is such a session."""
        with self._opened() as database:
            database.execute("begin immediate")  # so that no other process writes between the two
            if (known := _found(database, username, session_id)) is not None:
                _put(database, username, session_id, known | changed)

    def delete(self, username: str, session_id: str) -> bool:
        """Forget a session; says whether there was one."""
        query = "delete from copilot_chat_session where username = ? and session_id = ?"
        with self._opened() as database:
            gone = database.execute(query, (username, session_id))
        return gone.rowcount > 0

    def replies(self, issue_id: str) -> list[IssuePost]:
        """Those to an issue, oldest first."""
        query = "select content, username, created_at from issue_reply where issue_id = ? order by created_at"
        with self._opened() as database:
            rows = database.execute(query, (issue_id,)).fetchall()
        return [IssuePost(content, by, datetime.fromisoformat(at), is_ai_reply=True) for content, by, at in rows]

    def add_reply(self, issue_id: str, task_id: str, username: str, content: str) -> JsonObject:
        """Keep a reply; gives it as QDash keeps issues."""
        reply_id, now = uuid.uuid4().hex, _now()
        with self._opened() as database:
            row = (reply_id, issue_id, task_id, username, content, now)
            database.execute("insert into issue_reply values (?, ?, ?, ?, ?, ?)", row)
        return {
            "id": reply_id,
            "task_id": task_id,
            "username": username,
            "title": None,
            "content": content,
            "parent_id": issue_id,
            "is_closed": False,
            "is_ai_reply": True,
            "created_at": now,
        }

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, closing(sqlite3.connect(self._file(), timeout=10)) as database:
                database.row_factory = sqlite3.Row
                database.executescript(_TABLES)
                with database:
                    yield database
        except (OSError, sqlite3.Error) as error:
            raise PersonError.with_hint("sessions-not-kept", why=str(error)) from None

    def _file(self) -> Path:
        if self._folder is None:
            self._folder = user_folder("data")
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / "service.sqlite3"
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite gives its own files the same mode
        return path


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _found(database: sqlite3.Connection, username: str, session_id: str) -> JsonObject | None:
    query = "select * from copilot_chat_session where username = ? and session_id = ?"
    row = database.execute(query, (username, session_id)).fetchone()
    return None if row is None else _session_of(row)


def _session_of(row: sqlite3.Row) -> JsonObject:
    session = dict(row)
    return session | {name: json.loads(session[name]) for name in ("context", "messages") if session.get(name)}


def _put(database: sqlite3.Connection, username: str, session_id: str, session: JsonObject) -> None:
    now = _now()
    context = None if session["context"] is None else json.dumps(session["context"])
    messages = json.dumps([each | {"created_at": each.get("created_at") or now} for each in session["messages"]])
    database.execute(
        "insert into copilot_chat_session values (?, ?, ?, ?, ?, ?, ?) "
        "on conflict (username, session_id) do update set title = excluded.title, context = excluded.context, "
        "messages = excluded.messages, updated_at = excluded.updated_at",
        (username, session_id, session["title"], context, messages, now, now),
    )
    database.execute(
        "delete from copilot_chat_session where username = ? and session_id in (select session_id from "
        "copilot_chat_session where username = ? order by updated_at desc limit -1 offset ?)",
        (username, username, MOST_SESSIONS),
    )
