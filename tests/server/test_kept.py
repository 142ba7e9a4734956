"""Sessions and settings over HTTP, and the file in which sessions are kept."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from qdash_jupyter.errors import PersonError
from qdash_jupyter.server import kept
from qdash_jupyter.server.kept import KeptSessions
from tests.server.conftest import Forks
from tests.server.served import Served

MESSAGES = [
    {"role": "user", "content": "How is Q3?", "attached_image": None, "created_at": "2026-11-25T10:00:00.000+00:00"},
    {"role": "assistant", "content": '{"blocks": [], "assessment": null}', "attached_image": None},
]


def test_a_session_is_kept_listed_and_forgotten(service: Served) -> None:
    body = {"title": "Q3", "context": {"chip_id": "64Q"}, "messages": MESSAGES}
    post = service.send("POST", "chat/sessions", {"session_id": "s-1"} | body)
    assert post.status_code == httpx.codes.OK
    session = service.get("chat/sessions/s-1").json()
    assert session == post.json()
    assert {*session} == {"username", "session_id", "title", "context", "messages", "created_at", "updated_at"}
    assert session["messages"][0] == MESSAGES[0]
    assert session["messages"][1]["created_at"]
    service.send("POST", "chat/sessions", {"session_id": "s-2", "title": "later"})
    listed = service.get("chat/sessions").json()["sessions"]
    assert [(each["session_id"], each["message_count"]) for each in listed] == [("s-2", 0), ("s-1", 2)]
    again = service.send("PATCH", "chat/sessions/s-1", {"title": "Q3, again"}).json()
    assert again["created_at"] == session["created_at"]
    assert again["updated_at"] >= session["updated_at"]
    assert service.get("chat/sessions").json()["sessions"][0]["title"] == "Q3, again"
    assert service.send("DELETE", "chat/sessions/s-1").status_code == httpx.codes.NO_CONTENT
    for method in ("GET", "DELETE"):
        assert service.send(method, "chat/sessions/s-1").status_code == httpx.codes.NOT_FOUND


def test_a_session_of_wrong_shape_is_refused(service: Served) -> None:
    wrong = {"session_id": "s-3", "messages": [{"role": "user"}, {"content": 3}]}
    answer = service.send("POST", "chat/sessions", wrong)
    assert answer.status_code == httpx.codes.BAD_REQUEST
    assert len(answer.json()["violations"]) == 3
    assert service.get("chat/sessions/s-3").status_code == httpx.codes.NOT_FOUND


def test_sessions_outlive_the_server(tmp_path: Path, snapshot: Path, forked: Forks) -> None:
    for _ in range(2):
        with forked(tmp_path, "--snapshot", str(snapshot)) as service:
            found = service.get("chat/sessions").json()["sessions"]
            service.send("POST", "chat/sessions", {"session_id": "a", "title": "kept"})
    assert [each["title"] for each in found] == ["kept"]
    (file,) = (tmp_path / "data").rglob("service.sqlite3")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_nobody_writes_while_a_session_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process changes in between would be lost."""
    sessions, found = KeptSessions(tmp_path), kept._found
    sessions.put("ada", "s", {"title": "first", "context": None, "messages": []})
    refused: list[str] = []

    def read(*about: Any) -> Any:
        other = sqlite3.connect(tmp_path / "service.sqlite3", timeout=0)
        with closing(other), pytest.raises(sqlite3.OperationalError) as refusal:
            other.execute("update copilot_chat_session set title = 'other'")
        refused.append(str(refusal.value))
        return found(*about)

    monkeypatch.setattr(kept, "_found", read)
    sessions.change("ada", "s", {"title": "second"})
    monkeypatch.undo()
    assert refused == ["database is locked"]
    assert [each["title"] for each in sessions.sessions("ada")] == ["second"]


def test_each_user_has_their_own(tmp_path: Path) -> None:
    kept = KeptSessions(tmp_path)
    for user in ("ada", "bob"):
        kept.put(user, "s", {"title": user, "context": None, "messages": []})
    assert [each["title"] for each in kept.sessions("ada")] == ["ada"]
    assert kept.delete("bob", "s")
    assert kept.session("ada", "s") is not None


def test_a_file_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "service.sqlite3").write_bytes(b"no database" * 100)
    with pytest.raises(PersonError, match="Can't save the sessions"):
        KeptSessions(tmp_path).sessions("ada")


def test_the_settings_are_shown_without_secrets(tmp_path: Path, snapshot: Path, forked: Forks) -> None:
    model = {"name": "m", "base_url": "https://me:hidden-word@host.example/v1", "headers": {"X-Key": "hidden-header"}}
    settings = {"models": {"lab": model}, "orchestrator": {"deployment": "offline"}}
    with forked(tmp_path, "--snapshot", str(snapshot), settings=settings) as service:
        answer = service.get("config")
    assert "hidden-word" not in answer.text
    assert "hidden-header" not in answer.text
    found = answer.json()
    assert found["enabled"] is True
    assert found["config"]["models"]["lab"]["name"] == "m"
    assert found["status"]["is_language_model"] is False
    labels = {tool["name"]: tool["label"] for tool in found["tools"]}
    assert labels["get_qubit_params"] == {
        "en": "Reading the parameters of a qubit",
        "ja": "キュービットパラメータを取得中",
    }


def test_the_schema_of_the_settings(service: Served) -> None:
    schema = service.get("config/schema").json()
    assert {"models", "database", "limits"} <= {*schema["properties"]}


@pytest.mark.parametrize("as_text", [True, False])
def test_settings_are_checked_without_being_used(service: Served, as_text: bool) -> None:
    wrong: dict[str, Any] = {"limits": {"max_same_call": "many"}, "colour": "red"}
    body = {"yaml": yaml.safe_dump(wrong)} if as_text else {"config": wrong}
    found = service.send("POST", "config/validate", body).json()
    assert found["valid"] is False
    assert {each["key"] for each in found["violations"]} == {"limits.max_same_call", "colour"}
    assert all(each["line"] > 0 for each in found["violations"])
    assert service.send("POST", "config/validate", {"config": {"chip": "64Q"}}).json()["valid"] is True
    broken = service.send("POST", "config/validate", {"yaml": "a: [1"}).json()
    assert broken["valid"] is False
    assert "copilot.yaml" not in broken["violations"][0]["message"]
