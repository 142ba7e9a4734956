"""Who may ask, what is refused before any work is done, and what a server of its own exposes."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from qdash_jupyter.server.handlers import MOST_BODY_BYTES
from qdash_jupyter.ui.cli import main
from tests.patience import PATIENCE_S
from tests.scripted_server import ScriptedServer, text_turn
from tests.server.conftest import Forks
from tests.server.served import Served

PATHS = [
    ("POST", "chat/stream"),
    ("POST", "analyze"),
    ("POST", "analyze/stream"),
    ("POST", "issues/1/ai-reply/stream"),
    ("GET", "issues/1/ai-replies"),
    ("POST", "cancel"),
    ("GET", "config"),
    ("GET", "config/schema"),
    ("POST", "config/validate"),
    ("GET", "chat/sessions"),
    ("GET", "chat/sessions/1"),
    ("POST", "chat/sessions"),
    ("PATCH", "chat/sessions/1"),
    ("DELETE", "chat/sessions/1"),
]


PAGES = ("example.html", "client.js", "plotly.min.js")


@pytest.mark.parametrize("headers", [{}, {"Authorization": "token wrong"}])
def test_without_the_token_nothing_is_done(service: Served, model: ScriptedServer, headers: dict[str, str]) -> None:
    body = {"message": "How?", "task_name": "CheckT1", "qid": "1"}
    with service.client(headers=headers) as client:
        answers = {
            (method, path): client.request(
                method, f"{service.endpoint}/{path}", json=None if method == "GET" else body
            ).status_code
            for method, path in PATHS
        }
        pages = {name: client.get(f"{service.endpoint}/{name}").status_code for name in PAGES}
    assert answers == dict.fromkeys(PATHS, httpx.codes.FORBIDDEN)
    assert set(pages.values()) <= {httpx.codes.FOUND, httpx.codes.FORBIDDEN}, pages  # they want a login
    assert not model.requests


def test_a_page_of_another_site_is_refused(service: Served, model: ScriptedServer) -> None:
    """A browser sends the cookie, and the origin: without the XSRF token in a header it gets nowhere."""
    with service.client(headers={}) as client:
        page = f"{service.endpoint}/plotly.min.js"
        login = client.get(page, params={"token": service.headers["Authorization"][6:]})
        assert login.status_code == httpx.codes.OK
        assert client.get(f"{service.endpoint}/config").status_code == httpx.codes.OK  # by the cookie
        refused = client.post(f"{service.endpoint}/chat/stream", json={"message": "How?"})
        assert refused.status_code == httpx.codes.FORBIDDEN
        assert not model.requests
        model.add(text_turn("Fine."))
        xsrf = {"X-XSRFToken": client.cookies["_xsrf"]}
        allowed = client.post(f"{service.endpoint}/chat/stream", json={"message": "How?"}, headers=xsrf)
    assert allowed.status_code == httpx.codes.OK


def test_other_services_of_jupyter_are_not_there(service: Served) -> None:
    base = service.endpoint.removesuffix("qdash/copilot")
    with service.client() as client:
        for path in (
            "api/kernels",
            "api/contents",
            "api/sessions",
            "api/terminals",
            "files/copilot.yaml",
            "lab",
            "tree",
        ):
            assert client.get(f"{base}{path}").status_code == httpx.codes.NOT_FOUND, path
        assert client.post(f"{base}api/kernels", json={}).status_code == httpx.codes.NOT_FOUND


def test_it_listens_on_this_machine_alone(service: Served) -> None:
    assert service.endpoint.startswith("http://127.0.0.1:")
    assert service.endpoint.endswith("/qdash/copilot")
    port = int(service.endpoint.split(":")[2].split("/")[0])
    own = socket.gethostbyname(socket.gethostname())
    if own != "127.0.0.1":
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((own, port), timeout=2)


def test_a_wrong_request_is_told_all_that_is_wrong(service: Served, model: ScriptedServer) -> None:
    history: list[Any] = [
        {"role": "assistant", "content": "Hello"},
        {"role": "tool", "content": "x"},
        "nonsense",
        {"role": "user", "content": ["no text"]},
    ]
    answer = service.send("POST", "chat/stream", {"conversation_history": history, "image_base64": "%%%", "qid": []})
    assert answer.status_code == httpx.codes.BAD_REQUEST
    wrong = {each.partition(":")[0] for each in answer.json()["violations"]}
    assert {"message", "image_base64", "qid"} <= wrong
    answer = service.send("POST", "chat/stream", {"message": "How?", "conversation_history": history})
    assert answer.status_code == httpx.codes.BAD_REQUEST
    said = json.dumps(answer.json()["violations"])
    for part in ("message 1", "message 2", "message 3"):
        assert part in said
    assert not model.requests


def test_a_body_that_is_no_object_is_refused(service: Served) -> None:
    with service.client() as client:
        for body in (b"{", b"[]", b"\xff\xfe", b"null", b"3"):
            answer = client.post(f"{service.endpoint}/chat/stream", content=body)
            assert (answer.status_code, bool(answer.json()["violations"])) == (httpx.codes.BAD_REQUEST, True), body


def test_an_oversized_body_is_refused(service: Served, model: ScriptedServer) -> None:
    with service.client() as client:
        too_much = b"x" * (MOST_BODY_BYTES + 1)
        try:
            status = client.post(f"{service.endpoint}/chat/stream", content=too_much).status_code
        except (
            httpx.WriteError,
            httpx.ReadError,
            httpx.RemoteProtocolError,
        ):  # the server has closed the connection before all of it was sent
            status = 413
        assert status == 413
    model.add(text_turn("Fine."))
    assert service.chat("How?")[-1].name == "result"


def test_an_oversized_body_without_a_length_is_refused(service: Served) -> None:
    def pieces() -> Any:
        for _ in range(MOST_BODY_BYTES // 65536 + 2):
            yield b"x" * 65536

    with service.client() as client:
        try:
            status = client.post(f"{service.endpoint}/chat/stream", content=pieces()).status_code
        except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
            status = 413
    assert status == 413


def test_a_body_without_the_token_is_not_even_read(service: Served) -> None:
    port = int(service.endpoint.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        head = f"POST /qdash/copilot/chat/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 1000000\r\n\r\n"
        connection.sendall(head.encode() + b"{")
        assert b" 403 " in connection.recv(65536).split(b"\r\n")[0]


def test_the_headers_are_those_of_the_seed(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("Fine."))
    with service.client() as client:
        answer = client.post(f"{service.endpoint}/chat/stream", json={"message": "How?"})
    assert answer.headers["content-type"].split(";")[0] == "text/event-stream"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-accel-buffering"] == "no"


def test_a_page_of_another_site_may_ask_where_that_is_allowed(tmp_path: Path, snapshot: Path, forked: Forks) -> None:
    """As a browser does: first it asks whether it may, without a token; then with it."""
    site, other = "https://qdash.example", "https://elsewhere.example"
    with forked(tmp_path, "--snapshot", str(snapshot), "--allow-origin", site) as service, service.client() as client:
        url = f"{service.endpoint}/chat/stream"
        wants = {"Origin": site, "Access-Control-Request-Method": "POST"}
        before = client.options(url, headers=wants | {"Authorization": ""})
        assert before.is_success
        assert before.headers["access-control-allow-origin"] == site
        assert "authorization" in before.headers["access-control-allow-headers"]
        answer = client.post(url, json={"message": "Which chips are there?"}, headers={"Origin": site})
        assert answer.headers["access-control-allow-origin"] == site
        assert "event: result" in answer.text
        unread = client.post(url, json={"message": "Which chips are there?"}, headers={"Origin": other})
        assert unread.headers.get("access-control-allow-origin") == site  # so no browser gives it to the other page


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
        assert main(["serve", "--demo", "--port", port]) == 1
    assert f"Can't use port {port}" in capsys.readouterr().err
    assert main(["serve", "--demo", "--port", "70000"]) == 1
    assert "70000 isn't a port number." in capsys.readouterr().err
