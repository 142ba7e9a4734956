"""QDash's own web page against the service: its addresses, headers and bodies, and its rules of reading events."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from qdash_jupyter.config.manifest import DatabaseSection, Manifest
from qdash_jupyter.connect import open_reader
from tests.patience import PATIENCE_S, until
from tests.scripted_server import ScriptedServer, http_error, text_turn
from tests.server.conftest import Forks
from tests.server.served import TOKEN, Served, scripted
from tests.server.test_streams import asked_of_model, texts_in

SESSIONS = "/copilot/chat/sessions"


@dataclass
class Page:
    """What the page keeps and does. It knows the service by the base of its addresses alone."""

    base: str
    project: str = ""
    messages: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[str] = field(default_factory=list)

    def call(self, method: str, path: str, body: Any = None) -> httpx.Response:
        with self._client() as client:
            return client.request(method, self.base + path, json=body)

    def ask(self, path: str, message: str, **more: Any) -> dict[str, Any]:
        """Send a question with what the page keeps, and keep its answer, or `Error: …`."""
        body = {"message": message, "conversation_history": self.messages, "model_override": None} | more
        self.messages = [*self.messages, {"role": "user", "content": message}]
        try:
            result = self._answer(path, body)
        except RuntimeError as error:
            self.messages = [*self.messages, {"role": "assistant", "content": f"Error: {error}"}]
            raise
        is_blocks = isinstance(result.get("blocks"), list)
        said = json.dumps(result) if is_blocks else result.get("explanation") or json.dumps(result)
        self.messages = [*self.messages, {"role": "assistant", "content": said}]
        return result

    def stop(self, path: str, message: str, when: Callable[[], object]) -> None:
        """Send a question and stop it behind its first event, as soon as that holds: it is kept, and no answer."""
        body = {"message": message, "conversation_history": self.messages, "model_override": None}
        self.messages = [*self.messages, {"role": "user", "content": message}]
        with self._client() as client, client.stream("POST", self.base + path, json=body) as response:
            assert response.is_success
            events = response.iter_bytes()  # a generator that nothing holds is closed, and the connection with it
            assert next(events)
            until(when)

    def _answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] | None = None
        with self._client() as client, client.stream("POST", self.base + path, json=body) as response:
            if not response.is_success:
                response.read()
                detail = response.json().get("detail")
                raise RuntimeError(detail or f"HTTP {response.status_code}: {response.reason_phrase}")
            for event, data in self._events(response):
                if event == "status":
                    self.statuses.append(json.loads(data)["message"])
                elif event == "error":
                    raise RuntimeError(json.loads(data)["detail"])
                elif event == "result":
                    result = json.loads(data)
        assert result is not None
        return result

    @staticmethod
    def _events(response: httpx.Response) -> Iterator[tuple[str, str]]:
        """All behind the last blank line waits for more; a block without an event or without data is none."""
        waiting = ""
        for text in response.iter_text(7):
            whole, found, waiting = (waiting + text).rpartition("\n\n")
            for block in whole.split("\n\n") if found else ():
                lines = block.split("\n")
                event = next((line[7:] for line in reversed(lines) if line.startswith("event: ")), "")
                data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
                if event and data:
                    yield event, data

    def _client(self) -> httpx.Client:
        project = {"X-Project-Id": self.project} if self.project else {}
        headers = {"Authorization": f"Bearer {TOKEN}", "X-Username": "ana"} | project
        return httpx.Client(headers=headers, timeout=PATIENCE_S)


@pytest.fixture
def page(service: Served) -> Page:
    return Page(service.endpoint.removesuffix("/copilot"))


def test_a_question_stopped_and_one_that_failed_do_not_end_the_chat(page: Page, model: ScriptedServer) -> None:
    chat = "/copilot/chat/stream"
    model.add(text_turn("Never read.").stalled(60))
    page.stop(chat, "How is Q3?", when=lambda: model.requests)
    model.add(http_error(400, "broken"))
    with pytest.raises(RuntimeError, match="broken"):
        page.ask(chat, "How is Q3 now?")
    model.requests.clear()
    model.add(text_turn("Fine."))
    result = page.ask(chat, "And Q5?", qid="", chip_id="")
    assert [block["content"] for block in result["blocks"]] == ["Fine."]
    spoken = [texts_in(item).split("\n")[0] for item in asked_of_model(model)]
    assert (spoken[:2], spoken[3]) == (["How is Q3?", "How is Q3 now?"], "And Q5?")
    assert page.statuses[-1]


def test_any_list_of_messages_is_a_history(page: Page, model: ScriptedServer) -> None:
    """The page cuts a long one where it likes."""
    roles = ["assistant", "assistant", "user", "user", "assistant"]
    page.messages = [{"role": role, "content": f"message {place}"} for place, role in enumerate(roles)]
    model.add(text_turn("Fine."))
    page.ask("/copilot/chat/stream", "So?")
    assert [item["role"] for item in asked_of_model(model)] == [*roles, "user"]
    page.messages = [{"role": "user", "content": None}]
    with pytest.raises(RuntimeError, match=r"The request is not right: .*message 0"):
        page.ask("/copilot/chat/stream", "So?")


def test_an_analysis_with_empty_ids(page: Page, model: ScriptedServer) -> None:
    about = {
        "task_name": "CheckT1",
        "chip_id": "16Q-demo",
        "qid": "3",
        "execution_id": "",
        "task_id": "",
        "image_base64": None,
    }
    model.add(text_turn("The fit is good."), text_turn("The fit is good."))
    streamed = page.ask("/copilot/analyze/stream", "Is it good?", **about)
    assert streamed["images_sent"]["task_name"] == "CheckT1"
    once = page.call("POST", "/copilot/analyze", about | {"message": "Is it good?", "model_override": None})
    assert once.is_success
    assert (once.json()["explanation"], once.json()["blocks"]) == ("The fit is good.", streamed["blocks"])
    failed = page.call("POST", "/copilot/analyze", about | {"task_name": "CheckT9"})
    assert failed.status_code == httpx.codes.INTERNAL_SERVER_ERROR
    assert "CheckT9" in failed.json()["detail"]


def test_sessions_are_made_changed_and_deleted(page: Page) -> None:
    context = {"taskName": "CheckT1", "chipId": "64Q", "qid": "3", "executionId": "", "taskId": ""}
    made = {"session_id": "1764-abc", "title": "New Chat", "context": context, "messages": []}
    assert page.call("POST", SESSIONS, made).is_success
    messages = [{"role": "user", "content": "How is Q3?", "attached_image": "1"}]
    assert page.call("PATCH", f"{SESSIONS}/1764-abc", {"messages": messages, "title": "How is Q3?"}).is_success
    assert page.call("PATCH", f"{SESSIONS}/1764-abc", {"title": "Q3"}).is_success
    kept = page.call("GET", f"{SESSIONS}/1764-abc").json()
    assert (kept["title"], kept["context"], kept["messages"][0]["content"]) == ("Q3", context, "How is Q3?")
    (listed,) = [each for each in page.call("GET", SESSIONS).json()["sessions"] if each["session_id"] == "1764-abc"]
    assert listed["message_count"] == 1
    assert {"title", "context", "created_at", "updated_at"} <= {*listed}
    assert page.call("DELETE", f"{SESSIONS}/1764-abc").is_success
    for method in ("GET", "PATCH", "DELETE"):
        gone = page.call(method, f"{SESSIONS}/1764-abc", {} if method == "PATCH" else None)
        assert (gone.status_code, "1764-abc" in gone.json()["detail"]) == (httpx.codes.NOT_FOUND, True)


def test_an_issue_is_answered_and_says_where_the_reply_is(
    tmp_path: Path, model: ScriptedServer, snapshot: Path, forked: Forks
) -> None:
    reader = open_reader(Manifest(database=DatabaseSection(snapshot=snapshot)))
    root, _ = (decoder.document_id for decoder in reader.documents_of("issue", ()))  # pyrefly: ignore[missing-attribute]
    reader.close()
    model.add(text_turn("The pulse was missing."))
    with forked(tmp_path, "--snapshot", str(snapshot), settings=scripted(model.base_url)) as service:
        page = Page(service.endpoint.removesuffix("/copilot"))
        result = page._answer(f"/issues/{root}/ai-reply/stream", {"user_message": "@qdash why?"})
    assert result["reply"]["content"] == "The pulse was missing."
    assert result["saved_in_qdash"] is False
    assert "QDash" in result["note"]
    assert "@qdash why?" in texts_in(asked_of_model(model)[-1])


def test_a_model_is_one_of_the_settings_or_refused(
    tmp_path: Path, model: ScriptedServer, snapshot: Path, forked: Forks
) -> None:
    settings = scripted(model.base_url)
    settings["models"]["large"] = settings["models"]["lab"] | {"name": "large-model"}
    with forked(tmp_path, "--snapshot", str(snapshot), settings=settings) as service:
        page = Page(service.endpoint.removesuffix("/copilot"))
        config = page.call("GET", "/copilot/config").json()
        assert config["model"] == {"provider": "openai", "name": "lab"}
        chosen = next(each for each in config["chat_models"] if each["name"] == "large")
        for override in (chosen, chosen | {"name": "large-model", "base_url": None, "api_key_env": "OPENAI_API_KEY"}):
            model.requests.clear()
            model.add(text_turn("Fine."))
            page.ask("/copilot/chat/stream", "How?", model_override=override)
            assert model.requests[0].body["model"] == "large-model"
        model.requests.clear()
        for wrong, why in (
            ({"provider": "openai", "name": "gpt-other"}, "gpt-other.*large"),
            (chosen | {"base_url": "https://elsewhere.example/v1"}, "base_url"),
            (chosen | {"api_key_env": "OTHER_KEY"}, "api_key_env"),
            (chosen | {"temperature": 1.5}, "temperature"),
        ):
            with pytest.raises(RuntimeError, match=why):
                page.ask("/copilot/chat/stream", "How?", model_override=wrong)
        assert not model.requests


def test_the_project_of_the_header_is_asked(page: Page, model: ScriptedServer) -> None:
    page.project = "no-such-project"
    with pytest.raises(RuntimeError, match="no-such-project"):
        page.ask("/copilot/chat/stream", "How?", qid="3")
    assert not model.requests


def test_a_page_of_another_site_may_send_its_headers(tmp_path: Path, snapshot: Path, forked: Forks) -> None:
    site = "https://qdash.example"
    with forked(tmp_path, "--snapshot", str(snapshot), "--allow-origin", site) as service:
        wants = {"Origin": site, "Access-Control-Request-Method": "PATCH", "Authorization": ""}
        wants["Access-Control-Request-Headers"] = "authorization,content-type,x-project-id,x-username"
        with service.client() as client:
            asked = client.options(f"{service.endpoint}/chat/sessions/s", headers=wants)
    allowed = asked.headers["access-control-allow-headers"].replace(" ", "").split(",")
    assert {*wants["Access-Control-Request-Headers"].split(",")} <= {*allowed}
    assert "PATCH" in asked.headers["access-control-allow-methods"]


def test_a_length_that_is_no_number_is_refused_with_a_reason(service: Served) -> None:
    port = int(service.endpoint.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        head = f"POST /qdash/copilot/chat/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: token {TOKEN}\r\n"
        connection.sendall(f"{head}Content-Length: abc\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert (answer.split(b"\r\n")[0].split()[1], b"Content-Length has to be" in answer) == (b"400", True)
