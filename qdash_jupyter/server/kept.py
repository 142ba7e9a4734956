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
from qdash_jupyter.messages.message import Message

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
                "select session_id, title, context, created_at, updated_at, json_array_length(messages) "
                "from copilot_chat_session where username = ? order by updated_at desc, session_id",
                (username,),
            ).fetchall()
        names = ("session_id", "title", "context", "created_at", "updated_at", "message_count")
        return [
            {"username": username} | dict(zip(names, row, strict=True)) | {"context": _loaded(row[2])} for row in rows
        ]

    def session(self, username: str, session_id: str) -> JsonObject | None:
        """One with its messages; None where the user has none of that id."""
        with self._opened() as database:
            row = database.execute(
                "select title, context, messages, created_at, updated_at from copilot_chat_session "
                "where username = ? and session_id = ?",
                (username, session_id),
            ).fetchone()
        if row is None:
            return None
        title, context, messages, created_at, updated_at = row
        return {
            "username": username,
            "session_id": session_id,
            "title": title,
            "context": _loaded(context),
            "messages": json.loads(messages),
            "created_at": created_at,
            "updated_at": updated_at,
        }

    def put(
        self, username: str, session_id: str, *, title: str, context: JsonObject | None, messages: list[JsonObject]
    ) -> None:
        """Keep a session, in place of what it was before."""
        now = _now()
        with self._opened() as database:
            database.execute(
                "insert into copilot_chat_session values (?, ?, ?, ?, ?, ?, ?) "
                "on conflict (username, session_id) do update set title = excluded.title, context = excluded.context, "
                "messages = excluded.messages, updated_at = excluded.updated_at",
                (username, session_id, title, _dumped(context), _stamped(messages, now), now, now),
            )
            database.execute(
                "delete from copilot_chat_session where username = ? and session_id in (select session_id from "
                "copilot_chat_session where username = ? order by updated_at desc limit -1 offset ?)",
                (username, username, MOST_SESSIONS),
            )

    def change(self, username: str, session_id: str, changed: JsonObject) -> bool:
        """Put what is given (`title`, `context`, `messages`) in the place of what was; says whether there is one."""
        now, dumped = _now(), dict(changed)
        if "messages" in changed:
            dumped["messages"] = _stamped(changed["messages"], now)
        if "context" in changed:
            dumped["context"] = _dumped(changed["context"])
        names = [name for name in ("title", "context", "messages") if name in changed]
        values = "".join(f"{name} = ?, " for name in names)
        with self._opened() as database:
            done = database.execute(
                f"update copilot_chat_session set {values}updated_at = ? where username = ? and session_id = ?",  # noqa: S608 - names are ours
                (*(dumped[name] for name in names), now, username, session_id),
            )
        return done.rowcount > 0

    def delete(self, username: str, session_id: str) -> bool:
        """Forget a session; says whether there was one."""
        with self._opened() as database:
            gone = database.execute(
                "delete from copilot_chat_session where username = ? and session_id = ?", (username, session_id)
            )
        return gone.rowcount > 0

    def replies(self, issue_id: str) -> list[IssuePost]:
        """Those to an issue, oldest first."""
        with self._opened() as database:
            rows = database.execute(
                "select content, username, created_at from issue_reply where issue_id = ? order by created_at",
                (issue_id,),
            ).fetchall()
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
                database.executescript(_TABLES)
                with database:
                    yield database
        except (OSError, sqlite3.Error) as error:
            raise PersonError(Message("sessions-not-kept", why=str(error)), Message("sessions-not-kept-hint")) from None

    def _file(self) -> Path:
        if self._folder is None:
            self._folder = user_folder("data")
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / "service.sqlite3"
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # SQLite gives its own files the same mode
        return path


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _stamped(messages: list[JsonObject], now: str) -> str:
    return json.dumps([message | {"created_at": message.get("created_at") or now} for message in messages])


def _dumped(context: JsonObject | None) -> str | None:
    return None if context is None else json.dumps(context)


def _loaded(context: str | None) -> JsonObject | None:
    return None if context is None else json.loads(context)
